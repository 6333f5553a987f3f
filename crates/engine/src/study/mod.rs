//! A proof that may take days: the tree and its jobs in `marquis_study`, kept on disk.

mod ask;
mod asked;
mod desk;
mod elsewhere;
mod listed;
mod outline;
mod set_up;
mod status;
mod store;
mod work;

pub(crate) use ask::{study, work_for};
pub(crate) use asked::Asked;
pub use listed::{StudyFolder, studies_in, studies_of};
pub use outline::study_tree;
pub(crate) use set_up::{AskedSetUp, set_up_status, study_set_up, work_for_set_up};
pub use status::study_status;
pub(crate) use status::study_status_of;
