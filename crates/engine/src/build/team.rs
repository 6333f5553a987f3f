//! The ranks that make one build together: they divide the work, check that they are about to do the same, and stop
//! for the same reason.
//!
//! Every rank walks through the same plan. All decisions depend on the plan, the memory and the existing tables, so
//! these are compared before the work starts.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use marquis_cluster::talk::{first_word, tell_all};
use marquis_cluster::{Alone, Hello, Peers, Rank, Traffic};
use marquis_table::write_whole;

use crate::error::causes;
use crate::{EngineError, Limits};
use marquis_wire::reports::RankReport;

/// The ranks of a build, from the point of view of one of them.
#[derive(Clone, Copy)]
pub struct RankTeam<'a> {
    /// The channel to the other ranks.
    pub peers: &'a dyn Peers,
    /// The version of the program: all ranks must have the same.
    pub program: &'a str,
    /// The request as the user wrote it: it must be the same on all ranks.
    pub asked: &'a str,
}

/// The prefix of the mark file that shows the ranks that they write to the same folder.
const SEEN: &str = ".ranks-";
/// Files with this suffix are removed by the next build: see `remove_unfinished` of the tables.
const UNFINISHED: &str = ".unfinished";
/// How long a shared folder may take until all machines see the same content.
const PATIENCE: Duration = Duration::from_secs(20);
const REST: Duration = Duration::from_millis(50);

/// Parts of a build, divided among the ranks.
pub(super) struct Shares<T> {
    /// The parts that each rank solves alone.
    pub(super) alone: Vec<Vec<T>>,
    /// The parts that all ranks solve together, in order.
    pub(super) joint: Vec<T>,
}

const SAME_PROGRAM: &str = "install the same program on every machine";

/// The accepted imbalance: the largest load over the mean.
const BALANCED: f64 = 1.15;

/// Divides parts of a build that do not depend on each other.
///
/// The largest part goes first, to the rank with the smallest load. Parts that would keep the other ranks waiting are
/// solved together, if possible.
///
/// * `slots`: the slots of a part; `joins`: whether it can be solved together; `must_join`: whether it has to be.
pub(super) fn share_out<T: Copy>(
    parts: &[T],
    ranks: usize,
    slots: impl Fn(T) -> u64,
    joins: impl Fn(T) -> bool,
    must_join: impl Fn(T) -> bool,
) -> Shares<T> {
    let mut rest: Vec<T> = parts.to_vec();
    // Stable: equal parts stay in the order of the plan.
    rest.sort_by_key(|&part| std::cmp::Reverse(slots(part)));
    let (mut joint, mut open): (Vec<T>, Vec<T>) = rest.into_iter().partition(|&part| must_join(part));
    loop {
        let mut alone: Vec<(u64, Vec<T>)> = (0..ranks).map(|_| (0, Vec::new())).collect();
        for &part in &open {
            if let Some((load, own)) = alone.iter_mut().min_by_key(|(load, _)| *load) {
                *load += slots(part);
                own.push(part);
            }
        }
        let most = alone.iter().map(|(load, _)| *load).max().unwrap_or(0);
        let fair = alone.iter().map(|(load, _)| *load).sum::<u64>() as f64 / ranks as f64;
        let largest = open.iter().position(|&part| joins(part));
        match largest.filter(|_| ranks > 1 && most as f64 > fair * BALANCED) {
            Some(largest) => joint.push(open.remove(largest)),
            None => return Shares { alone: alone.into_iter().map(|(_, own)| own).collect(), joint },
        }
    }
}

impl RankTeam<'_> {
    /// A single rank without peers.
    pub const ALONE: Self = Self { peers: &Alone, program: "", asked: "" };

    pub(super) fn is_first(&self) -> bool {
        self.peers.rank() == Rank::FIRST
    }

    pub(super) fn is_alone(&self) -> bool {
        self.peers.ranks().get() == 1
    }

    /// The number of ranks.
    pub(super) fn size(&self) -> usize {
        self.peers.ranks().get() as usize
    }

    /// Returns the rank's own result if all ranks succeeded; otherwise all fail for the reason of the first failed
    /// rank.
    pub(super) fn together<T>(&self, own: Result<T, EngineError>) -> Result<T, EngineError> {
        let words = own.as_ref().err().map(failure);
        match first_word(self.peers, words.as_deref())? {
            Some((rank, words)) if rank != self.peers.rank() => Err(heard(rank, &words)),
            _ => own,
        }
    }

    /// The result of the work of the first rank, which the others wait for.
    pub(super) fn by_the_first(
        &self,
        work: impl FnOnce() -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        self.together(if self.is_first() { work() } else { Ok(()) })
    }

    /// Whether `part` of some work that only one rank has to do belongs to this rank.
    pub(super) fn is_mine(&self, part: usize) -> bool {
        part % self.size() == self.peers.rank().index()
    }

    /// Fails if the ranks have different versions or requests.
    ///
    /// # Errors
    /// The first difference, or a lost rank.
    pub fn agree_on_request(&self) -> Result<(), EngineError> {
        Ok(self.hello().agree(self.peers)?)
    }

    fn hello(&self) -> Hello {
        Hello::new().with("the version of the program", self.program, SAME_PROGRAM).with(
            "the request",
            self.asked,
            "give all ranks the same arguments",
        )
    }

    /// Fails if the ranks are about to do different work.
    ///
    /// * `rules`: the fingerprint of rules and numbering; `plan`: a description of the build.
    pub(super) fn agree_on_work(&self, rules: &str, plan: &str, limits: &Limits) -> Result<(), EngineError> {
        if self.is_alone() {
            return Ok(());
        }
        let hello = self
            .hello()
            .with("the rules of the game", rules, SAME_PROGRAM)
            .with("the plan of the build", plan, "give all ranks the same arguments")
            .with("the memory", limits.memory_bytes().to_string(), "give all ranks the same --memory");
        Ok(hello.agree(self.peers)?)
    }

    /// Fails if the ranks do not see the same folder.
    pub(super) fn agree_on_folder(&self, out: &Path) -> Result<(), EngineError> {
        if self.is_alone() {
            return Ok(());
        }
        let advice = "name one folder with --out that all machines share";
        let mark = self.leave_mark(out)?;
        let sees = Hello::new().with("the folder of tables", seen(out, &mark), advice);
        let agreed = sees.agree(self.peers);
        self.by_the_first(|| {
            // A file that cannot be removed is removed by the next build.
            let _ = std::fs::remove_file(out.join(&mark));
            Ok(())
        })?;
        Ok(agreed?)
    }

    /// Fails if the ranks do not see the same tables.
    ///
    /// * `tables`: the finished layers, each as a name and the fingerprint of its table.
    pub(super) fn agree_on_tables(&self, tables: &[(String, String)]) -> Result<(), EngineError> {
        if self.is_alone() {
            return Ok(());
        }
        let table = |hello: Hello, (name, print): &(String, String)| {
            hello.with(format!("the table {name}"), print, "give all ranks the same tables")
        };
        Ok(tables.iter().fold(Hello::new(), table).agree(self.peers)?)
    }

    /// The name of a file that the first rank left in the folder.
    fn leave_mark(&self, out: &Path) -> Result<String, EngineError> {
        let now =
            SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let mark = format!("{SEEN}{}-{now}{UNFINISHED}", std::process::id());
        let own = if self.is_first() {
            write_whole(&out.join(&mark), &[]).map_err(EngineError::from)
        } else {
            Ok(())
        };
        self.together(own)?;
        let told = tell_all(self.peers, mark.as_bytes())?;
        Ok(String::from_utf8_lossy(&told[0]).into_owned())
    }

    /// The result of `look`, retried for a while because another rank may have just written it on another machine.
    pub(super) fn patiently<T>(&self, look: impl Fn() -> Option<T>) -> Option<T> {
        if self.is_alone() { look() } else { patiently(look) }
    }

    /// The reports of all ranks.
    ///
    /// * `slots`: the number of slots that this rank solved.
    pub(super) fn report(&self, slots: u64) -> Result<Vec<RankReport>, EngineError> {
        if self.is_alone() {
            return Ok(Vec::new());
        }
        let Traffic { sent_bytes, messages, rounds, waited, sending } = self.peers.traffic();
        let own = RankReport {
            rank: self.peers.rank().0,
            slots,
            sent_bytes,
            messages,
            rounds,
            waited_seconds: waited.as_secs_f64(),
            sending_seconds: sending.as_secs_f64(),
            memory_bytes: most_memory(),
        };
        let told = tell_all(self.peers, &serde_json::to_vec(&own).unwrap_or_default())?;
        Ok(told.iter().filter_map(|report| serde_json::from_slice(report).ok()).collect())
    }
}

/// The first byte of the message of a failed rank.
const INTERRUPTED: u8 = 0;
const LIMIT: u8 = 1;
const FAILED: u8 = 2;

/// The message about a failure.
fn failure(error: &EngineError) -> Vec<u8> {
    let kind = match error {
        EngineError::Interrupted => INTERRUPTED,
        EngineError::LimitReached(_) => LIMIT,
        _ => FAILED,
    };
    [&[kind], causes(error).to_string().as_bytes()].concat()
}

/// The failure of another rank.
fn heard(rank: Rank, words: &[u8]) -> EngineError {
    let why = String::from_utf8_lossy(words.get(1..).unwrap_or_default()).into_owned();
    match words.first() {
        Some(&INTERRUPTED) => EngineError::Interrupted,
        Some(&LIMIT) => EngineError::LimitReached(format!("{rank}: {why}")),
        _ => EngineError::OfRank { rank, why },
    }
}

fn patiently<T>(look: impl Fn() -> Option<T>) -> Option<T> {
    let begun = web_time::Instant::now();
    loop {
        let found = look();
        if found.is_some() || begun.elapsed() > PATIENCE {
            return found;
        }
        std::thread::sleep(REST);
    }
}

/// A description of a folder: that it has the mark of the first rank, or its path if it does not.
fn seen(out: &Path, mark: &str) -> String {
    let is_there = || out.join(mark).exists().then_some(());
    if patiently(is_there).is_some() {
        "the one that all write to".to_owned()
    } else {
        let own = std::fs::canonicalize(out).unwrap_or_else(|_| PathBuf::from(out));
        format!("another one, {}", own.display())
    }
}

/// The peak memory of this process.
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use marquis_cluster::threads::ThreadPeer;
    use marquis_cluster::{Error, Ranks};

    use super::*;

    /// The results of `count` ranks.
    fn among<T: Send>(count: u32, work: impl Fn(RankTeam<'_>) -> T + Sync) -> Vec<T> {
        let one = |peer: ThreadPeer| work(RankTeam { peers: &peer, program: "1", asked: "the same" });
        std::thread::scope(|scope| {
            let one = &one;
            let peers = ThreadPeer::some(Ranks::new(count).unwrap());
            let running: Vec<_> = peers.into_iter().map(|peer| scope.spawn(move || one(peer))).collect();
            running.into_iter().map(|rank| rank.join().unwrap()).collect()
        })
    }

    #[test]
    fn a_table_that_one_rank_sees_otherwise_is_named() {
        let table = |name: &str, print: &str| (name.to_owned(), print.to_owned());
        let told = |odd: u32| {
            among(3, |team| {
                let print = if team.peers.rank() == Rank(odd) { "none" } else { "3e" };
                team.agree_on_tables(&[
                    table("squish-s4/01v01.mqt", "17"),
                    table("squish-s4/02v01.mqt", print),
                ])
            })
        };
        assert!(told(9).iter().all(Result::is_ok));
        for end in told(2) {
            let Err(EngineError::Ranks(Error::Differs { what, expected, rank, found, .. })) = end else {
                panic!("{end:?}")
            };
            assert_eq!((what.as_str(), rank), ("the table squish-s4/02v01.mqt", Rank(2)));
            assert_eq!((expected.as_str(), found.as_str()), ("3e", "none"));
        }
    }

    #[test]
    fn all_end_for_the_reason_of_the_first_that_fails() {
        let ends = among(4, |team| {
            team.together(match team.peers.rank() {
                Rank(1) => Err(EngineError::LimitReached("the time is up".to_owned())),
                Rank(3) => Err(EngineError::Interrupted),
                _ => Ok(()),
            })
        });
        // The failed rank reports its error directly.
        let words: Vec<String> = ends.into_iter().map(|end| causes(&end.unwrap_err()).to_string()).collect();
        assert_eq!(words[1], "the time is up");
        assert!([0, 2, 3].iter().all(|&other: &usize| words[other] == "rank 1: the time is up"), "{words:?}");
        assert!(among(3, |team| team.together(Ok(7)).unwrap()) == [7; 3]);
    }

    fn shares(slots: &[u64], ranks: usize) -> (Vec<Vec<u64>>, Vec<u64>) {
        let Shares { alone, joint } =
            share_out(slots, ranks, |slots| slots, |slots| slots >= 100, |slots| slots >= 1000);
        (alone, joint)
    }

    #[test]
    fn what_would_keep_others_waiting_is_solved_together() {
        assert_eq!(shares(&[50, 60, 70, 80], 2), (vec![vec![80, 50], vec![70, 60]], vec![]));
        assert!(shares(&[100, 100, 100, 100], 4).1.is_empty());
        assert_eq!(shares(&[5, 400, 5], 2), (vec![vec![5], vec![5]], vec![400]));
        // A single rank waits for no other, and small parts are not worth synchronizing for.
        assert_eq!(shares(&[5, 90], 3), (vec![vec![90], vec![5], vec![]], vec![]));
        assert_eq!(shares(&[5, 400], 1), (vec![vec![400, 5]], vec![]));
        assert_eq!(shares(&[1000, 1000, 200, 200], 2), (vec![vec![200], vec![200]], vec![1000, 1000]));
        assert_eq!(shares(&[300, 300, 300], 2).1, [300]);
    }
}
