//! A proof that may take days: the tree and its jobs in `marquis_study`, kept on disk.

mod ask;
mod folder_source;
mod helper_seat;
mod job_folder;
mod job_source;
mod listing;
mod outline;
mod rank_helpers;
mod remote_workers;
mod set_up;
mod status;
mod store;
mod subject;
mod work;
mod worker_files;

pub(crate) use ask::{study, work_for};
pub use helper_seat::{HelperSeat, NoResult, NoSeat, helpers_of};
pub use job_source::{JobServer, JobSource, NextJob, WorkPlace};
pub use listing::{StudyFolder, studies_in, studies_of};
pub use outline::study_tree;
pub use rank_helpers::{as_rank_helper, with_rank_helpers};
pub(crate) use set_up::{SetUpSubject, set_up_status, study_set_up, work_for_set_up};
pub use status::study_status;
pub(crate) use status::study_status_of;
pub(crate) use subject::Subject;
