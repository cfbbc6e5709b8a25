//! The user that a server runs as. PostgreSQL refuses to run as root, so root runs it as `postgres`.

use std::fs;

use crate::error::{Doing, Error};

/// A user of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct User {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl User {
    /// The user `name`.
    pub(crate) fn named(name: &str) -> Result<Self, Error> {
        let users = fs::read_to_string("/etc/passwd").doing(|| "read /etc/passwd".into())?;
        find(&users, name).ok_or_else(|| Error::Refused(format!("this machine has no user {name:?}")))
    }

    /// Whether we may become any user.
    pub(crate) fn are_we_root() -> bool {
        rustix::process::geteuid().is_root()
    }
}

fn find(users: &str, name: &str) -> Option<User> {
    let fields = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let fields = fields.into_iter().find(|fields| fields.first() == Some(&name))?;
    Some(User { uid: fields.get(2)?.parse().ok()?, gid: fields.get(3)?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::{User, find};

    #[test]
    fn a_user_is_found_by_the_whole_name() {
        let users = "post:x:7:8::/:/bin/sh\npostgres:x:101:104:PostgreSQL:/var:/bin/bash\n";
        assert_eq!(find(users, "postgres"), Some(User { uid: 101, gid: 104 }));
        assert_eq!(find(users, "gres"), None);
    }
}
