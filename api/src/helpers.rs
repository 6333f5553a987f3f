//! The helpers of studies: clients that take jobs over HTTP and deliver results.
//!
//! The service only passes files on. The process that keeps a study replays every result, and marks a helper whose
//! result does not hold; the client of such a helper is refused for some time.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use marquis_engine::study::{HelperSeat, NoResult, NoSeat, helpers_of};
use marquis_wire::study::{HelperTurn, StudyHead, StudyHelpers};
use moka::sync::Cache;

use crate::clients::Client;
use crate::config::Config;
use crate::identity::random_word;
use crate::problem::Problem;

/// A helper without a call for this long has left.
const SILENCE: Duration = Duration::from_secs(60);
/// Clients that are remembered as refused; beyond them the oldest are forgotten.
const MOST_REFUSED: u64 = 10_000;

/// All helpers.
pub(crate) struct Helpers {
    joined: Mutex<HashMap<String, Arc<Helper>>>,
    refused: Cache<Client, ()>,
    most: usize,
    most_of_client: usize,
    refusal_seconds: u64,
}

/// A helper that has joined a study.
struct Helper {
    study: String,
    client: Client,
    seat: Mutex<HelperSeat>,
    called: Mutex<Instant>,
    /// Whether it left before its last result was judged.
    has_left: AtomicBool,
}

/// The client and the address of a call.
pub(crate) struct HelperCall {
    pub(crate) client: Client,
    pub(crate) study: String,
    pub(crate) id: String,
}

impl Helpers {
    pub(crate) fn new(config: &Config) -> Self {
        let lasting = Duration::from_secs(config.helper_refusal_seconds);
        Self {
            joined: Mutex::default(),
            refused: Cache::builder().max_capacity(MOST_REFUSED).time_to_live(lasting).build(),
            most: config.helpers,
            most_of_client: config.client_helpers,
            refusal_seconds: config.helper_refusal_seconds,
        }
    }

    /// # Errors
    /// 403 if the operator allows no helpers.
    pub(crate) fn allowed(&self) -> Result<(), Problem> {
        if self.most == 0 { Err(Problem::no_helpers()) } else { Ok(()) }
    }

    /// Whether the study in a folder takes helpers. Reads files.
    pub(crate) fn of_study(&self, folder: &Path) -> StudyHelpers {
        if self.most == 0 { StudyHelpers::Forbidden } else { helpers_of(folder) }
    }

    /// Lets a client join a study; returns the id of the helper. Reads and writes files.
    ///
    /// # Errors
    /// 403 if results of the client were refused; 409 if the study takes no helpers or is not the expected one; 429
    /// if there are too many helpers.
    pub(crate) fn join(
        &self,
        client: Client,
        (study, folder): (String, &Path),
        about: &StudyHead,
    ) -> Result<String, Problem> {
        self.sweep();
        self.trusted(client)?;
        let mut joined = self.joined();
        if joined.len() >= self.most {
            return Err(Problem::too_many_helpers(self.most));
        }
        if joined.values().filter(|helper| helper.client == client).count() >= self.most_of_client {
            return Err(Problem::too_much_under_way(self.most_of_client));
        }
        let id = random_word();
        let seat = HelperSeat::join(folder, id.clone(), about).map_err(|why| match why {
            NoSeat::Unattended => Problem::study_closed("no process works on it"),
            NoSeat::Answered => Problem::study_closed("it is answered"),
            NoSeat::Other(kept) => Problem::other_study(&kept, about),
        })?;
        let (seat, called) = (Mutex::new(seat), Mutex::new(Instant::now()));
        let helper = Helper { study, client, seat, called, has_left: AtomicBool::new(false) };
        joined.insert(id.clone(), Arc::new(helper));
        Ok(id)
    }

    /// The current job of a helper. Reads and writes files.
    ///
    /// # Errors
    /// 403 if results of the client were refused; 404 without such a helper.
    pub(crate) fn turn(&self, call: &HelperCall) -> Result<HelperTurn, Problem> {
        let helper = self.find(call)?;
        let mut seat = helper.seat();
        if seat.is_refused() {
            self.refuse(call);
            return Err(self.refusal());
        }
        Ok(seat.turn())
    }

    /// Passes on a result. Reads and writes files.
    ///
    /// # Errors
    /// As [`turn`](Self::turn); 400 if it is not a result, after which the client is refused; 409 if it is not the
    /// result of the current job.
    pub(crate) fn deliver(&self, call: &HelperCall, result: &[u8]) -> Result<(), Problem> {
        let helper = self.find(call)?;
        let mut seat = helper.seat();
        seat.deliver(result).map_err(|why| match why {
            NoResult::Malformed => {
                seat.leave();
                self.refuse(call);
                Problem::bad_input("body", "the result of a job", &format!("{} other bytes", result.len()))
            }
            NoResult::NotCurrent => Problem::not_current(),
            NoResult::Failed(error) => Problem::from(error),
        })
    }

    /// Lets a helper leave; its job goes to others, and a result that waits is still judged. Reads and writes files.
    ///
    /// # Errors
    /// As [`turn`](Self::turn).
    pub(crate) fn leave(&self, call: &HelperCall) -> Result<(), Problem> {
        let helper = self.find(call)?;
        helper.seat().leave();
        helper.has_left.store(true, Relaxed);
        self.sweep();
        Ok(())
    }

    /// Lets silent helpers leave, and refuses the clients of those whose results were refused. Reads and writes
    /// files.
    pub(crate) fn sweep(&self) {
        let all: Vec<_> = self.joined().iter().map(|(id, helper)| (id.clone(), Arc::clone(helper))).collect();
        for (id, helper) in all {
            let (seat, is_silent) = (helper.seat(), helper.called().elapsed() >= SILENCE);
            if seat.is_refused() {
                self.refused.insert(helper.client, ());
                self.joined().remove(&id);
            } else if is_silent || helper.has_left.load(Relaxed) {
                if !helper.has_left.swap(true, Relaxed) {
                    seat.leave();
                }
                // A result that nobody judges must not hold its place for ever.
                if is_silent || !seat.has_result() {
                    self.joined().remove(&id);
                }
            }
        }
    }

    /// The helper of a call, which counts as a sign of life.
    fn find(&self, call: &HelperCall) -> Result<Arc<Helper>, Problem> {
        self.allowed()?;
        self.trusted(call.client)?;
        let found = self.joined().get(&call.id).map(Arc::clone);
        let is_here = |helper: &Arc<Helper>| helper.study == call.study && !helper.has_left.load(Relaxed);
        let helper = found.filter(is_here).ok_or_else(|| Problem::unknown_helper(&call.id))?;
        *helper.called() = Instant::now();
        Ok(helper)
    }

    fn refuse(&self, call: &HelperCall) {
        self.refused.insert(call.client, ());
        self.joined().remove(&call.id);
    }

    fn trusted(&self, client: Client) -> Result<(), Problem> {
        if self.refused.contains_key(&client) { Err(self.refusal()) } else { Ok(()) }
    }

    fn refusal(&self) -> Problem {
        Problem::helper_refused(self.refusal_seconds)
    }

    fn joined(&self) -> MutexGuard<'_, HashMap<String, Arc<Helper>>> {
        self.joined.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Helper {
    fn seat(&self) -> MutexGuard<'_, HelperSeat> {
        self.seat.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn called(&self) -> MutexGuard<'_, Instant> {
        self.called.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
