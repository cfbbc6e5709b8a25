//! The terminal, borrowed: it is given back as it was, however the show ends.

use std::io::{Stdout, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::show::{Blow, Press, Show};
use super::view::{Palette, draw};
use crate::exit::{Exit, Failure};
use crate::paint::Paint;

/// So often the reader of keys looks whether the show is over.
const GLANCE: Duration = Duration::from_millis(100);

/// A terminal that is drawn on.
#[derive(Debug)]
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    palette: Palette,
    keys: Keys,
    _borrowed: Borrowed,
}

impl Screen {
    /// Borrows the terminal.
    pub(super) fn open() -> Result<Self, Failure> {
        let borrowed = Borrowed::take()?;
        let terminal = Terminal::new(CrosstermBackend::new(stdout())).map_err(no_terminal)?;
        let palette = if Paint::for_data().is_on() { Palette::Colours } else { Palette::Letters };
        Ok(Self { terminal, palette, keys: Keys::listen(), _borrowed: borrowed })
    }

    /// The next key that means something. Cancel-safe.
    pub(super) async fn press(&mut self) -> Press {
        // No more keys: the terminal is gone.
        self.keys.pressed.recv().await.unwrap_or(Press::Quit)
    }

    /// Draws how things stand.
    pub(super) fn draw(&mut self, show: &Show) -> Result<(), Failure> {
        let palette = self.palette;
        self.terminal.draw(|frame| draw(show, palette, frame)).map(drop).map_err(no_terminal)
    }
}

/// Raw mode and the second screen, until dropped. Given back once: a second time would move the cursor over what was told since.
#[derive(Debug)]
struct Borrowed(Arc<AtomicBool>);

impl Borrowed {
    fn take() -> Result<Self, Failure> {
        let borrowed = Self(Arc::new(AtomicBool::new(true)));
        borrowed.give_back_before_a_panic_is_told();
        enable_raw_mode().map_err(no_terminal)?;
        execute!(stdout(), EnterAlternateScreen, cursor::Hide).map_err(no_terminal)?;
        Ok(borrowed)
    }

    /// It can be read on the first screen alone.
    fn give_back_before_a_panic_is_told(&self) {
        let (borrowed, tell) = (Arc::clone(&self.0), std::panic::take_hook());
        std::panic::set_hook(Box::new(move |panic| {
            give_back(&borrowed);
            tell(panic);
        }));
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        give_back(&self.0);
    }
}

fn give_back(borrowed: &AtomicBool) {
    if borrowed.swap(false, Ordering::Relaxed) {
        let _ = disable_raw_mode();
        let _ = execute!(stdout(), LeaveAlternateScreen, cursor::Show);
    }
}

/// A thread that reads keys, until dropped.
#[derive(Debug)]
struct Keys {
    pressed: UnboundedReceiver<Press>,
    over: Arc<AtomicBool>,
}

impl Keys {
    fn listen() -> Self {
        let (sender, pressed) = unbounded_channel();
        let over = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&over);
        std::thread::spawn(move || read(&sender, &watched));
        Self { pressed, over }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // Not waited for: where the terminal is gone, a read of it never returns.
        self.over.store(true, Ordering::Relaxed);
    }
}

/// Ends when the show does, or when the terminal can't be read any more.
fn read(pressed: &UnboundedSender<Press>, over: &AtomicBool) {
    while !over.load(Ordering::Relaxed) {
        let event = match event::poll(GLANCE) {
            Ok(true) => event::read(),
            Ok(false) => continue,
            Err(_) => return,
        };
        let Ok(event) = event else { return };
        let _ = meaning(&event).map(|press| pressed.send(press));
    }
}

fn meaning(event: &Event) -> Option<Press> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => meaning_of_key(*key),
        _ => None,
    }
}

fn meaning_of_key(key: KeyEvent) -> Option<Press> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c' | 'd') if control => Some(Press::Quit),
        _ if control => None,
        KeyCode::Char('q') => Some(Press::Quit),
        KeyCode::Up => Some(Press::Up),
        KeyCode::Down => Some(Press::Down),
        KeyCode::Char('k') => Some(Press::Strike(Blow::Kill)),
        KeyCode::Char('f') => Some(Press::Strike(Blow::Freeze)),
        KeyCode::Char('t') => Some(Press::Strike(Blow::Thaw)),
        KeyCode::Char('s') => Some(Press::Strike(Blow::Stop)),
        KeyCode::Char('a') => Some(Press::Add),
        KeyCode::Char(digit) => digit.to_digit(10).map(|number| Press::Select(number as usize)),
        _ => None,
    }
}

fn no_terminal(error: std::io::Error) -> Failure {
    Failure::new(Exit::Store, "can't use the terminal; pipe the output to get lines").because(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_c_quits_and_c_alone_means_nothing() {
        let with = |modifiers| meaning(&Event::Key(KeyEvent::new(KeyCode::Char('c'), modifiers)));
        assert_eq!(with(KeyModifiers::CONTROL), Some(Press::Quit));
        assert_eq!(with(KeyModifiers::NONE), None);
    }

    #[test]
    fn digits_select_and_letters_strike() {
        let of = |letter| meaning_of_key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
        assert_eq!(of('2'), Some(Press::Select(2)));
        assert_eq!(of('k'), Some(Press::Strike(Blow::Kill)));
        assert_eq!(of('x'), None);
    }
}
