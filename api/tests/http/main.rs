//! The service as its clients see it, without a socket.

mod answers;
mod batches;
mod bodies;
mod broken;
mod contrast;
mod cross_origin;
mod damaged;
mod designs;
mod downloads;
mod elsewhere;
mod examples;
mod generates;
mod health;
mod jobs;
mod kept;
mod legal;
mod limits;
mod line;
mod offline;
mod page;
mod records;
mod refusals;
mod reviews;
mod service;
mod solves;
mod studies;
