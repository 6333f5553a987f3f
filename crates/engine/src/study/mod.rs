//! A proof that may take days: the tree and its jobs in `marquis_study`, kept on disk.

mod ask;
mod set_up;
mod status;
mod store;

pub(crate) use ask::{Asked, study};
pub(crate) use set_up::{AskedSetUp, set_up_status, study_set_up};
pub use status::study_status;
