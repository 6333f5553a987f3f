//! Files of tables: what is written is read, whatever happened to them in between.

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
