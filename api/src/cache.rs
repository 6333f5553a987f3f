//! Recent answers, ready to be sent, within a limit of bytes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::header::HeaderValue;
use actix_web::web::Bytes;
use equivalent::Equivalent;
use moka::Expiry;
use moka::sync::Cache;

/// The lifetime of an answer that a later search may improve.
const FLEETING: Duration = Duration::from_secs(600);
/// The approximate size of an entry besides its texts.
const OVERHEAD: usize = 200;

/// How long an answer stays valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lasting {
    /// The rules or a table gave it.
    ForGood,
    /// A search gave it: a later one may find more.
    ForAWhile,
    /// Nothing is proved, but a later search may prove it: no other cache keeps it.
    Open,
    /// Nothing is known yet.
    Not,
}

/// An answer ready to be sent.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) body: Bytes,
    /// The entity tag, quoted.
    pub(crate) tag: HeaderValue,
    pub(crate) lasting: Lasting,
    /// The longest budget that it answers, if a longer one may find more.
    pub(crate) enough_for: Option<Duration>,
}

impl Ready {
    /// Whether a search with this budget would find no more.
    pub(crate) fn serves(&self, budget: Duration) -> bool {
        self.enough_for.is_none_or(|most| budget <= most)
    }
}

/// What an answer is kept under; `&str` looks up, `Box<str>` is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CacheKey<T> {
    /// The path and query of a request, as the client wrote them.
    Request(T),
    /// The canonical question to a search.
    Question(T),
}

impl Equivalent<CacheKey<Box<str>>> for CacheKey<&str> {
    fn equivalent(&self, kept: &CacheKey<Box<str>>) -> bool {
        match (self, kept) {
            (Self::Request(own), CacheKey::Request(other))
            | (Self::Question(own), CacheKey::Question(other)) => **own == **other,
            _ => false,
        }
    }
}

impl CacheKey<&str> {
    fn boxed(self) -> CacheKey<Box<str>> {
        match self {
            Self::Request(text) => CacheKey::Request(text.into()),
            Self::Question(text) => CacheKey::Question(text.into()),
        }
    }
}

impl CacheKey<Box<str>> {
    const fn len(&self) -> usize {
        let (Self::Request(text) | Self::Question(text)) = self;
        text.len()
    }
}

/// Answers by the text of the request, and those of searches also by the canonical question.
pub(crate) struct ReadyAnswers {
    kept: Cache<CacheKey<Box<str>>, Arc<Ready>, foldhash::fast::RandomState>,
}

struct Lifetime;

impl Expiry<CacheKey<Box<str>>, Arc<Ready>> for Lifetime {
    fn expire_after_create(
        &self,
        _key: &CacheKey<Box<str>>,
        ready: &Arc<Ready>,
        _now: Instant,
    ) -> Option<Duration> {
        (ready.lasting != Lasting::ForGood).then_some(FLEETING)
    }
}

impl ReadyAnswers {
    /// * `bytes`: the limit for all entries together.
    pub(crate) fn new(bytes: u64) -> Self {
        let weigh = |key: &CacheKey<Box<str>>, ready: &Arc<Ready>| {
            u32::try_from(key.len() + ready.body.len() + OVERHEAD).unwrap_or(u32::MAX)
        };
        let kept = Cache::builder().max_capacity(bytes).weigher(weigh).expire_after(Lifetime);
        Self { kept: kept.build_with_hasher(foldhash::fast::RandomState::default()) }
    }

    pub(crate) fn get(&self, key: CacheKey<&str>) -> Option<Arc<Ready>> {
        self.kept.get(&key)
    }

    /// Keeps an answer if anything is known in it.
    pub(crate) fn keep(&self, key: CacheKey<&str>, ready: &Arc<Ready>) {
        if ready.lasting != Lasting::Not {
            self.kept.insert(key.boxed(), Arc::clone(ready));
        }
    }

    /// Clears the cache, because tables were added or removed.
    pub(crate) fn clear(&self) {
        self.kept.invalidate_all();
    }

    /// The number of entries, and their approximate bytes.
    pub(crate) fn size(&self) -> (u64, u64) {
        (self.kept.entry_count(), self.kept.weighted_size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_and_a_question_with_one_text_are_two_entries() {
        let answers = ReadyAnswers::new(1 << 20);
        let ready = |body: &'static str| {
            let (body, tag) = (Bytes::from_static(body.as_bytes()), HeaderValue::from_static("\"1\""));
            Arc::new(Ready { body, tag, lasting: Lasting::ForGood, enough_for: None })
        };
        let found = |key| answers.get(key).map(|ready| ready.body.clone());
        answers.keep(CacheKey::Request("text"), &ready("request"));
        assert_eq!(found(CacheKey::Question("text")), None);
        answers.keep(CacheKey::Question("text"), &ready("question"));
        assert_eq!(found(CacheKey::Request("text")), Some(Bytes::from_static(b"request")));
        assert_eq!(found(CacheKey::Question("text")), Some(Bytes::from_static(b"question")));
        assert_eq!(found(CacheKey::Question("other")), None);
    }
}
