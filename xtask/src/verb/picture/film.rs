//! What is played for each picture, and where the picture goes.

use std::time::Duration;

use super::shoot::Terminal;
use super::{ansi, svg};
use crate::cargo::{built, root, run_cargo};

const WIDTH: u16 = 82;
const HEIGHT: u16 = 27;
/// Time from one frame to the next.
const FRAME: Duration = Duration::from_millis(200);
/// The whole picture, and which frame stands for it where nothing moves: while one is frozen and its shards are stranded.
const FRAMES: usize = 58;
const STILL: usize = 34;
/// Which keys are pressed, before which frame: kill the third, add one, freeze the first, thaw it.
const KEYS: [(usize, &str); 6] = [(5, "3"), (7, "k"), (15, "a"), (25, "1"), (27, "f"), (43, "t")];

/// Takes the picture of `tenure up`.
pub(crate) fn run() -> Result<(), String> {
    run_cargo(&["build", "--locked", "-p", "tenure-cli"])?;
    let program = built()?.join("tenure");
    let terminal = Terminal::open(WIDTH, HEIGHT, &format!("{} up --ttl 2s --no-page", program.display()))?;
    terminal.wait_for("takes")?;
    let frames = frames(&terminal)?;
    let place = root().join("docs/images/up.svg");
    let picture = svg::film(&frames, svg::Timing { frame: FRAME, still: STILL }, WIDTH, HEIGHT);
    std::fs::create_dir_all(root().join("docs/images")).map_err(|error| error.to_string())?;
    std::fs::write(&place, picture).map_err(|error| format!("can't write {}: {error}", place.display()))?;
    println!("{} frames of a real run are in docs/images/up.svg", frames.len());
    Ok(())
}

fn frames(terminal: &Terminal) -> Result<Vec<ansi::Screen>, String> {
    let mut frames = Vec::new();
    for number in 0..FRAMES {
        for (_, key) in KEYS.iter().filter(|(frame, _)| *frame == number) {
            terminal.press(key)?;
        }
        std::thread::sleep(FRAME);
        frames.push(ansi::parse(&terminal.capture()?));
    }
    Ok(frames)
}
