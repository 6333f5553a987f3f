//! A game without chance: its notation and drawing, and its knowledge beyond the rules.

use marquis_core::{Effort, Immobile, Player, Score, TextError};
use marquis_eval::Leaning;
use marquis_proof::Kin;

use crate::game::about::{About, start_size};
use crate::game::claim::{Evidence, Finding};
use crate::game::set_ups::SetUps;
use crate::game::tabled::Tabled;
use crate::query::BuildQuery;
use crate::{Control, EngineError};
use marquis_wire::reports::DrawnRow;

/// The estimated work of a proof that a player wins, by the leaning of the position to him.
pub type WorkByLeaning<G> = fn(
    rules: &<G as Tabled>::Rules,
    position: &<G as Tabled>::Position,
    player: Player,
    leaning: Leaning,
) -> u32;

/// A game without chance: its notation and drawing, and its knowledge for the search.
pub trait ExactGame: Tabled {
    /// The description of the game.
    fn about() -> About;

    /// The start position on a board of `size`, or of the usual size.
    ///
    /// # Errors
    /// Names the `start` if there is no board of that size, or no start position at all.
    fn start(size: Option<&str>) -> Result<(Self::Rules, Self::Position), TextError>;

    /// The rules and the position that a text describes.
    ///
    /// # Errors
    /// Names the wrong row or field, the expected content and the content found.
    fn parse(text: &str, immobile: Immobile) -> Result<(Self::Rules, Self::Position), TextError>;

    /// The board, row by row from the top, and the lines below it.
    fn draw(rules: &Self::Rules, position: &Self::Position) -> (Vec<DrawnRow>, Vec<String>);

    /// The names of the cells, row by row in the order of position texts.
    fn cells(rules: &Self::Rules) -> Vec<Vec<String>> {
        let _ = rules;
        Vec::new()
    }

    /// The number that a store has to reach, in games that end this way.
    fn target(rules: &Self::Rules) -> Option<u16> {
        let _ = rules;
        None
    }

    /// The tables that `serve` builds for this game if it finds none.
    fn starter() -> Option<BuildQuery> {
        None
    }

    /// The score of a position of a kind that is solved without tables or a search of both sides. `None` for other
    /// kinds, or if it takes more effort.
    ///
    /// * `effort`: one unit is one examined placement.
    fn direct_score(
        rules: &Self::Rules,
        position: &Self::Position,
        effort: &mut Effort<'_>,
    ) -> Option<Score> {
        let _ = (rules, position, effort);
        None
    }

    /// The estimated work of a proof of a win, on boards with a learned evaluation. `None` if [`work`](Self::work) is
    /// as good.
    const WORK_BY_LEANING: Option<WorkByLeaning<Self>> = None;

    /// The estimated work of a proof that `player` wins; `None` if there is no estimate.
    fn work(rules: &Self::Rules, position: &Self::Position, player: Player) -> Option<u32> {
        let _ = (rules, position, player);
        None
    }

    /// The kin of positions whose proofs that `player` wins cost about the same, beyond the estimate of
    /// [`work`](Self::work). `None` if a search has nothing to learn from it.
    fn kin(rules: &Self::Rules, position: &Self::Position, player: Player) -> Option<Kin> {
        let _ = (rules, position, player);
        None
    }

    /// Whether the player to move certainly wins with this move.
    fn wins_at_once(rules: &Self::Rules, position: &Self::Position) -> bool {
        let _ = (rules, position);
        false
    }

    /// Whether a move may lead to a position in which the opponent [`wins_at_once`](Self::wins_at_once).
    fn may_lose_next(rules: &Self::Rules, position: &Self::Position) -> bool {
        let _ = (rules, position);
        true
    }

    /// Whether far more positions are reachable from this one than could be solved one by one.
    fn is_vast(rules: &Self::Rules, position: &Self::Position) -> bool {
        let _ = (rules, position);
        false
    }

    /// Checks the designer's claims beyond those that are checked in every game.
    ///
    /// # Errors
    /// A table cannot be read, or the work is interrupted.
    fn claims(
        rules: &Self::Rules,
        position: &Self::Position,
        evidence: Evidence<'_, Self>,
        control: &Control<'_>,
    ) -> Result<Vec<Finding>, EngineError> {
        let _ = (rules, position, evidence, control);
        Ok(Vec::new())
    }

    /// The set-ups, if Player One lays out a board before the game; otherwise `None`.
    fn set_ups() -> Option<&'static dyn SetUps<Self>> {
        None
    }
}

/// The rules and the position of a text; `start` and `start:SIZE` stand for start positions.
///
/// # Errors
/// As [`ExactGame::parse`] and [`ExactGame::start`].
pub fn read_position<G: ExactGame>(
    text: &str,
    immobile: Immobile,
) -> Result<(G::Rules, G::Position), TextError> {
    match start_size(text) {
        Some(size) => G::start(size),
        None => G::parse(text.trim(), immobile),
    }
}
