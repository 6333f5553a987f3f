//! The HTTP service: handlers extract, call the façade, convert.
//!
//! * Look-ups in tables are answered where the request arrives; batches, searches and jobs run on pools of
//!   their own (`pool`), so that none holds up another.
//! * Whoever has to wait for tables elsewhere does so on threads of their own (`elsewhere`).
//! * What is under way has a limit (`room`), answers to batches are computed as they are taken (`pieces`), and
//!   a client that does not read is cut off (`connection`).
//! * Whatever goes wrong is a problem document (RFC 9457) with the id of the request: [`Problem`].
//! * What is served is the shapes of `marquis_engine`, the same as the command line prints with `--json`.
#![forbid(unsafe_code)]

mod answered;
mod batch;
mod cache;
mod clients;
mod coding;
mod conditional;
mod config;
mod connection;
mod cross_origin;
mod elsewhere;
mod events;
mod faults;
mod gallery;
mod handlers;
mod identity;
mod inspect;
mod jobs;
mod kinds;
mod lookup;
mod metrics;
mod params;
mod pieces;
mod pool;
mod problem;
mod proof_files;
mod question;
mod ranges;
mod request_id;
mod room;
mod routes;
mod salvage;
mod search;
mod server;
mod startup;
mod state;
mod store;
mod tables_watch;
mod times;

pub use config::{Config, ConfigError};
pub use handlers::configure;
pub use inspect::{JOBS_FILE, StateSummary, inspect_state};
pub use problem::Problem;
pub use server::serve;
pub use startup::ServeError;
pub use state::AppState;
