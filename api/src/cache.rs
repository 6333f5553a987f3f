//! Recent answers, ready to be sent, within a limit of bytes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::header::HeaderValue;
use actix_web::web::Bytes;
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

/// Answers by the text of the request, and those of searches also by the canonical question.
pub(crate) struct ReadyAnswers {
    kept: Cache<Box<str>, Arc<Ready>, foldhash::fast::RandomState>,
}

struct Lifetime;

impl Expiry<Box<str>, Arc<Ready>> for Lifetime {
    fn expire_after_create(&self, _key: &Box<str>, ready: &Arc<Ready>, _now: Instant) -> Option<Duration> {
        (ready.lasting != Lasting::ForGood).then_some(FLEETING)
    }
}

impl ReadyAnswers {
    /// * `bytes`: the limit for all entries together.
    pub(crate) fn new(bytes: u64) -> Self {
        // Moka requires the reference to the box.
        #[expect(clippy::borrowed_box)]
        let weigh = |key: &Box<str>, ready: &Arc<Ready>| {
            u32::try_from(key.len() + ready.body.len() + OVERHEAD).unwrap_or(u32::MAX)
        };
        let kept = Cache::builder().max_capacity(bytes).weigher(weigh).expire_after(Lifetime);
        Self { kept: kept.build_with_hasher(foldhash::fast::RandomState::default()) }
    }

    pub(crate) fn get(&self, key: &str) -> Option<Arc<Ready>> {
        self.kept.get(key)
    }

    /// Keeps an answer if anything is known in it.
    pub(crate) fn keep(&self, key: &str, ready: &Arc<Ready>) {
        if ready.lasting != Lasting::Not {
            self.kept.insert(key.into(), Arc::clone(ready));
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
