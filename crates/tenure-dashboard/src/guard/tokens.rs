//! Who may do what: the people of a token file.
//!
//! Tokens are kept as digests and compared in constant time, all of them each time, so that nothing can be learnt from how
//! long a refusal takes.

use std::fmt;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;
use subtle::{Choice, ConstantTimeEq};

use super::person::{Person, Proof, hash};

/// Why a token file can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// It can't be read.
    #[error("the token file {} can't be read", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Others may read it, or write to it.
    #[error("the token file {} is open to others (mode {mode:03o}); run `chmod 600` on it", path.display())]
    Exposed {
        /// Which.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// It is somebody else's.
    #[error("the token file {} belongs to user {owner}; it must belong to whoever runs this, or to root", path.display())]
    Strangers {
        /// Which.
        path: PathBuf,
        /// Whose it is.
        owner: u32,
    },
    /// A line of it is wrong. The line itself is a secret, and is not shown.
    #[error("line {line} of the tokens {problem}; write NAME TOKEN on each line")]
    Line {
        /// Which, counted from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// It has no line.
    #[error("there is no token in the token file; write NAME TOKEN on each line")]
    Empty,
}

/// People, and how they prove who they are.
#[derive(Clone, Default)]
pub struct Tokens(Vec<Person>);

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.iter().map(|person| &person.name)).finish()
    }
}

impl Tokens {
    /// Reads a file that is closed to others: on each line a name and a token of at least 16 characters, or a token alone, and
    /// then a role, clusters and an end, if wanted. Blank lines and those that begin with `#` say nothing.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn read(path: &Path) -> Result<Self, TokenError> {
        let unreadable = |source| TokenError::Unreadable { path: path.to_owned(), source };
        let mut file = std::fs::File::open(path).map_err(unreadable)?;
        // The file that is read is the file that is judged, though its name should be given to another meanwhile.
        let about = file.metadata().map_err(unreadable)?;
        judge(path, about.mode() & 0o777, about.uid(), geteuid().as_raw())?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(unreadable)?;
        Self::parse(&text)
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        let mut tokens = Self::default();
        for (line, said) in (1..).zip(text.lines().map(str::trim)) {
            if !said.is_empty() && !said.starts_with('#') {
                tokens.0.push(Person::parse(said).map_err(|problem| TokenError::Line { line, problem })?);
            }
        }
        if tokens.0.is_empty() { Err(TokenError::Empty) } else { Ok(tokens) }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Everybody whose token this is: one, unless a token stands twice.
    pub(super) fn by_token(&self, said: &str) -> Vec<&Person> {
        let said = hash(said);
        let is_theirs = |person: &&Person| match &person.proof {
            Proof::Token(digest) => {
                let same: Choice = digest.ct_eq(&said);
                bool::from(same)
            }
            Proof::Certificate | Proof::Proxy => false,
        };
        self.0.iter().filter(is_theirs).collect()
    }

    /// Everybody of this name who proves it so.
    pub(super) fn by_name(&self, name: &str, proof: &Proof) -> Vec<&Person> {
        self.0.iter().filter(|person| person.name.as_str() == name && person.proof == *proof).collect()
    }
}

/// Secrets are for their owner alone. A file of root's that was given to our group is how Kubernetes hands out secrets.
fn judge(path: &Path, mode: u32, owner: u32, us: u32) -> Result<(), TokenError> {
    let given = owner == 0 && us != 0 && mode & 0o027 == 0;
    match mode & 0o077 == 0 || given {
        false => Err(TokenError::Exposed { path: path.to_owned(), mode }),
        true if owner != us && owner != 0 => Err(TokenError::Strangers { path: path.to_owned(), owner }),
        true => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "# ours\n\neve 0123456789abcdef\nbob\tfedcba9876543210\nlonely-token-0000000\nzoe @certificate\n";

    fn whose(said: &str) -> Vec<String> {
        let tokens = Tokens::parse(FILE).unwrap();
        tokens.by_token(said).iter().map(|person| person.name.to_string()).collect()
    }

    #[test]
    fn each_token_has_a_name_and_nothing_else_is_one() {
        assert_eq!(whose("0123456789abcdef"), ["eve"]);
        assert_eq!(whose("fedcba9876543210"), ["bob"]);
        assert_eq!(whose("lonely-token-0000000"), ["operator"]);
        for said in ["", "eve", "0123456789abcde", "0123456789abcdef0", "@certificate"] {
            assert_eq!(whose(said), Vec::<String>::new(), "{said}");
        }
    }

    #[test]
    fn a_name_counts_only_with_the_proof_that_its_line_asks_for() {
        let tokens = Tokens::parse(FILE).unwrap();
        assert_eq!(tokens.by_name("zoe", &Proof::Certificate).len(), 1);
        assert!(
            tokens.by_name("zoe", &Proof::Proxy).is_empty()
                && tokens.by_name("eve", &Proof::Proxy).is_empty()
        );
    }

    #[test]
    fn a_file_that_is_wrong_is_refused_without_telling_its_secrets() {
        for text in ["", "# none\n", "eve short\n", "eve 0123456789abcdef more\n"] {
            let error = Tokens::parse(text).unwrap_err().to_string();
            assert!(!error.contains("0123456789abcdef") && !error.contains("short"), "{error}");
        }
        assert!(!format!("{:?}", Tokens::parse(FILE).unwrap()).contains("0123"));
    }

    #[test]
    fn a_file_is_for_its_owner_or_given_by_root_to_our_group() {
        let judged = |mode, owner, us| judge(Path::new("t"), mode, owner, us).is_ok();
        assert!(judged(0o600, 7, 7) && judged(0o400, 0, 7) && judged(0o440, 0, 7));
        assert!(!judged(0o640, 7, 7) && !judged(0o604, 7, 7) && !judged(0o600, 8, 7));
        assert!(!judged(0o444, 0, 7) && !judged(0o460, 0, 7) && !judged(0o440, 0, 0));
    }
}
