//! The promises of the protocol, one file each. A watch is called whenever something happened that could break its
//! promise; between such moments leases only run out and guards only close, so nothing is missed.

pub(crate) mod i1;
pub(crate) mod i2;
pub(crate) mod i3;
pub(crate) mod i4;
pub(crate) mod i5;
pub(crate) mod i6;
pub(crate) mod i7;
