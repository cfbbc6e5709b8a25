//! Who may act: tokens with names, from a file.
//!
//! Tokens are kept as digests and compared in constant time, all of them each time, so that nothing can be learnt from how
//! long a refusal takes.

use std::fmt;
use std::path::{Path, PathBuf};

use axum::http::{HeaderMap, header};
use ring::digest::{SHA256, digest};
use subtle::{Choice, ConstantTimeEq};
use tenure::MemberId;

use crate::view::{Problem, ProblemKind};

/// The fewest characters of a token.
const LENGTH_MIN: usize = 16;

/// Who has a token that says nothing of its owner.
const NAMELESS: &str = "operator";

/// Why a token file can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// It can't be read.
    #[error("the token file {} can't be read", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
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

/// Whoever acts: the name of a token. A name that can be written into the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Who(pub(crate) MemberId);

#[derive(Clone)]
struct Token {
    name: MemberId,
    digest: [u8; 32],
}

/// Tokens with names.
#[derive(Clone, Default)]
pub struct Tokens(Vec<Token>);

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.iter().map(|token| &token.name)).finish()
    }
}

impl Tokens {
    /// Reads a file: on each line a name and a token of at least 16 characters, or a token alone. Blank lines and those that
    /// begin with `#` say nothing.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn read(path: &Path) -> Result<Self, TokenError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| TokenError::Unreadable { path: path.to_owned(), source })?;
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
                tokens.0.push(token(line, said)?);
            }
        }
        if tokens.0.is_empty() { Err(TokenError::Empty) } else { Ok(tokens) }
    }

    /// Whether anybody may act.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whose token this is.
    fn whose(&self, said: &str) -> Option<Who> {
        let said = hash(said);
        let mut found = None;
        for token in &self.0 {
            let same: Choice = token.digest.ct_eq(&said);
            if bool::from(same) {
                found = Some(Who(token.name.clone()));
            }
        }
        found
    }

    /// Who asks, if that may act.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<Who, Problem> {
        if self.is_empty() {
            let message = "nobody may act here; start the dashboard with --token-file to change that";
            return Err(Problem::new(ProblemKind::Forbidden, message));
        }
        let said = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = said
            .and_then(|said| said.split_once(' '))
            .filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"));
        let who = bearer.and_then(|(_, token)| self.whose(token.trim()));
        who.ok_or_else(|| {
            tracing::warn!(said = said.is_some(), "somebody wanted to act without a token that is known");
            Problem::new(ProblemKind::Unauthorised, "acting needs a token that is in the token file")
        })
    }
}

fn token(line: usize, said: &str) -> Result<Token, TokenError> {
    let wrong = |problem: String| TokenError::Line { line, problem };
    let (name, secret) = said.split_once(char::is_whitespace).unwrap_or((NAMELESS, said));
    let secret = secret.trim();
    if secret.len() < LENGTH_MIN || secret.contains(char::is_whitespace) {
        return Err(wrong(format!("has no token of at least {LENGTH_MIN} characters without spaces")));
    }
    let name =
        name.parse().map_err(|_| wrong("has a name with other characters than a-z A-Z 0-9 . _ -".into()))?;
    Ok(Token { name, digest: hash(secret) })
}

fn hash(secret: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest(&SHA256, secret.as_bytes()).as_ref());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# ours\n\neve 0123456789abcdef\nbob\tfedcba9876543210\nlonely-token-0000000\n";

    fn check(said: Option<&str>) -> Result<String, ProblemKind> {
        let mut headers = HeaderMap::new();
        said.into_iter().for_each(|said| drop(headers.insert(header::AUTHORIZATION, said.parse().unwrap())));
        let tokens = Tokens::parse(FILE).unwrap();
        tokens.check(&headers).map(|who| who.0.to_string()).map_err(|problem| problem.kind)
    }

    #[test]
    fn each_token_has_a_name() {
        assert_eq!(check(Some("Bearer 0123456789abcdef")), Ok("eve".into()));
        assert_eq!(check(Some("bearer fedcba9876543210")), Ok("bob".into()));
        assert_eq!(check(Some("Bearer lonely-token-0000000")), Ok("operator".into()));
    }

    #[test]
    fn nothing_else_is_a_token() {
        for said in [
            None,
            Some("Bearer"),
            Some("Bearer "),
            Some("Bearer eve"),
            Some("Bearer 0123456789abcde"),
            Some("Bearer 0123456789abcdef0"),
            Some("Basic 0123456789abcdef"),
            Some("0123456789abcdef"),
        ] {
            assert_eq!(check(said), Err(ProblemKind::Unauthorised), "{said:?}");
        }
    }

    #[test]
    fn without_tokens_nobody_may_act_whatever_they_say() {
        let problem = Tokens::default().check(&HeaderMap::new()).unwrap_err();
        assert_eq!(problem.kind, ProblemKind::Forbidden);
    }

    #[test]
    fn a_file_that_is_wrong_is_refused_without_telling_its_secrets() {
        for text in ["", "# none\n", "eve short\n", "<eve> 0123456789abcdef\n", "eve 0123456789abcdef more\n"]
        {
            let error = Tokens::parse(text).unwrap_err().to_string();
            assert!(!error.contains("0123456789abcdef") && !error.contains("short"), "{error}");
        }
        assert!(!format!("{:?}", Tokens::parse(FILE).unwrap()).contains("0123"));
    }
}
