//! Helpers of a study on other ranks of one job.
//!
//! The first rank keeps the study. In rounds, the other ranks send it the news of their threads, and receive the jobs
//! of these threads. The first rank reads and writes the files of each thread for it, as a service does for its
//! helpers, so no other rank has to see the folder of the study.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{scope, sleep};
use std::time::Duration;

use marquis_cluster::talk::swap_long;
use marquis_cluster::{Error, Peers, Rank};
use marquis_wire::study::{HelperState, HelperTurn, StudyHead, StudyJob};
use serde::{Deserialize, Serialize};

use super::helper_seat::{HelperSeat, NoResult, NoSeat};
use super::job_folder::drawn;
use super::job_source::{JobServer, JobSource, NextJob};
use crate::error::FileError;
use crate::{EngineError, causes};

/// The pause between two rounds.
const ROUND: Duration = Duration::from_millis(20);
/// A thread with a job is part of one round in this many: each costs the first rank two small files.
const BUSY: u32 = 10;
/// How long a thread waits for a job before it looks whether it has to stop.
const LOOK: Duration = Duration::from_millis(200);

/// The news of a thread of another rank.
#[derive(Debug, Serialize, Deserialize)]
struct HelperNews {
    /// Its number among those of its rank.
    helper: usize,
    /// The study that it expects.
    about: StudyHead,
    /// The length of the result of its job.
    result_bytes: Option<usize>,
    is_leaving: bool,
}

/// The bytes of the news of a rank: the length of the list, the list, and the results.
fn news_bytes(list: &[(HelperNews, Option<Vec<u8>>)]) -> Vec<u8> {
    let heads: Vec<&HelperNews> = list.iter().map(|(head, _)| head).collect();
    let heads = serde_json::to_vec(&heads).unwrap_or_default();
    let mut bytes = (heads.len() as u64).to_le_bytes().to_vec();
    bytes.extend(heads);
    list.iter().filter_map(|(_, result)| result.as_ref()).for_each(|result| bytes.extend(result));
    bytes
}

/// The news of a rank; none if the bytes are no news.
fn read_news(bytes: &[u8]) -> Vec<(HelperNews, Option<&[u8]>)> {
    let read = || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (heads, mut results) = rest.split_at_checked(u64::from_le_bytes(*length) as usize)?;
        let heads: Vec<HelperNews> = serde_json::from_slice(heads).ok()?;
        let mut next = |length| {
            let (result, rest) = results.split_at_checked(length)?;
            results = rest;
            Some(result)
        };
        let with_result = |head: HelperNews| match head.result_bytes {
            Some(length) => next(length).map(|result| (head, Some(result))),
            None => Some((head, None)),
        };
        heads.into_iter().map(with_result).collect::<Option<Vec<_>>>()
    };
    read().unwrap_or_default()
}

/// The response to a thread: its turn, or why the study refuses it.
type HelperReply = Result<HelperTurn, String>;

/// The responses to the threads of a rank.
#[derive(Debug, Serialize, Deserialize)]
struct Replies {
    helpers: Vec<(usize, HelperReply)>,
    /// Whether this was the last round.
    is_over: bool,
}

/// Runs `study` on the first rank, which keeps it in `folder`; the threads of the other ranks help.
///
/// # Errors
/// A rank was lost.
pub fn with_rank_helpers<T>(
    peers: &dyn Peers,
    folder: &Path,
    study: impl FnOnce() -> T,
) -> Result<T, EngineError> {
    let is_over = AtomicBool::new(false);
    scope(|scope| {
        let rounds = scope.spawn(|| Seats { folder, taken: BTreeMap::new() }.serve(peers, &is_over));
        // Also after a panic: the other ranks wait for the last round.
        let end = OnDrop(|| is_over.store(true, Relaxed));
        let done = study();
        drop(end);
        rounds.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(done)
    })
}

/// Runs `work` on another rank, with the jobs of the study that the first rank keeps.
///
/// Returns when that study ends.
///
/// # Errors
/// A rank was lost.
pub fn as_rank_helper<T>(
    peers: &dyn Peers,
    work: impl FnOnce(&dyn JobServer) -> T,
) -> Result<T, EngineError> {
    let desk = Desk::default();
    scope(|scope| {
        let rounds = scope.spawn(|| {
            // Also after an error: the threads wait for jobs.
            let _end = OnDrop(|| desk.close());
            desk.serve(peers)
        });
        let done = work(&desk);
        rounds.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(done)
    })
}

/// Calls a function when it goes out of scope.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The threads of the other ranks, on the first rank.
struct Seats<'a> {
    folder: &'a Path,
    /// By rank and number.
    taken: BTreeMap<(Rank, usize), HelperSeat>,
}

impl Seats<'_> {
    fn serve(&mut self, peers: &dyn Peers, is_over: &AtomicBool) -> Result<(), Error> {
        loop {
            sleep(ROUND);
            let is_over = is_over.load(Relaxed);
            let news = swap_long(peers, &to_first(peers, Vec::new()))?;
            let reply = |(rank, news): (Rank, Vec<u8>)| self.replies(rank, &news, is_over);
            let replies: Vec<Vec<u8>> = peers.ranks().all().zip(news).map(reply).collect();
            swap_long(peers, &replies)?;
            if is_over {
                return Ok(());
            }
        }
    }

    /// The bytes of the responses to the news of a rank.
    fn replies(&mut self, rank: Rank, news: &[u8], is_over: bool) -> Vec<u8> {
        let helpers = read_news(news).into_iter().map(|(news, result)| {
            let helper = news.helper;
            (helper, self.reply((rank, helper), &news, result))
        });
        let replies = Replies { helpers: helpers.collect(), is_over };
        serde_json::to_vec(&replies).unwrap_or_default()
    }

    fn reply(&mut self, key: (Rank, usize), news: &HelperNews, result: Option<&[u8]>) -> HelperReply {
        let without_job = |state| Ok(HelperTurn { state, job: None });
        let seat = match self.taken.entry(key) {
            Entry::Occupied(seat) => seat.into_mut(),
            Entry::Vacant(free) => {
                match HelperSeat::join(self.folder, format!("{:016x}", drawn()), &news.about) {
                    Ok(seat) => free.insert(seat),
                    // It starts in a moment.
                    Err(NoSeat::Unattended) => return without_job(HelperState::Waiting),
                    Err(NoSeat::Answered) => return without_job(HelperState::Answered),
                    Err(NoSeat::Other(found)) => return Err(format!("a study of {found}")),
                }
            }
        };
        match result.map(|result| seat.deliver(result)) {
            None | Some(Ok(()) | Err(NoResult::NotCurrent)) => {}
            Some(Err(NoResult::Malformed)) => return Err("a result that is none".to_owned()),
            Some(Err(NoResult::Failed(error))) => return Err(causes(&error).to_string()),
        }
        if news.is_leaving {
            seat.leave();
            self.taken.remove(&key);
            return without_job(HelperState::Waiting);
        }
        Ok(seat.turn())
    }
}

/// A batch for the first rank, and empty ones for the others.
fn to_first(peers: &dyn Peers, batch: Vec<u8>) -> Vec<Vec<u8>> {
    let mut batches = vec![Vec::new(); peers.ranks().get() as usize];
    batches[Rank::FIRST.index()] = batch;
    batches
}

/// The threads of this rank, as they and the rounds see them.
#[derive(Debug, Default)]
struct Desk {
    state: Mutex<DeskState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct DeskState {
    helpers: Vec<RankHelper>,
    rounds: u32,
    is_over: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Here,
    Leaving,
    /// The first rank knows that it has left.
    Left,
}

#[derive(Debug)]
struct RankHelper {
    about: StudyHead,
    reply: HelperReply,
    /// To be sent.
    result: Option<Vec<u8>>,
    /// The last job with a result.
    done: Option<StudyJob>,
    presence: Presence,
}

impl RankHelper {
    /// The job without a result.
    fn job(&self) -> Option<&StudyJob> {
        let turn = self.reply.as_ref().ok()?;
        turn.job.as_ref().filter(|job| self.done.as_ref() != Some(*job))
    }
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, DeskState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        self.state().is_over = true;
        self.changed.notify_all();
    }

    fn serve(&self, peers: &dyn Peers) -> Result<(), Error> {
        loop {
            sleep(ROUND);
            swap_long(peers, &to_first(peers, self.news()))?;
            let replies = swap_long(peers, &to_first(peers, Vec::new()))?;
            if self.hears(&replies[Rank::FIRST.index()]) {
                return Ok(());
            }
        }
    }

    /// The bytes of the news of a round.
    fn news(&self) -> Vec<u8> {
        let mut state = self.state();
        state.rounds = state.rounds.wrapping_add(1);
        let asks_all = state.rounds.is_multiple_of(BUSY);
        let takes_part = |helper: &RankHelper| match helper.presence {
            Presence::Here => asks_all || helper.job().is_none(),
            Presence::Leaving => true,
            Presence::Left => false,
        };
        let here = state.helpers.iter_mut().enumerate().filter(|(_, helper)| takes_part(helper));
        let news = here.map(|(number, helper)| {
            let is_leaving = helper.presence == Presence::Leaving;
            if is_leaving {
                helper.presence = Presence::Left;
            }
            let result = helper.result.take();
            let head = HelperNews {
                helper: number,
                about: helper.about.clone(),
                result_bytes: result.as_ref().map(Vec::len),
                is_leaving,
            };
            (head, result)
        });
        news_bytes(&news.collect::<Vec<_>>())
    }

    /// Passes the responses on; returns whether they are the last ones.
    fn hears(&self, replies: &[u8]) -> bool {
        let Ok(Replies { helpers, is_over }) = serde_json::from_slice(replies) else { return true };
        let mut state = self.state();
        for (number, reply) in helpers {
            if let Some(helper) = state.helpers.get_mut(number) {
                helper.reply = reply;
            }
        }
        drop(state);
        self.changed.notify_all();
        is_over
    }
}

impl JobServer for Desk {
    fn connect(&self, about: &StudyHead) -> Box<dyn JobSource + '_> {
        let mut state = self.state();
        let waiting = HelperTurn { state: HelperState::Waiting, job: None };
        let helper = RankHelper {
            about: about.clone(),
            reply: Ok(waiting),
            result: None,
            done: None,
            presence: Presence::Here,
        };
        state.helpers.push(helper);
        Box::new(RankSource { desk: self, number: state.helpers.len() - 1 })
    }
}

/// The connection of one thread.
struct RankSource<'d> {
    desk: &'d Desk,
    number: usize,
}

impl RankSource<'_> {
    /// What there is to do; `None` if that may change.
    fn now(&self, state: &DeskState) -> Result<Option<NextJob>, EngineError> {
        let helper = &state.helpers[self.number];
        match &helper.reply {
            Err(found) => {
                let (expected, advice) = ("a study that takes this helper", "start all ranks alike");
                Err(FileError::unexpected("the first rank", expected, found, advice).into())
            }
            Ok(HelperTurn { state: HelperState::Answered, .. }) => Ok(Some(NextJob::Answered)),
            Ok(_) if state.is_over => Ok(Some(NextJob::Closed)),
            Ok(_) => Ok(helper.job().cloned().map(NextJob::Job)),
        }
    }
}

impl JobSource for RankSource<'_> {
    fn next(&mut self, _: &dyn Fn() -> bool) -> Result<NextJob, EngineError> {
        let state = self.desk.state();
        if let Some(next) = self.now(&state)? {
            return Ok(next);
        }
        let (state, _) = self.desk.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner);
        Ok(self.now(&state)?.unwrap_or(NextJob::Wait("waiting for the next")))
    }

    fn is_wanted(&mut self, job: &StudyJob) -> bool {
        let state = self.desk.state();
        let turn = state.helpers[self.number].reply.as_ref();
        !state.is_over && turn.is_ok_and(|turn| turn.job.as_ref() == Some(job))
    }

    fn deliver(&mut self, job: &StudyJob, result: &[u8], _: &dyn Fn() -> bool) -> Result<(), EngineError> {
        let mut state = self.desk.state();
        let helper = &mut state.helpers[self.number];
        (helper.result, helper.done) = (Some(result.to_vec()), Some(job.clone()));
        Ok(())
    }

    fn leave(&mut self) {
        self.desk.state().helpers[self.number].presence = Presence::Leaving;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_are_read_as_they_were_written_and_parts_of_them_are_none() {
        let about = StudyHead {
            game: "flowish".to_owned(),
            rules: "0".to_owned(),
            immobile: "loss".to_owned(),
            position: "start".to_owned(),
        };
        let head = |helper, result_bytes| HelperNews {
            helper,
            about: about.clone(),
            result_bytes,
            is_leaving: helper == 2,
        };
        let results = [Some(vec![1, 2, 3]), None, Some(Vec::new()), Some(vec![4; 100])];
        let list: Vec<_> = results
            .iter()
            .enumerate()
            .map(|(helper, result)| (head(helper, result.as_ref().map(Vec::len)), result.clone()))
            .collect();
        let bytes = news_bytes(&list);
        let read = read_news(&bytes);
        let told: Vec<_> =
            read.iter().map(|(head, result)| (head.helper, head.is_leaving, *result)).collect();
        let expected: Vec<_> = results
            .iter()
            .enumerate()
            .map(|(helper, result)| (helper, helper == 2, result.as_deref()))
            .collect();
        assert_eq!(told, expected);
        assert!((0..bytes.len()).all(|length| read_news(&bytes[..length]).is_empty()));
    }
}
