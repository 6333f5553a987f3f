//! Reading, writing and refusing records.

mod identity;
mod reading;
