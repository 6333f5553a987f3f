//! Tests of table files: reading back, damage, and hostile bytes.

mod common;
mod container;
mod damage;
mod golden;
mod hints;
mod hostile;
mod implied;
mod parts;
mod round_trip;
mod store;
