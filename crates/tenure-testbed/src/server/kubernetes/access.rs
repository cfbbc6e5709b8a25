//! Who may talk to the API server, and the files by which clients do.

use std::fs;
use std::path::{Path, PathBuf};

use crate::certificate::Certificates;
use crate::error::{Doing, Error};

/// The tokens that the API server knows: token, user, number, group.
const TOKENS: &str = "admin-token,admin,1,system:masters\nalice-token,alice,2\n";

/// A user that the API server knows.
#[derive(Clone, Copy, Debug)]
pub(super) enum User {
    Admin,
    Alice,
}

impl User {
    const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Alice => "alice",
        }
    }
}

/// Writes the list of tokens into `folder`.
pub(super) fn write_tokens(folder: &Path) -> Result<PathBuf, Error> {
    write(folder.join("tokens.csv"), TOKENS)
}

/// Writes the kubeconfigs of all users into `folder`.
pub(super) fn write_kubeconfigs(folder: &Path, made: &Certificates, address: &str) -> Result<(), Error> {
    for user in [User::Admin, User::Alice] {
        write(kubeconfig(folder, user), &text(user, &made.authority, address))?;
    }
    Ok(())
}

/// Where the kubeconfig of `user` is.
pub(super) fn kubeconfig(folder: &Path, user: User) -> PathBuf {
    folder.join(format!("{}.kubeconfig", user.name()))
}

fn text(user: User, authority: &Path, address: &str) -> String {
    let (name, authority) = (user.name(), authority.display());
    format!(
        "apiVersion: v1
kind: Config
clusters:
- name: bed
  cluster: {{server: \"https://{address}\", certificate-authority: \"{authority}\"}}
users:
- name: {name}
  user: {{token: {name}-token}}
contexts:
- name: bed
  context: {{cluster: bed, user: {name}}}
current-context: bed
"
    )
}

fn write(path: PathBuf, text: &str) -> Result<PathBuf, Error> {
    fs::write(&path, text).doing(|| format!("write {}", path.display()))?;
    Ok(path)
}
