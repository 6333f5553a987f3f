//! Tables behind web servers and in buckets, as `marquis-table` reads from [`Elsewhere`](marquis_table::Elsewhere).
//!
//! An [`Address`] is `http://…`, and with the feature `everywhere` also `https://…`, `s3://…`, `gs://…` and `az://…`.
//! [`Remote`] requests files there with [`Patience`]: if a server does not answer, breaks off or reports overload, it
//! retries after growing waits, and resumes a response that was cut. When patience ends, the error says that the
//! server was not reached; it says nothing about the file.
//!
//! A [`Service`] sends single requests to an HTTP service; its caller decides on retries.
#![forbid(unsafe_code)]

mod address;
mod patience;
mod plain;
mod remote;
mod service;
mod waiting;

pub use address::{Address, AddressError};
pub use patience::Patience;
pub use remote::Remote;
pub use service::{CallError, HttpMethod, Response, Service};
