//! Packets between a member and its warden: a message, and the descriptors that belong to it.
//!
//! The socket keeps packets whole and in order, and ends when its peer ends, however that happens.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, Shutdown, SocketFlags, SocketType, recvmsg, sendmsg, shutdown,
    socketpair,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// No message is longer.
const LONGEST: usize = 16 * 1024;

/// No message carries more descriptors: a child's output and its errors; or a wire, a slate and a lock.
const DESCRIPTORS: usize = 3;

/// One end of the socket.
#[derive(Debug)]
pub(super) struct Wire(OwnedFd);

/// A message and what came with it.
#[derive(Debug)]
pub(super) struct Packet<M> {
    pub(super) message: M,
    pub(super) descriptors: Vec<OwnedFd>,
}

impl Wire {
    /// Two ends of a new socket; neither is inherited by chance.
    pub(super) fn pair() -> io::Result<(Self, Self)> {
        let (here, there) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        Ok((Self(here), Self(there)))
    }

    /// The end that a process was given as its standard input.
    pub(super) fn given(end: OwnedFd) -> Self {
        Self(end)
    }

    /// The end, to give to a process.
    pub(super) fn into_end(self) -> OwnedFd {
        self.0
    }

    /// Sends a packet; waits while the peer doesn't read.
    pub(super) fn send(&self, message: &impl Serialize, descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
        self.send_with(message, descriptors, SendFlags::NOSIGNAL)
    }

    /// Sends a packet, if the peer reads.
    ///
    /// # Errors
    /// `WouldBlock` if it doesn't at present.
    pub(super) fn try_send(&self, message: &impl Serialize) -> io::Result<()> {
        self.send_with(message, &[], SendFlags::NOSIGNAL | SendFlags::DONTWAIT)
    }

    /// Says that nothing more will be sent; what the peer says can still be received.
    pub(super) fn finish(&self) {
        // If the peer is gone already, it needs no word.
        let _ = shutdown(&self.0, Shutdown::Write);
    }

    fn send_with(
        &self,
        message: &impl Serialize,
        descriptors: &[BorrowedFd<'_>],
        flags: SendFlags,
    ) -> io::Result<()> {
        let bytes = serde_json::to_vec(message)?;
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "too many descriptors for one packet"));
        }
        let sent = || sendmsg(&self.0, &[IoSlice::new(&bytes)], &mut control, flags);
        rustix::io::retry_on_intr(sent)?;
        Ok(())
    }

    /// Receives a packet; waits for one. `None` once the peer is gone.
    pub(super) fn receive<M: DeserializeOwned>(&self) -> io::Result<Option<Packet<M>>> {
        self.receive_with(RecvFlags::CMSG_CLOEXEC)
    }

    /// Receives a packet, if there is one. `None` once the peer is gone.
    ///
    /// # Errors
    /// `WouldBlock` if there is none at present.
    pub(super) fn try_receive<M: DeserializeOwned>(&self) -> io::Result<Option<Packet<M>>> {
        self.receive_with(RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT)
    }

    /// Whether the peer is gone.
    pub(super) fn is_cut(&self) -> io::Result<bool> {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let mut fds = [PollFd::new(self, PollFlags::empty())];
        rustix::io::retry_on_intr(|| poll(&mut fds, Some(&now)))?;
        Ok(!fds[0].revents().is_empty())
    }

    /// Sends bytes that may be no message.
    #[cfg(test)]
    pub(super) fn send_bytes(&self, bytes: &[u8]) -> io::Result<()> {
        rustix::io::write(&self.0, bytes).map(drop).map_err(Into::into)
    }

    fn receive_with<M: DeserializeOwned>(&self, flags: RecvFlags) -> io::Result<Option<Packet<M>>> {
        let mut bytes = vec![0; LONGEST];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let got = rustix::io::retry_on_intr(|| {
            recvmsg(&self.0, &mut [IoSliceMut::new(&mut bytes)], &mut control, flags)
        });
        let got = match got {
            Ok(got) => got,
            // The peer died with packets of ours unread.
            Err(rustix::io::Errno::CONNRESET) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let descriptors = rights(&mut control);
        if got.bytes == 0 {
            return Ok(None);
        }
        if got.flags.contains(ReturnFlags::TRUNC) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a packet is too long"));
        }
        let message = serde_json::from_slice(&bytes[..got.bytes])?;
        Ok(Some(Packet { message, descriptors }))
    }
}

impl AsFd for Wire {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn rights(control: &mut RecvAncillaryBuffer<'_>) -> Vec<OwnedFd> {
    let mut all = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            all.extend(descriptors);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;
    use tenure_core::warden::{JobId, Order};

    #[test]
    fn packets_stay_whole_and_in_order() {
        let (here, there) = Wire::pair().unwrap();
        for job in 0..3 {
            here.send(&Order::Kill(JobId(job)), &[]).unwrap();
        }
        for job in 0..3 {
            let packet = there.receive::<Order>().unwrap().unwrap();
            assert_eq!(packet.message, Order::Kill(JobId(job)));
        }
    }

    #[test]
    fn descriptors_come_with_their_message() {
        let (here, there) = Wire::pair().unwrap();
        let (mut reader, writer) = io::pipe().unwrap();
        here.send(&Order::Hello, &[writer.as_fd()]).unwrap();
        drop(writer);
        let packet = there.receive::<Order>().unwrap().unwrap();
        let mut copy = std::fs::File::from(packet.descriptors.into_iter().next().unwrap());
        copy.write_all(b"hello").unwrap();
        drop(copy);
        let mut told = String::new();
        reader.read_to_string(&mut told).unwrap();
        assert_eq!(told, "hello");
    }

    #[test]
    fn the_end_of_a_peer_is_the_end() {
        let (here, there) = Wire::pair().unwrap();
        here.send(&Order::Hello, &[]).unwrap();
        assert!(!there.is_cut().unwrap());
        drop(here);
        assert!(there.is_cut().unwrap());
        assert!(there.receive::<Order>().unwrap().is_some(), "what was sent before still comes");
        assert!(there.receive::<Order>().unwrap().is_none());
        assert!(there.send(&Order::Hello, &[]).is_err());
    }
}
