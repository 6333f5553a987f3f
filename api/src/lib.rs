//! The HTTP service: handlers extract, call the façade, convert.
//!
//! * Table look-ups are answered on the thread that receives the request; batches, searches and jobs run on separate
//!   pools (`pool`), so that none holds up another.
//! * Requests that may wait for remote tables run on separate threads (`elsewhere`).
//! * Work under way is limited (`room`), answers to batches are computed as they are taken (`pieces`), and
//!   a client that does not read is disconnected (`connection`).
//! * Every error is a problem document (RFC 9457) with the id of the request: [`Problem`].
//! * Responses have the shapes of `marquis_engine`, which the command line also prints with `--json`.
//!
//! # Work under way
//!
//! A batch is computed piece by piece, each when the client has taken the one before (`api/src/batch_answers.rs`), on a few
//! threads that yield to those that talk to clients (`pieces.rs`). First it reserves its maximum of bytes and its
//! positions; if there is no room it is refused with 503 (`room.rs`). actix-web's server waits for ever for a client
//! to read, so `connection.rs` owns the socket. It fails a connection whose client takes nothing for `write_seconds`,
//! counts unsent bytes, and keeps the system from buffering megabytes for it.
//!
//! No thread that talks to clients waits for remote tables: there `table::without_waiting` ends an uncached look-up
//! with `Awaited`, and `lookup.rs` retries on the threads of `remote_pools.rs`. Searches of games with such tables run
//! apart from others. A search uses tables as its oracle, which cannot return errors. `knowledge/sources.rs` keeps the
//! first error of a remote table, and an answer without a value becomes that error.
#![forbid(unsafe_code)]

mod answered;
mod batch_answers;
mod cache;
mod clients;
mod coding;
mod conditional;
mod config;
mod connection;
mod cross_origin;
mod events;
mod faults;
mod handlers;
mod helpers;
mod identity;
mod inspect;
mod jobs;
mod kinds;
mod lookup;
mod params;
mod pieces;
mod pool;
mod problem;
mod prometheus;
mod proof_files;
mod proved_set_ups;
mod question;
mod ranges;
mod remote_pools;
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
mod texts;
mod times;

pub use config::{Config, ConfigError};
pub use handlers::configure;
pub use inspect::{JOBS_FILE, StateSummary, inspect_state};
pub use problem::Problem;
pub use server::serve;
pub use startup::ServeError;
pub use state::AppState;
