//! The shape of the progress of a long question.

use marquis_core::Bounds;
use serde::Serialize;

use super::answer::Wdl;
use super::words::names;

/// The progress of a job.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Snapshot {
    /// `queued`, `running`, `done`, `cancelled` or `failed`.
    pub state: &'static str,
    /// The current step.
    pub phase: Option<String>,
    /// Nodes or states visited so far.
    pub nodes: u64,
    /// The maximum number of them, if known.
    pub total: Option<u64>,
    /// The worst and the best value still possible, for the player to move in the current position.
    pub bounds: Option<[&'static str; 2]>,
    /// An estimate of a position that is being solved, for the player to move; never a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaning: Option<Wdl>,
    /// For a balance: the bounds proved so far, by the colour that moves first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_mover: Option<KnownByColour>,
    /// The seconds of work; the wait between turns is not counted.
    pub seconds: f64,
    /// The number of jobs before it, while it waits for its first turn or, if running, for the next one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<u64>,
}

/// The worst and the best value of moving first with each colour: `loss`, `draw` or `win`.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct KnownByColour {
    /// With White.
    w: [&'static str; 2],
    /// With Black.
    b: [&'static str; 2],
}

impl From<[Bounds; 2]> for KnownByColour {
    fn from([w, b]: [Bounds; 2]) -> Self {
        Self { w: names(w), b: names(b) }
    }
}
