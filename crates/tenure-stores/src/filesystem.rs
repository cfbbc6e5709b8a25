//! Which file systems may hold what several processes share.
//!
//! SQLite shares its log through memory, and all rely on locks: both work between the processes of one machine on a local disk and
//! nowhere else. On a network file system it seems to work, until two machines corrupt each other's writes.

use std::io;
use std::path::Path;

/// File systems whose files other machines may write, by their number in `statfs`.
const REMOTE: [(u32, &str); 17] = [
    (0x6969, "NFS"),
    (0x517B, "SMB"),
    (0xFE53_4D42, "SMB"),
    (0xFF53_4D42, "CIFS"),
    (0x0102_1997, "9p"),
    (0x6573_5546, "FUSE"),
    (0x00C3_6400, "Ceph"),
    (0x5346_414F, "AFS"),
    (0x6B41_4653, "AFS"),
    (0x7375_7245, "Coda"),
    (0x564C, "NCP"),
    (0x0BD0_0BD0, "Lustre"),
    (0x4750_4653, "GPFS"),
    (0x7461_636F, "OCFS2"),
    (0x0116_1970, "GFS2"),
    (0x1983_0326, "BeeGFS"),
    (0x786F_4256, "VirtualBox shared folder"),
];

/// The name of the file system that `directory` is on, if nothing must be shared there.
pub(crate) fn remote_kind(directory: &Path) -> io::Result<Option<&'static str>> {
    let status = rustix::fs::statfs(directory)?;
    // The number is a 32-bit one on every platform, in words of various sizes and signs.
    Ok(name_of(status.f_type as u32))
}

fn name_of(magic: u32) -> Option<&'static str> {
    REMOTE.iter().find(|(number, _)| *number == magic).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_that_other_machines_write_to_are_known_by_name() {
        assert_eq!(name_of(0x6969), Some("NFS"));
        assert_eq!(name_of(0xFF53_4D42), Some("CIFS"));
        assert_eq!(name_of(0x6573_5546), Some("FUSE"));
    }

    #[test]
    fn local_file_systems_are_welcome() {
        for (magic, name) in [(0xEF53, "ext4"), (0x0102_1994, "tmpfs"), (0x9123_683E, "btrfs")] {
            assert_eq!(name_of(magic), None, "{name}");
        }
        assert_eq!(name_of(0x794C_7630), None, "overlayfs");
        assert_eq!(name_of(0x5846_5342), None, "xfs");
    }

    #[test]
    fn the_temporary_directory_of_this_machine_is_local() {
        assert_eq!(remote_kind(&std::env::temp_dir()).unwrap(), None);
    }
}
