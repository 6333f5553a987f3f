//! The hash of the cells of a stream, computed from the hashes of its spans.
//!
//! BLAKE3 is a tree: each process hashes the spans that it has, and the root is the hash of the plain cells one after
//! the other.

use blake3::hazmat::{HasherExt as _, Mode, merge_subtrees_non_root, merge_subtrees_root};

use crate::header::ContentHash;

/// The hash state of a span, from which the hash of its stream is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Subtree(pub(crate) [u8; 32]);

impl Subtree {
    /// The subtree of one span. All spans but the last have the same number of bytes: a power of two, of a kibibyte
    /// or more.
    ///
    /// * `first`: bytes before it; `all`: bytes of all spans.
    pub(crate) fn of(span: &[u8], first: u64, all: u64) -> Self {
        // The root is hashed differently from the nodes below it.
        if span.len() as u64 == all {
            return Self(*blake3::hash(span).as_bytes());
        }
        Self(blake3::Hasher::new().set_input_offset(first).update(span).finalize_non_root())
    }

    /// The hash of a stream with these spans.
    pub(crate) fn root(all: &[Self]) -> ContentHash {
        ContentHash(match all {
            [] => *blake3::hash(&[]).as_bytes(),
            [Self(only)] => *only,
            _ => {
                let (left, right) = all.split_at(left(all.len()));
                *merge_subtrees_root(&Self::merged(left), &Self::merged(right), Mode::Hash).as_bytes()
            }
        })
    }

    fn merged(some: &[Self]) -> [u8; 32] {
        if let [Self(only)] = some {
            return *only;
        }
        let (left, right) = some.split_at(left(some.len()));
        merge_subtrees_non_root(&Self::merged(left), &Self::merged(right), Mode::Hash)
    }
}

/// The number of subtrees, of two or more, below the left child of their parent (BLAKE3, section 2.1).
fn left(subtrees: usize) -> usize {
    subtrees.next_power_of_two() / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_spans_is_that_of_the_plain_bytes() {
        let bytes: Vec<u8> = (0..70_000_u64).map(|number| ((number * number) >> 7) as u8).collect();
        for span in [1 << 10, 1 << 12, 1 << 16] {
            for length in [0, 1, 1023, 1024, 1025, 4096, 8191, 8192, 12_288, 12_289, 65_536, 65_537, 70_000] {
                let all = &bytes[..length];
                let mut first = 0;
                let subtree = |span: &[u8]| {
                    let subtree = Subtree::of(span, first, length as u64);
                    first += span.len() as u64;
                    subtree
                };
                let subtrees: Vec<Subtree> = all.chunks(span).map(subtree).collect();
                assert_eq!(Subtree::root(&subtrees).0, *blake3::hash(all).as_bytes(), "{length} by {span}");
            }
        }
    }
}
