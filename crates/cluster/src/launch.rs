//! Whether a launcher has started this process as one of several.

use std::env;

use crate::Ranks;

/// Where launchers say how many processes they started: OpenMPI's `mpirun`, those that speak PMI, and Slurm's `srun`.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];

/// How many processes a launcher has started; none where no launcher has.
#[must_use]
pub fn launched() -> Option<Ranks> {
    SIZES.iter().find_map(|name| Ranks::new(env::var(name).ok()?.parse().ok()?))
}
