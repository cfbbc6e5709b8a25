//! The output of all children, on one standard output and one standard error.
//!
//! Each of the two has a thread that writes, since our reader may be slow: children wait for it, the member never does.

use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::thread;
use std::time::Duration;

use rustix::pipe::{PipeFlags, pipe_with};
use tenure::ShardId;
use tenure::clock::Clock;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::sync::{mpsc, oneshot};

use super::lines::Lines;

/// How many pieces may wait to be written.
const WAITING: usize = 64;

/// How much is read at once.
const PIECE: usize = 8 * 1024;

/// How long the last words may take at the end.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Where the children's lines go.
#[derive(Clone, Debug)]
pub(super) struct Output {
    out: mpsc::Sender<Vec<u8>>,
    err: mpsc::Sender<Vec<u8>>,
}

/// Completes when all is written.
#[derive(Debug)]
pub(super) struct Written([oneshot::Receiver<()>; 2]);

impl Output {
    /// Writes to this process's own output.
    pub(super) fn open() -> io::Result<(Self, Written)> {
        let (out, out_written) = writer("stdout", io::stdout())?;
        let (err, err_written) = writer("stderr", io::stderr())?;
        Ok((Self { out, err }, Written([out_written, err_written])))
    }

    /// Two descriptors for a child of `shard`; what it writes to them comes out here, line by line.
    pub(super) fn of(&self, shard: ShardId) -> io::Result<[OwnedFd; 2]> {
        Ok([stream(shard, self.out.clone())?, stream(shard, self.err.clone())?])
    }
}

impl Written {
    /// Waits for the last words, unless the reader is gone.
    pub(super) async fn all(self) {
        let all = async {
            for written in self.0 {
                let _ = written.await;
            }
        };
        let _ = Clock::boot().timeout(LAST_WORDS, all).await;
    }
}

fn writer(
    name: &str,
    mut to: impl Write + Send + 'static,
) -> io::Result<(mpsc::Sender<Vec<u8>>, oneshot::Receiver<()>)> {
    let (sender, mut pieces) = mpsc::channel::<Vec<u8>>(WAITING);
    let (done, written) = oneshot::channel();
    thread::Builder::new().name(name.into()).spawn(move || {
        while let Some(piece) = pieces.blocking_recv() {
            // The reader may be gone; the children's work goes on all the same.
            let _ = to.write_all(&piece).and_then(|()| to.flush());
        }
        drop(done);
    })?;
    Ok((sender, written))
}

fn stream(shard: ShardId, to: mpsc::Sender<Vec<u8>>) -> io::Result<OwnedFd> {
    let (here, there) = pipe_with(PipeFlags::CLOEXEC)?;
    let here = Receiver::from_owned_fd(here)?;
    tokio::spawn(copy(here, Lines::new(format!("[{shard}] ")), to));
    Ok(there)
}

/// Ends when the last process that can write has ended.
async fn copy(mut from: Receiver, mut lines: Lines, to: mpsc::Sender<Vec<u8>>) {
    loop {
        // A silent child holds no memory for what it might say.
        if from.readable().await.is_err() {
            break;
        }
        let mut piece = Vec::with_capacity(PIECE);
        match from.read_buf(&mut piece).await {
            Ok(0) | Err(_) => break,
            Ok(_) => send(&to, lines.take(&piece)).await,
        }
    }
    send(&to, lines.finish()).await;
}

async fn send(to: &mpsc::Sender<Vec<u8>>, lines: Vec<u8>) {
    if !lines.is_empty() {
        // The writer lives as long as anybody sends.
        let _ = to.send(lines).await;
    }
}
