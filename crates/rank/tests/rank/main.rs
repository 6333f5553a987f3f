//! Ranks and classes against plain enumeration.

mod classes;
mod subsets;
