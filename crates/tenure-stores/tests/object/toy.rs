//! A bucket of few words, for scripts: it stores, and heeds conditions or not.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::scripted::{Answer, Asked};

const EMPTY: &str = "<ListBucketResult></ListBucketResult>";

/// By name: how often each was written, and what it holds.
type Objects = BTreeMap<String, (u64, Vec<u8>)>;

/// What a bucket holds. Clones are handles on the same one.
#[derive(Clone, Debug)]
pub(crate) struct Toy {
    objects: Arc<Mutex<Objects>>,
    heeds_absence: bool,
    heeds_versions: bool,
}

impl Toy {
    /// A bucket that heeds every condition.
    pub(crate) fn sound() -> Self {
        Self { objects: Arc::default(), heeds_absence: true, heeds_versions: true }
    }

    /// A bucket that ignores `If-None-Match`.
    pub(crate) fn that_overwrites_on_create() -> Self {
        Self { heeds_absence: false, ..Self::sound() }
    }

    /// A bucket that ignores `If-Match`.
    pub(crate) fn that_ignores_versions() -> Self {
        Self { heeds_versions: false, ..Self::sound() }
    }

    /// Carries out what was asked, and answers as S3 would.
    pub(crate) fn answer(&self, asked: &Asked) -> Answer {
        match asked.method.as_str() {
            "GET" if asked.lists() => Answer::say(200, EMPTY),
            "GET" => self.get(asked),
            "PUT" => self.put(asked),
            "DELETE" => {
                self.objects.lock().unwrap().remove(&asked.target);
                Answer::say(204, "")
            }
            other => panic!("what is {other}?"),
        }
    }

    fn get(&self, asked: &Asked) -> Answer {
        let objects = self.objects.lock().unwrap();
        let Some((version, body)) = objects.get(&asked.target) else {
            return Answer::say(404, "<Error><Code>NoSuchKey</Code></Error>");
        };
        let found = Answer::say(200, body).with("ETag", &tag(*version));
        found.with("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    fn put(&self, asked: &Asked) -> Answer {
        let mut objects = self.objects.lock().unwrap();
        let present = objects.get(&asked.target).map(|(version, _)| *version);
        let absence = asked.header("if-none-match").is_none() || present.is_none();
        let version =
            asked.header("if-match").is_none_or(|expected| present.is_some_and(|it| tag(it) == expected));
        if self.heeds_absence && !absence || self.heeds_versions && !version {
            return Answer::say(412, "<Error><Code>PreconditionFailed</Code></Error>");
        }
        let next = present.unwrap_or_default() + 1;
        objects.insert(asked.target.clone(), (next, asked.body.clone()));
        Answer::say(200, "").with("ETag", &tag(next))
    }
}

fn tag(version: u64) -> String {
    format!("\"{version:032x}\"")
}
