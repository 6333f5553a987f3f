//! A game without chance: how it is written and drawn, and what it knows beyond its rules.

use marquis_core::{Effort, Immobile, Player, Score, TextError};
use marquis_eval::Leaning;

use crate::game::about::{About, start_size};
use crate::game::claim::{Evidence, Finding};
use crate::game::set_ups::SetUps;
use crate::game::tabled::Tabled;
use crate::query::BuildQuery;
use crate::wire::reports::DrawnRow;
use crate::{Control, EngineError};

/// A game without chance: how it is written and drawn, and what it knows for the search.
pub trait ExactGame: Tabled {
    /// What there is to say about it.
    fn about() -> About;

    /// The start position on a board of the wanted size, or of the usual one.
    ///
    /// # Errors
    /// Names the `start` when there is no board of that size, or no start at all.
    fn start(size: Option<&str>) -> Result<(Self::Rules, Self::Position), TextError>;

    /// The rules and the position that a text describes.
    ///
    /// # Errors
    /// Names the row or field that is wrong, what was expected there and what was found.
    fn parse(text: &str, immobile: Immobile) -> Result<(Self::Rules, Self::Position), TextError>;

    /// The board, row by row from the top, and what stands below it.
    fn draw(rules: &Self::Rules, position: &Self::Position) -> (Vec<DrawnRow>, Vec<String>);

    /// The names of the cells, row by row in the order of position texts.
    fn cells(rules: &Self::Rules) -> Vec<Vec<String>> {
        let _ = rules;
        Vec::new()
    }

    /// What a store has to reach, in games that end so.
    fn target(rules: &Self::Rules) -> Option<u16> {
        let _ = rules;
        None
    }

    /// What `serve` builds of this game when it finds no tables.
    fn starter() -> Option<BuildQuery> {
        None
    }

    /// The score of a position whose kind is solved without tables or a search of both sides; nothing where it is of
    /// no such kind, or where it takes more effort.
    ///
    /// * `effort`: a piece is a placement that is looked at.
    fn direct_score(
        rules: &Self::Rules,
        position: &Self::Position,
        effort: &mut Effort<'_>,
    ) -> Option<Score> {
        let _ = (rules, position, effort);
        None
    }

    /// The work that a proof of a win looks like by how far the position leans to who wins, on boards of which something
    /// was learned; none where [`work`](Self::work) is as good.
    const WORK_BY_LEANING: Option<fn(&Self::Rules, Leaning) -> u32> = None;

    /// The work that a proof of a win by `player` looks like; nothing where nobody can say.
    fn work(rules: &Self::Rules, position: &Self::Position, player: Player) -> Option<u32> {
        let _ = (rules, position, player);
        None
    }

    /// A key that positions share of which the proofs cost about as much, beyond what [`work`](Self::work) says; nothing
    /// where a search has nothing to learn from it.
    fn kin(rules: &Self::Rules, position: &Self::Position) -> Option<u64> {
        let _ = (rules, position);
        None
    }

    /// Whether the player to move certainly wins with this very move.
    fn wins_at_once(rules: &Self::Rules, position: &Self::Position) -> bool {
        let _ = (rules, position);
        false
    }

    /// Whether a move may lead to a position in which the opponent [`wins_at_once`](Self::wins_at_once).
    fn may_lose_next(rules: &Self::Rules, position: &Self::Position) -> bool {
        let _ = (rules, position);
        true
    }

    /// Whether far more positions can be reached from this one than anybody would solve one by one.
    fn is_vast(rules: &Self::Rules, position: &Self::Position) -> bool {
        let _ = (rules, position);
        false
    }

    /// What the designer claims of the game besides what is looked at in every game.
    ///
    /// # Errors
    /// A table that cannot be read, or an interruption.
    fn claims(
        rules: &Self::Rules,
        position: &Self::Position,
        evidence: Evidence<'_, Self>,
        control: &Control<'_>,
    ) -> Result<Vec<Finding>, EngineError> {
        let _ = (rules, position, evidence, control);
        Ok(Vec::new())
    }

    /// How games begin with a board that Player One lays out; none where they begin otherwise.
    fn set_ups() -> Option<&'static dyn SetUps<Self>> {
        None
    }
}

/// The rules and the position of a text in which `start` and `start:SIZE` stand for start positions.
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
