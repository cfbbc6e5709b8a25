//! Compiles the simulator beside the steps that mostly wait: it is optimised, and takes two minutes and a half of a core.
//!
//! It yields to everything else, so that storms and tests have the machine when they want it. What goes wrong here is told by the step
//! that needs the simulator, whose own cargo waits for this one and goes on where it ended.

use std::cell::{Cell, RefCell};
use std::process::{Child, Command, Stdio};

use crate::cargo::cargo;

/// All that the steps `examples`, `model`, `sim`, `library` and `mutants` run.
const SIMULATOR: [&str; 10] =
    ["build", "--locked", "--profile", "sim", "-p", "tenure-sim", "--lib", "--bins", "--tests", "--examples"];

/// The steps that need it.
const NEED_IT: [&str; 5] = ["examples", "model", "sim", "library", "mutants"];

/// A compiler at work, or none.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    needed: Cell<bool>,
    child: RefCell<Option<Child>>,
}

impl Ahead {
    /// Says which steps there will be.
    pub(super) fn look_at(&self, mut steps: impl Iterator<Item = &'static str>) {
        self.needed.set(steps.any(|step| NEED_IT.contains(&step)));
    }

    /// Begins, if one of the steps needs it. If it can't, that step will.
    pub(super) fn begin(&self) {
        if self.needed.get() {
            self.child.replace(patient(&cargo(&SIMULATOR)).spawn().ok());
        }
    }
}

/// Nobody is left behind when a run ends early.
impl Drop for Ahead {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The same command, for when nobody else wants the machine.
fn patient(command: &Command) -> Command {
    let mut nice = Command::new("nice");
    nice.args(["-n", "19"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => nice.env(name, value),
            None => nice.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        nice.current_dir(folder);
    }
    nice.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    nice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_compiled_for_a_run_that_does_not_need_it() {
        let ahead = Ahead::default();
        ahead.look_at(["tidy", "tests"].into_iter());
        ahead.begin();
        assert!(ahead.child.borrow().is_none());
        ahead.look_at(["tidy", "model"].into_iter());
        assert!(ahead.needed.get());
    }

    #[test]
    fn a_patient_command_is_the_same_one_otherwise() {
        let mut command = Command::new("printenv");
        command.arg("COLOUR").env("COLOUR", "green").current_dir("/");
        let said = patient(&command).stdout(Stdio::piped()).output().unwrap();
        assert_eq!(said.stdout, b"green\n");
    }
}
