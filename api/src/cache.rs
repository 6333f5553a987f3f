//! Recent answers, ready to be sent, within a limit of bytes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::header::HeaderValue;
use actix_web::web::Bytes;
use marquis_engine::Posed;
use moka::Expiry;
use moka::sync::Cache;

/// How long something is kept of which more may be known the next time.
const FLEETING: Duration = Duration::from_secs(600);
/// About what an entry takes besides its texts.
const OVERHEAD: usize = 200;

/// An answer as it is sent.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) body: Bytes,
    /// The entity tag, quoted.
    pub(crate) tag: HeaderValue,
    /// Whether it cannot change: the rules or a table said it.
    pub(crate) lasts: bool,
}

/// Answers by the text of the request, and those of searches also by the canonical question.
pub(crate) struct Answers {
    kept: Cache<Box<str>, Arc<Ready>, foldhash::fast::RandomState>,
}

struct Lifetime;

impl Expiry<Box<str>, Arc<Ready>> for Lifetime {
    fn expire_after_create(&self, _key: &Box<str>, ready: &Arc<Ready>, _now: Instant) -> Option<Duration> {
        (!ready.lasts).then_some(FLEETING)
    }
}

impl Answers {
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

    pub(crate) fn keep(&self, key: &str, ready: Arc<Ready>) {
        self.kept.insert(key.into(), ready);
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

/// The key of a canonical question; no request has it, for they begin with a slash.
pub(crate) fn key_of(posed: &Posed, line: bool) -> String {
    let (game, position, throw) = (posed.game(), posed.text(), posed.throw());
    format!("{game} {position} {:?} {throw:?} {line}", posed.immobile())
}
