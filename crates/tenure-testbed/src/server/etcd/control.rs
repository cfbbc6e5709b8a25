//! `etcdctl`, with whatever the cluster asks of its clients.

use std::path::PathBuf;
use std::process::Command;

use super::options::Login;
use crate::certificate::Certificates;
use crate::error::Error;
use crate::process::run_in_background;

/// How to talk to a cluster.
#[derive(Clone, Debug)]
pub(crate) struct Control {
    pub(crate) program: PathBuf,
    pub(crate) certificates: Option<Certificates>,
    pub(crate) login: Option<Login>,
}

impl Control {
    /// Runs etcdctl against `endpoints`; answers what it wrote.
    pub(crate) async fn run(&self, endpoints: &str, args: &[&str]) -> Result<String, Error> {
        run_in_background(self.command(endpoints, args)).await
    }

    /// The password goes by the environment, where no list of processes shows it.
    fn command(&self, endpoints: &str, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.env("ETCDCTL_API", "3").args(["--dial-timeout=2s", "--command-timeout=5s"]);
        command.arg(format!("--endpoints={endpoints}")).args(self.identity());
        if let Some(login) = &self.login {
            command.env("ETCDCTL_USER", format!("{}:{}", login.user, login.password));
        }
        command.args(args);
        command
    }

    fn identity(&self) -> Vec<String> {
        let Some(made) = &self.certificates else { return Vec::new() };
        vec![
            "--insecure-transport=false".into(),
            format!("--cacert={}", made.authority.display()),
            format!("--cert={}", made.client.display()),
            format!("--key={}", made.client_key.display()),
        ]
    }
}
