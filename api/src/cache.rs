//! Recent answers, ready to be sent, within a limit of bytes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::header::HeaderValue;
use actix_web::web::Bytes;
use moka::Expiry;
use moka::sync::Cache;

/// How long something is kept of which more may be known the next time.
const FLEETING: Duration = Duration::from_secs(600);
/// About what an entry takes besides its texts.
const OVERHEAD: usize = 200;

/// How long an answer is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lasting {
    /// The rules or a table said it.
    ForGood,
    /// A search said it: more may be known the next time.
    ForAWhile,
    /// Nothing is proved, and more may be the next time: nobody else keeps it.
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
    /// The longest budget that it is the answer to, where a longer one may find more.
    pub(crate) enough_for: Option<Duration>,
}

impl Ready {
    /// Whether no more is to be found within a budget.
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
    /// * `bytes`: what all entries together may take.
    pub(crate) fn new(bytes: u64) -> Self {
        // Moka prescribes the reference to the box.
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

    /// Keeps an answer in which something is known.
    pub(crate) fn keep(&self, key: &str, ready: &Arc<Ready>) {
        if ready.lasting != Lasting::Not {
            self.kept.insert(key.into(), Arc::clone(ready));
        }
    }

    /// Forgets everything: tables have come or gone.
    pub(crate) fn clear(&self) {
        self.kept.invalidate_all();
    }

    /// How many entries there are, and about their bytes.
    pub(crate) fn size(&self) -> (u64, u64) {
        (self.kept.entry_count(), self.kept.weighted_size())
    }
}
