//! Learning to judge positions: games of an engine against itself, labels from their ends and searches, and the
//! network that is fitted to them.
//!
//! [`train`] does all of it, in generations, in a folder that it can be stopped in and resumed at any time.
//! Nothing here knows a particular game.
#![forbid(unsafe_code)]

pub mod calibration;
pub mod course;
pub mod fit;
pub mod lesson;
pub mod record;
pub mod samples;
pub mod selfplay;
pub mod terms;

pub use course::{Plan, TrainError, train};
pub use lesson::Lesson;
pub use record::Record;
