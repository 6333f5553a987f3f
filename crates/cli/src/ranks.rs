//! This process as one of several ranks that a launcher such as `mpirun` started for the same work.

use marquis_cluster::launch::launched;
use marquis_cluster::talk::first_word;
use marquis_cluster::{Alone, Peers, Rank, Ranks};
use marquis_engine::tables::RankTeam;

use crate::exit::{CommandEnd, CommandFailure};
#[cfg(feature = "mpi")]
use crate::interrupt;

/// The message when the launcher tells this process to end. The launcher prints the reason and the rank.
#[cfg(feature = "mpi")]
const STOPPING: &str = "stopping: the launcher ends the work, or a rank has ended; \
                        the same command resumes it, with any number of ranks";

/// The time for the first rank to report a failure.
#[cfg(feature = "mpi")]
const REPORT: std::time::Duration = std::time::Duration::from_millis(500);

/// Does some work alone or as one of the launcher's ranks, and returns how it ends.
///
/// All ranks end alike, and only the first one reports why.
pub(crate) fn among(
    work: impl FnOnce(&dyn Peers) -> Result<CommandEnd, CommandFailure> + Send,
) -> Result<CommandEnd, CommandFailure> {
    match launched().filter(|ranks| *ranks > Ranks::ONE) {
        None => work(&Alone),
        Some(ranks) => launched_among(ranks, work),
    }
}

#[cfg(feature = "mpi")]
fn launched_among(
    _: Ranks,
    work: impl FnOnce(&dyn Peers) -> Result<CommandEnd, CommandFailure> + Send,
) -> Result<CommandEnd, CommandFailure> {
    let done = marquis_mpi::among(|peers| {
        let is_first = peers.rank() == Rank::FIRST;
        interrupt::say(is_first.then_some(STOPPING));
        let done = work(peers);
        (is_first, if is_first { done } else { Ok(done.unwrap_or_else(|failure| failure.ending)) })
    });
    let (is_first, done) = done.map_err(|error| CommandFailure::failed(error.to_string()))?;
    if !is_first && !matches!(done, Ok(CommandEnd::Answered)) {
        // The launcher kills the first rank when another one ends with a failure; it reports first.
        std::thread::sleep(REPORT);
    }
    done
}

#[cfg(not(feature = "mpi"))]
fn launched_among(
    ranks: Ranks,
    _: impl FnOnce(&dyn Peers) -> Result<CommandEnd, CommandFailure> + Send,
) -> Result<CommandEnd, CommandFailure> {
    Err(without_mpi(ranks))
}

/// The failure of a program without MPI that a launcher started several times.
#[cfg_attr(feature = "mpi", expect(dead_code, reason = "for the program without MPI; here for the lints"))]
fn without_mpi(ranks: Ranks) -> CommandFailure {
    let ranks = ranks.get();
    CommandFailure::failed(format!(
        "a launcher started {ranks} processes: expected a program compiled with --features mpi, found one without; \
         compile it with MPI, or start one process"
    ))
}

/// The ranks of a build or a study.
///
/// * `asked`: the request, the same for all ranks.
pub(crate) fn team<'a>(peers: &'a dyn Peers, asked: &'a str) -> RankTeam<'a> {
    RankTeam { peers, program: env!("CARGO_PKG_VERSION"), asked }
}

/// Returns the own result if all ranks have one; otherwise all ranks end like the first that has none.
pub(crate) fn together<T>(peers: &dyn Peers, own: Result<T, CommandFailure>) -> Result<T, CommandFailure> {
    let words =
        own.as_ref().err().map(|failure| [&[failure.ending.code()], failure.message.as_bytes()].concat());
    match first_word(peers, words.as_deref()).map_err(|lost| CommandFailure::failed(lost.to_string()))? {
        Some((rank, words)) if rank != peers.rank() => Err(heard(rank, &words)),
        _ => own,
    }
}

/// The failure of another rank.
fn heard(rank: Rank, words: &[u8]) -> CommandFailure {
    let (code, message) =
        words.split_first().map_or((CommandEnd::Failed.code(), words), |(code, rest)| (*code, rest));
    let message = format!("{rank}: {}", String::from_utf8_lossy(message));
    if code == CommandEnd::BadInput.code() {
        CommandFailure::bad_input(message)
    } else {
        CommandFailure::failed(message)
    }
}
