//! Making and checking tables: plan, run, checkpoint, repack, inspection.
//!
//! # Several ranks
//!
//! Several *ranks*, processes started by `mpirun`, can make one build (`guide/src/tables/cluster.md`). All follow the same
//! plan, and first compare its inputs: program, arguments, rules, memory, and the existing tables
//! (`engine/src/build/team.rs`). The bundles of a wave go to different ranks, which read the others' files from the
//! shared folder. A bundle that would keep the others waiting, or is too large for one, is solved by all. Each rank
//! has some strips, dealt in turn, and sends the others the codes of their cells in bounded batches, at least once a
//! ply (`retro/src/layered/strips/ranks.rs`). At the end each rank packs a share of every layer, and one joins the
//! shares to the file (`engine/src/build/shares.rs`, `table/src/press.rs`). Each rank keeps its strips as a part of
//! the checkpoint. The head is written when all parts are there; one process or any number of ranks can read it
//! (`engine/src/build/joint.rs`). Only one thread of a process speaks MPI, and it polls a barrier instead of busy
//! waiting (`mpi/src/world.rs`).

pub(crate) mod inspection;
mod joint;
pub(crate) mod layered;
pub(crate) mod prepared;
pub(crate) mod run;
pub(crate) mod scores;
mod shares;
mod strip_files;
pub(crate) mod team;
