//! Swish and Squeeze: tables by set-ups, initial numbers for the search, and set-ups to balance.

pub mod bounds;
mod designs;
mod setups;
#[cfg(test)]
mod tests;
mod wanted;

use std::marker::PhantomData;

use marquis_core::{ByPlayer, GameId, Immobile, Notation as _, Player, TextError};
use marquis_engine::game::{About, ByRows, ExactGame, Kin, LayerSolver, SetUps, Tabled, allow_index};
use marquis_engine::{BuildQuery, EngineError};
use marquis_games::beads::{BeadGame, BeadIndex, BeadLayer, Capture, Move, Position, Scope};
use marquis_table::Fingerprint;
use marquis_wire::reports::DrawnRow;

use crate::hexagon;

/// A game of rooks and beads, for the engine.
pub(crate) struct Adapter<R>(PhantomData<fn() -> R>);

/// Far more states than the exhaustive solver takes; counting them exactly is not worth the time.
const VAST: f64 = 1e8;

fn index<R: Capture>(scope: Scope) -> Result<BeadIndex<R>, EngineError> {
    allow_index(|| format!("{} {scope}", R::ID), BeadIndex::<R>::bytes(&scope))?;
    Ok(BeadIndex::new(scope))
}

impl<R: Capture> Tabled for Adapter<R> {
    const ID: GameId = GameId::new(R::ID);
    const LETTERS: ByPlayer<char> = ByPlayer::new('w', 'b');
    const NUMBERING: u32 = BeadIndex::<R>::VERSION;

    type Position = Position;
    type Move = Move;
    type Rules = BeadGame<R>;
    type Index = BeadIndex<R>;

    fn reopen(variant: &str, _: &[&str]) -> Result<Self::Index, EngineError> {
        index(variant.parse::<Scope>()?)
    }

    fn wanted(query: &BuildQuery) -> Result<(Self::Index, Vec<BeadLayer>), EngineError> {
        let index = index(wanted::scope::<R>(query)?)?;
        let wanted = index.layers().collect();
        Ok((index, wanted))
    }

    fn variant(index: &Self::Index) -> String {
        index.scope().to_string()
    }

    /// The variant is too long for a name, so a few digits of its hash stand for it.
    fn folder(index: &Self::Index) -> String {
        let hash = Fingerprint::of(&Self::variant(index)).to_string();
        format!("{}-s{}-{}", R::ID, index.scope().side().get(), &hash[..8])
    }

    fn layer_name(layer: BeadLayer) -> String {
        layer.name()
    }

    fn layer_named(index: &Self::Index, name: &str) -> Option<BeadLayer> {
        BeadLayer::named(name).filter(|&layer| index.layers().any(|own| own == layer))
    }

    fn text(index: &Self::Index, position: &Position) -> String {
        index.game().position_text(position)
    }

    fn locate(
        index: &Self::Index,
        rules: &Self::Rules,
        position: &Position,
    ) -> Option<(BeadLayer, Position)> {
        let position = index.translated(rules, position)?;
        Some((index.layer(&position), position))
    }

    fn same_rules(index: &Self::Index, rules: &Self::Rules, position: &Position) -> bool {
        index.translated(rules, position).is_some()
    }

    fn around(rules: &Self::Rules, position: &Position, slots: u64) -> Option<(Self::Index, Vec<BeadLayer>)> {
        // Captures leave fewer rooks and beads: only the layers of the position itself are counted, without an index.
        let cells = rules.board().count() - position.beads.len();
        let (own, others) = (position.rooks.first.len(), position.rooks.second.len());
        let fewest = hexagon::slots(cells, own, others);
        let scope = Scope::of_position(rules, position);
        if fewest > slots as f64 || BeadIndex::<R>::bytes(&scope) > u128::from(hexagon::MOST_BYTES_AROUND) {
            return None;
        }
        let index = BeadIndex::new(scope);
        let layers = index.layers().collect();
        Some((index, layers))
    }

    /// True if the mover has more rooks, or as many and needs fewer beads. After his move it is the turn of a player
    /// who is behind, and captures leave that player farther behind.
    fn is_implied(layer: BeadLayer) -> bool {
        let BeadLayer { mover_rooks, opponent_rooks, mover_needs, opponent_needs, .. } = layer;
        mover_rooks > opponent_rooks || mover_rooks == opponent_rooks && mover_needs < opponent_needs
    }

    fn index_bytes(index: &Self::Index) -> u64 {
        // An existing index fits into memory.
        u64::try_from(BeadIndex::<R>::bytes(index.scope())).unwrap_or(u64::MAX)
    }

    fn solver(index: &Self::Index) -> impl LayerSolver<BeadLayer> + '_ {
        ByRows(index)
    }
}

impl<R: Capture> ExactGame for Adapter<R> {
    fn about() -> About {
        About {
            id: Self::ID,
            variants: "side 2 to 5, up to 3 rooks a colour, any beads, any target; immobile=loss (default) or \
                       immobile=pass; pie=marquisian (default) or pie=bait",
            grammar: "ROWS w|b [W-B [T]]: rows from the top, separated by `/`; `w`, `b` a rook, `o` a bead, a number so \
                      many empty cells; the beads in White's and Black's store (0-0) and the target (the majority of \
                      all beads)",
            rules: R::RULES,
            sizes: &[],
            colours: ByPlayer::new("White", "Black"),
            builds: "  --from SETUP                      everything that play from the set-up or position can lead to\n  \
                     --side 3 --beads 2 --pieces 1v1   two beads and a rook each, wherever they stand, and all that \
                     follows",
            agrees_on_immobile: true,
        }
    }

    fn start(_: Option<&str>) -> Result<(Self::Rules, Position), TextError> {
        let expected = format!("a position; in {} Player One lays out a set-up first", Self::ID);
        Err(TextError::fact("start", expected, "`start`"))
    }

    fn parse(text: &str, immobile: Immobile) -> Result<(Self::Rules, Position), TextError> {
        BeadGame::parse(text, immobile)
    }

    fn cells(rules: &Self::Rules) -> Vec<Vec<String>> {
        hexagon::cells(rules.board())
    }

    fn draw(rules: &Self::Rules, position: &Position) -> (Vec<DrawnRow>, Vec<String>) {
        let letter = |cell| match (position.rooks.first.contains(cell), position.rooks.second.contains(cell))
        {
            (true, _) => 'w',
            (_, true) => 'b',
            _ if position.beads.contains(cell) => 'o',
            _ => '.',
        };
        let (w, b, target) = (position.stores.first.0, position.stores.second.0, rules.target().0);
        let notes = vec![format!("White's store {w}, Black's store {b}, {target} beads win")];
        (hexagon::rows(rules.board(), letter), notes)
    }

    fn target(rules: &Self::Rules) -> Option<u16> {
        Some(rules.target().0)
    }

    fn work(rules: &Self::Rules, position: &Position, player: Player) -> Option<u32> {
        Some(bounds::work(rules, position, player))
    }

    fn kin(rules: &Self::Rules, position: &Position, player: Player) -> Option<Kin> {
        Some(bounds::kin(rules, position, player))
    }

    fn wins_at_once(rules: &Self::Rules, position: &Position) -> bool {
        bounds::wins_at_once(rules, position)
    }

    fn may_lose_next(rules: &Self::Rules, position: &Position) -> bool {
        bounds::may_lose_next(rules, position)
    }

    fn is_vast(rules: &Self::Rules, position: &Position) -> bool {
        bounds::is_vast(rules, position, VAST)
    }

    fn set_ups() -> Option<&'static dyn SetUps<Self>> {
        Some(&setups::BeadSetUps)
    }
}
