//! Learning to judge positions: self-play games, labels from their results and searches, and a network that is fitted
//! to them.
//!
//! [`train`] does all of it, in generations, in a folder where it can be stopped and resumed at any time. This crate
//! knows no particular game.
#![forbid(unsafe_code)]

pub mod fit;
pub mod generations;
pub mod lesson;
pub mod record;
pub mod samples;
pub mod selfplay;
pub mod terms;

pub use generations::{TrainError, TrainingPlan, train};
pub use lesson::Lesson;
pub use record::TrainingGame;
