//! Parallel work with results in order.

use rayon::prelude::*;

use crate::Error;

/// Makes items `0..count` on all threads and passes them to `keep` one by one, in order.
///
/// A batch is made while the one before it is kept, so at most two batches are in memory. The calls of `keep` do not
/// depend on the number of threads.
pub(crate) fn in_order<T: Send>(
    count: u64,
    batch: u64,
    make: impl Fn(u64) -> Result<T, Error> + Sync,
    mut keep: impl FnMut(T) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let mut ready: Vec<T> = Vec::new();
    let mut first = 0;
    loop {
        let end = count.min(first + batch);
        let (kept, made) = rayon::join(
            || ready.drain(..).try_for_each(&mut keep),
            || (first..end).into_par_iter().map(&make).collect::<Result<Vec<T>, Error>>(),
        );
        kept?;
        ready = made?;
        if ready.is_empty() {
            return Ok(());
        }
        first = end;
    }
}
