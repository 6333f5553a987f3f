//! Tables behind web servers and in buckets, as `marquis-table` reads from [`Elsewhere`](marquis_table::Elsewhere).
//!
//! An [`Address`] is `http://…`, and with the feature `everywhere` also `https://…`, `s3://…`, `gs://…` and `az://…`;
//! [`Remote`] asks for files there with [`Patience`]: a server that does not answer, breaks off or says that it is
//! overloaded is asked again, later and later, and an answer that was cut is taken up where it ended. When patience
//! is at its end the error says that nothing was reached, and nothing about the file.
#![forbid(unsafe_code)]

mod address;
mod patience;
mod plain;
mod remote;

pub use address::{Address, AddressError};
pub use patience::Patience;
pub use remote::Remote;
