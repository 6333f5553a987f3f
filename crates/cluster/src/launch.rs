//! Detects whether a launcher started this process as one of several.

use std::env;

use crate::Ranks;

/// Variables with the number of processes, set by OpenMPI's `mpirun`, by launchers that use PMI, and by Slurm's
/// `srun`.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];

/// The number of processes that a launcher started; `None` without a launcher.
#[must_use]
pub fn launched() -> Option<Ranks> {
    SIZES.iter().find_map(|name| Ranks::new(env::var(name).ok()?.parse().ok()?))
}
