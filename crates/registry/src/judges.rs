//! The judges of unproved positions: each game's evaluation with its trained weights.

use std::sync::Arc;

use marquis_engine::game::{ExactGame, Judge, LookAhead};
use marquis_sense::schooled::Schooled;
use marquis_sense::weights::Weights;

/// The judge of a game on every board: a network on boards that have one, hand-made terms on all others.
pub(crate) fn judge<G: ExactGame>(weights: &Arc<Weights>) -> Arc<dyn Judge<G>>
where
    G::Rules: Schooled,
{
    let (networks, maps) = (Arc::clone(weights), Arc::clone(weights));
    Arc::new(LookAhead::<G, _, <G::Rules as Schooled>::Sense>::new(
        move |rules: &G::Rules| networks.estimator(rules),
        move |rules: &G::Rules, position: &G::Position| maps.calibration(rules, position),
    ))
}
