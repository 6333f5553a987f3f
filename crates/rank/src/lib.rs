//! Numbering of sets of cells, plain and up to symmetry.
//!
//! * [`subset`]: sets of one size in order, and the number of each.
//! * [`ranker`]: the same numbers by table look-up, for the subsets of a few chosen cells.
//! * [`group`]: a group of permutations of the cells, and images of sets under it.
//! * [`classes`]: classes of the sets of one size under the group.
#![forbid(unsafe_code)]

pub mod classes;
pub mod group;
pub mod ranker;
pub mod subset;

pub use classes::{Class, SetClasses};
pub use group::{Element, Group};
pub use ranker::Ranker;
pub use subset::{
    SubsetRank, binomial, next_set, rank_set, rank_set_beside, set_beside, sets_of, unrank_set,
};
