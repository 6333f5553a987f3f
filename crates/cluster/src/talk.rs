//! Operations built on swapping batches.

use crate::Error;
use crate::peers::{Outbox, Peers, RankBytes};
use crate::rank::Rank;

/// Bytes per batch of a longer text.
const PIECE: usize = 1 << 20;

/// Whether `own` is true on any rank.
///
/// # Errors
/// A rank was lost.
pub fn any(peers: &dyn Peers, own: bool) -> Result<bool, Error> {
    peers.largest(u64::from(own)).map(|largest| largest > 0)
}

/// Swaps texts of any length between all ranks, in pieces.
///
/// * `own`: one text for each rank.
/// * Result: one text from each rank.
///
/// # Errors
/// A rank was lost.
pub fn swap_long(peers: &dyn Peers, own: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, Error> {
    let longest = peers.largest(own.iter().map(Vec::len).max().unwrap_or(0) as u64)?;
    let mut received: Vec<Vec<u8>> = peers.ranks().all().map(|_| Vec::new()).collect();
    let mut from = 0;
    while (from as u64) < longest {
        let mut outbox = Outbox::new(peers.ranks(), PIECE);
        let most = outbox.room(Rank::FIRST);
        for (to, all) in peers.ranks().all().zip(own) {
            let piece = from.min(all.len())..(from + most).min(all.len());
            outbox.put(to, &all[piece]);
        }
        for (all, piece) in received.iter_mut().zip(outbox.swap(peers)?) {
            all.extend_from_slice(&piece);
        }
        from += most;
    }
    Ok(received)
}

/// Sends `own` to all ranks and returns the texts of all, in the order of the ranks.
///
/// # Errors
/// A rank was lost.
pub fn tell_all(peers: &dyn Peers, own: &[u8]) -> Result<Vec<RankBytes>, Error> {
    let copies: Vec<Vec<u8>> = peers.ranks().all().map(|_| own.to_vec()).collect();
    swap_long(peers, &copies)
}

/// The first rank with a message, and the message; `None` if no rank has one.
///
/// For failures: all ranks end with the reason of the rank that failed.
///
/// # Errors
/// A rank was lost.
pub fn first_word(peers: &dyn Peers, own: Option<&[u8]>) -> Result<Option<(Rank, Vec<u8>)>, Error> {
    if !any(peers, own.is_some())? {
        return Ok(None);
    }
    // A leading mark, because the message may be empty.
    let own = own.map(|words| [&[1], words].concat()).unwrap_or_default();
    let told = tell_all(peers, &own)?;
    let mut spoken = peers.ranks().all().zip(told).filter(|(_, words)| !words.is_empty());
    Ok(spoken.next().map(|(rank, words)| (rank, words[1..].to_vec())))
}
