//! Describes a judged proof file in sentences.

use std::fmt;

use marquis_core::{Bounds, Player, Value};

use super::judge::{Conclusion, FileJudgement, FileRefusal, ReplayedClaim};
use crate::knowledge::proofs::Shown;
use crate::registry::GameEntry;
use crate::results::pie::FirstMovers;
use marquis_wire::reports::{ProofReport, ProvedClaim};

impl FileJudgement {
    /// The judgement as a report.
    pub(super) fn report(&self) -> ProofReport {
        let Self { game, about, replayed, conclusion } = self;
        let (balance, agrees) = (about.balance.as_ref(), game.about().agrees_on_immobile);
        let report = ProofReport {
            game: game.id().name().to_owned(),
            variant: agrees.then(|| format!("immobile={}", about.immobile.name())),
            target: balance.map(|about| about.laid_out.target),
            pie: balance.map(|about| about.pie.name().to_owned()),
            bait: balance.map(|about| about.laid_out.bait),
            board: balance.map(|about| about.laid_out.board.clone()),
            claims: replayed.iter().map(ReplayedClaim::report).collect(),
            player_two: None,
            proved: Vec::new(),
            refused: None,
        };
        match conclusion {
            Ok(Conclusion::Values) => ProofReport {
                target: replayed.first().and_then(|claim| claim.posed.position().target()),
                proved: replayed.iter().map(|claim| claim.sentence(game)).collect(),
                ..report
            },
            Ok(Conclusion::Balance(movers)) => {
                let player_two = movers.player_two();
                let told = player_two.response(game.letters());
                let mut proved = mover_sentences(game, movers);
                proved.push(told.sentence(player_two.balanced()));
                ProofReport { proved, player_two: Some(told), ..report }
            }
            Err(refusal) => ProofReport { refused: Some(refusal.to_string()), ..report },
        }
    }
}

impl ReplayedClaim {
    fn report(&self) -> ProvedClaim {
        let position = self.posed.text();
        let Shown { bounds, positions, by_theorem } = self.shown;
        ProvedClaim { position, bounds, positions, by_theorem }
    }

    fn sentence(&self, game: &GameEntry) -> String {
        let colour = game.colour(self.posed.position().turn());
        format!("{colour}, to move in {}, {}.", self.posed.text(), deed(self.shown.bounds))
    }
}

impl fmt::Display for FileRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replay { posed, why } => write!(f, "{}: {why}", posed.text()),
            Self::Nothing => f.write_str("expected a claim about a value, found none"),
            Self::Foreign(other) => {
                write!(f, "{other}: expected a first position of the set-up, found another one")
            }
            Self::Contradiction { follows, said } => {
                write!(f, "expected what follows, {follows}, found {said}")
            }
        }
    }
}

/// The phrase for a player's bounds.
const fn deed(bounds: Bounds) -> &'static str {
    match (bounds.worst, bounds.best) {
        (Value::Win, _) => "wins",
        (_, Value::Loss) => "loses",
        (Value::Draw, Value::Draw) => "draws: neither player can be beaten",
        (Value::Draw, Value::Win) => "cannot be beaten",
        (Value::Loss, Value::Draw) => "cannot win",
        (Value::Loss, Value::Win) => "may win or lose: nothing is proved",
    }
}

/// The proved results for each colour that moves first, as sentences.
fn mover_sentences(game: &GameEntry, movers: &FirstMovers) -> Vec<String> {
    let known = Player::BOTH.into_iter().zip(movers.bounds).filter(|(_, bounds)| *bounds != Bounds::UNKNOWN);
    let sentence =
        |(player, bounds)| format!("{}, if it moves first, {}.", game.colour(player), deed(bounds));
    known.map(sentence).collect()
}
