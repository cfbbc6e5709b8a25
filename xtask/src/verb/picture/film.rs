//! What is played for the picture of `tenure up`, and how it becomes one.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use super::shoot::Terminal;
use crate::cargo::{WITHOUT_FLAWS, built, root, run as run_program, run_cargo};

const WIDTH: u16 = 82;
const HEIGHT: u16 = 27;
/// Time from one frame to the next.
const FRAME: Duration = Duration::from_millis(200);
const FRAMES: usize = 58;
/// The last frame stays so long before the film begins anew.
const REST_MS: &str = "2000";
/// Which keys are pressed, before which frame: kill the third, add one, freeze the first, thaw it.
const KEYS: [(usize, &str); 6] = [(5, "3"), (7, "k"), (15, "a"), (25, "1"), (27, "f"), (43, "t")];

/// What draws it. Nobody looks after it any more; it says where it finds its own files by a package that later setuptools lack.
const PAINTER: &str = "termtosvg==1.1.0 setuptools<81";
/// The frame around the screen: its colours, its title, and what those see who want nothing to move.
const AROUND: &str = "xtask/src/verb/picture/terminal.svg";
const PICTURE: &str = "docs/images/up.svg";

/// Takes the picture of `tenure up`.
pub(crate) fn run() -> Result<(), String> {
    run_cargo(&[&["build"][..], &WITHOUT_FLAWS, &["--bins"]].concat())?;
    let program = built()?.join("tenure");
    let terminal = Terminal::open(WIDTH, HEIGHT, &format!("{} up --ttl 2s --no-page", program.display()))?;
    terminal.wait_for("takes")?;
    let cast = tempfile::NamedTempFile::new().map_err(|error| format!("can't make a file: {error}"))?;
    fs::write(cast.path(), written(&frames(&terminal)?))
        .map_err(|error| format!("can't write {}: {error}", cast.path().display()))?;
    paint(cast.path())?;
    println!("{FRAMES} frames of a real run are in {PICTURE}");
    Ok(())
}

fn frames(terminal: &Terminal) -> Result<Vec<String>, String> {
    let mut frames = Vec::new();
    for number in 0..FRAMES {
        for (_, key) in KEYS.iter().filter(|(frame, _)| *frame == number) {
            terminal.press(key)?;
        }
        std::thread::sleep(FRAME);
        frames.push(terminal.capture()?);
    }
    Ok(frames)
}

/// The frames in the form of asciinema, version 2: what a terminal was told, and when.
fn written(frames: &[String]) -> String {
    let head = json!({"version": 2, "width": WIDTH, "height": HEIGHT}).to_string();
    let told = |(number, frame): (usize, &String)| {
        let seconds = FRAME.as_secs_f64() * number as f64;
        json!([seconds, "o", from_the_top(frame)]).to_string()
    };
    std::iter::once(head).chain(frames.iter().enumerate().map(told)).collect::<Vec<_>>().join("\n") + "\n"
}

/// Without a cursor, in no style, on an empty screen.
fn from_the_top(frame: &str) -> String {
    format!("\x1b[?25l\x1b[0m\x1b[H\x1b[2J{}", frame.trim_end_matches('\n').replace('\n', "\r\n"))
}

fn paint(cast: &Path) -> Result<(), String> {
    let python = tenure_testbed::python_with(PAINTER).map_err(|error| error.to_string())?;
    let mut command = Command::new(python);
    command.args(["-m", "termtosvg", "render"]).arg(cast).args([PICTURE, "-t", AROUND, "-D", REST_MS]);
    command.current_dir(root());
    run_program(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a line, as termtosvg draws it; between two frames it leaves one empty.
    const LINE: usize = 17;
    /// While the first is frozen and its shards are stranded.
    const STILL: usize = 34;

    #[test]
    fn every_frame_is_told_at_its_time_on_an_empty_screen() {
        let cast = written(&["a\nb\n".to_owned(), "c\n".to_owned()]);
        let lines: Vec<serde_json::Value> =
            cast.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0], json!({"version": 2, "width": 82, "height": 27}));
        assert_eq!(lines[1], json!([0.0, "o", "\x1b[?25l\x1b[0m\x1b[H\x1b[2Ja\r\nb"]));
        assert_eq!(lines[2], json!([0.2, "o", "\x1b[?25l\x1b[0m\x1b[H\x1b[2Jc"]));
    }

    #[test]
    fn one_frame_is_there_for_those_who_want_nothing_to_move() {
        let around = fs::read_to_string(root().join(AROUND)).unwrap();
        let place = STILL * (usize::from(HEIGHT) + 1) * LINE;
        assert!(
            around.contains(&format!("{{animation: none; transform: translateY(-{place}px);}}")),
            "{place}"
        );
        assert!(around.contains(&format!("columns=\"{WIDTH}\" rows=\"{HEIGHT}\"")));
    }
}
