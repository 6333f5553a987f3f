//! What follows from swapping batches.

use crate::Error;
use crate::peers::{Batch, Outbox, Peers};
use crate::rank::Rank;

/// Bytes a batch of a longer text.
const PIECE: usize = 1 << 20;

/// Ends when all ranks have called it.
///
/// # Errors
/// A rank that is gone.
pub fn wait_for_all(peers: &dyn Peers) -> Result<(), Error> {
    peers.largest(0).map(|_| ())
}

/// Whether any rank says so.
///
/// # Errors
/// A rank that is gone.
pub fn any(peers: &dyn Peers, own: bool) -> Result<bool, Error> {
    peers.largest(u64::from(own)).map(|largest| largest > 0)
}

/// What each rank has for each of the others, of any length, a piece at a time.
///
/// * `own`: for each rank.
/// * Result: from each rank.
///
/// # Errors
/// A rank that is gone.
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

/// What every rank says, in their order.
///
/// # Errors
/// A rank that is gone.
pub fn tell_all(peers: &dyn Peers, own: &[u8]) -> Result<Vec<Batch>, Error> {
    let copies: Vec<Vec<u8>> = peers.ranks().all().map(|_| own.to_vec()).collect();
    swap_long(peers, &copies)
}

/// The first rank that has something to say, and what; none where nobody has.
///
/// For failures: whoever failed says why, and all end for the same reason.
///
/// # Errors
/// A rank that is gone.
pub fn first_word(peers: &dyn Peers, own: Option<&[u8]>) -> Result<Option<(Rank, Vec<u8>)>, Error> {
    if !any(peers, own.is_some())? {
        return Ok(None);
    }
    // A mark first: what is said may be empty.
    let own = own.map(|words| [&[1], words].concat()).unwrap_or_default();
    let told = tell_all(peers, &own)?;
    let mut spoken = peers.ranks().all().zip(told).filter(|(_, words)| !words.is_empty());
    Ok(spoken.next().map(|(rank, words)| (rank, words[1..].to_vec())))
}
