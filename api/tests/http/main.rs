//! The service as its clients see it, without a socket.

mod answers;
mod batches;
mod health;
mod jobs;
mod limits;
mod refusals;
mod service;
