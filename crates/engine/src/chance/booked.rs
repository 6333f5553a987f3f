//! Combines a known chance of a position with estimates for its throws and moves.

use std::sync::Arc;

use marquis_chance::ChanceInterval;
use marquis_core::Throw;

use super::answer::{best, rank};
use crate::game::chance::ChanceGame;
use crate::knowledge::chances::KnownChance;
use crate::results::{ChanceKnowledge, ChanceSolution, Proof};

impl<G: ChanceGame> ChanceSolution<G> {
    /// The mean chance over the throws, by their weights; `None` if the chance of a throw is unknown.
    ///
    /// * `self`: with every throw.
    pub(super) fn mean(&self) -> Option<f64> {
        let all: f64 = self.throws.iter().map(|thrown| f64::from(thrown.throw.weight)).sum();
        let share = |weight: u8, worth: ChanceKnowledge| Some(f64::from(weight) / all * worth.chance()?);
        self.throws.iter().map(|thrown| share(thrown.throw.weight, thrown.worth)).sum()
    }

    /// The same mean with its bounds, if those of each throw are known.
    ///
    /// * `self`: with every throw.
    pub(super) fn certified_mean(&self) -> Option<ChanceInterval> {
        let all: f64 = self.throws.iter().map(|thrown| f64::from(thrown.throw.weight)).sum();
        let bounds = self.throws.iter().map(|thrown| match thrown.worth {
            ChanceKnowledge::Certified(between) if between != ChanceInterval::UNKNOWN => {
                Some((f64::from(thrown.throw.weight), between))
            }
            _ => None,
        });
        let bounds: Vec<(f64, ChanceInterval)> = bounds.collect::<Option<_>>()?;
        let (_, first) = *bounds.first()?;
        if bounds.iter().all(|(_, between)| *between == first) {
            return Some(first);
        }
        let sum = |side: fn(&ChanceInterval) -> f64| {
            bounds.iter().map(|(weight, own)| weight * side(own)).sum::<f64>() / all
        };
        // Each of the few products and sums is off by half of an epsilon at most.
        let off = f64::EPSILON * (bounds.len() + 2) as f64;
        Some(ChanceInterval {
            lower: (sum(|own| own.lower) - off).max(0.0),
            upper: (sum(|own| own.upper) + off).min(1.0),
        })
    }

    /// The same with the certified chance of the book.
    ///
    /// Estimates of throws and moves stay estimates. Each is shifted by the same amount, so that their mean is the
    /// certified chance: a judge that overrates the position overrates each of its moves by about as much.
    ///
    /// * `self`: with every throw; the chance is that before them.
    pub(super) fn by_book(mut self, rules: &G::Rules, known: &KnownChance) -> Self {
        let certified = ChanceKnowledge::Certified(known.between);
        if let Some(off) = certified.chance().zip(self.mean()).map(|(chance, mean)| chance - mean) {
            for thrown in &mut self.throws {
                for choice in &mut thrown.choices {
                    choice.worth = choice.worth.moved(off);
                }
                rank::<G>(rules, &self.position, &mut thrown.choices);
                thrown.worth = match thrown.choices.is_empty() {
                    true => thrown.worth.moved(off),
                    false => best(&thrown.choices),
                };
            }
        }
        let entry = Some(Arc::clone(&known.entry));
        Self { worth: certified, proof: Proof::Book, entry, ..self }
    }

    /// Restricts it to one throw: the chance is that after the throw, which is never a known result.
    ///
    /// * `self`: with every throw.
    pub(super) fn of_throw(mut self, throw: Throw) -> Self {
        self.throws.retain(|thrown| thrown.throw == throw);
        let worth = self.throws.first().map_or(ChanceKnowledge::UNKNOWN, |thrown| thrown.worth);
        Self { worth, proof: Proof::None, entry: None, ..self }
    }
}

impl ChanceKnowledge {
    /// An estimate shifted by `by`; a certified chance stays.
    fn moved(self, by: f64) -> Self {
        match self {
            Self::Certified(between) => Self::Certified(between),
            Self::Estimated(chance) => Self::Estimated((chance + by).clamp(0.0, 1.0)),
        }
    }
}
