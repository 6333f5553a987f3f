//! The solvers against each other, the rules' own figures, and random graphs.

mod ahead;
mod beads;
mod common;
mod exhaustive;
mod layered;
mod maze;
mod ranks;
mod rows;
mod scans;
mod spill_store;
mod strips;
mod track;
