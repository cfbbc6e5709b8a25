//! README and guide, run: every command is copied out of the text and carried out as a reader would.
//!
//! A page is played from its beginning to its end, in a fresh folder, with the built `tenure` on the path and the real
//! servers of the tests. What a reader knows and a machine doesn't, pages say in comments that no reader sees:
//!
//! | comment | means |
//! |---|---|
//! | `<!-- run: COMMANDS -->`, `<!-- run in NAME: COMMANDS -->` | carry these out too, in the first terminal or that one |
//! | `<!-- here: OLD = NEW -->` | from here on, take NEW where the page says OLD |
//! | `<!-- block: MARK; MARK -->` | of the block that follows: see [`mark::Mark`] |
//!
//! A block that nobody knows how to judge is a failure, and what is not run is counted and named with its reason.

mod data;
mod item;
mod judge;
mod mark;
mod page;
mod place;
mod play;
mod spoken;
mod tally;
mod terminal;

use std::sync::Mutex;
use std::thread;

use tenure_testbed::Kind;

use crate::cargo::{WITHOUT_FLAWS, root, run_cargo};
use page::Page;
use place::Grounds;
use tally::Tally;

/// How many pages are played at once: they wait more than they work.
const AT_ONCE: usize = 4;

/// Plays the pages, all of them unless some are named; without the servers of `skipped`.
pub(crate) fn check(skipped: &[Kind], named: &[String]) -> Result<(), String> {
    run_cargo(&[&["build"][..], &WITHOUT_FLAWS, &["--bins", "--examples"]].concat())?;
    let grounds = Grounds::prepare(skipped)?;
    let pages = Mutex::new(pages(named)?.into_iter());
    let tally = Mutex::new(Tally::default());
    let next = || pages.lock().expect("no player panics while it takes a page").next();
    let keep = |part: Tally| tally.lock().expect("no player panics while it adds up").add(part);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(page) = next() {
                    keep(play::page(&page, &grounds))
                }
            });
        }
    });
    tally.into_inner().expect("all players have ended").verdict()
}

fn pages(named: &[String]) -> Result<Vec<Page>, String> {
    let wanted = |page: &Page| named.is_empty() || named.iter().any(|name| page.path.contains(name));
    let pages: Vec<Page> = Page::all(&root())?.into_iter().filter(wanted).collect();
    if pages.is_empty() { Err(format!("no page is called {named:?}")) } else { Ok(pages) }
}
