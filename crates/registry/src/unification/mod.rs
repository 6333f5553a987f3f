//! Squish and Flowish: tables by the pieces of each side, packed by hints of a race.

mod claims;
mod hints;
mod near_end;
#[cfg(test)]
mod tests;
mod wanted;
mod work;

use std::marker::PhantomData;
use std::sync::LazyLock;

use marquis_core::{ByPlayer, GameId, Immobile, Notation as _, Player, TextError};
use marquis_engine::game::{
    About, ByRows, Evidence, ExactGame, Finding, LayerSolver, Tabled, WorkByLeaning, allow_index,
};
use marquis_engine::{BuildQuery, Control, EngineError};
use marquis_games::hex::Side;
use marquis_games::notation::number;
use marquis_games::steps::Step;
use marquis_games::unification::{
    Approach, Flow, Material, Position, Stepping, Unification, UnificationIndex,
};
use marquis_table::SlotFacts;
use marquis_wire::reports::DrawnRow;

use self::hints::Races;
use crate::hexagon;

/// A game of unification, for the engine.
pub(crate) struct Adapter<R>(PhantomData<fn() -> R>);

/// The differences between the games of unification, beyond their rules.
pub(crate) trait Member: Stepping {
    /// The side of the usual board.
    const USUAL_SIDE: u8;

    /// The hints for packing, on every board.
    fn races() -> &'static Races<Self>;

    /// Checks the designer's claims.
    fn claims(side: Side, control: &Control<'_>) -> Result<Vec<Finding>, EngineError>;
}

impl Member for Approach {
    const USUAL_SIDE: u8 = 4;

    fn races() -> &'static Races<Self> {
        static RACES: Races<Approach> = LazyLock::new(hints::all);
        &RACES
    }

    fn claims(_: Side, _: &Control<'_>) -> Result<Vec<Finding>, EngineError> {
        Ok(Vec::new())
    }
}

impl Member for Flow {
    const USUAL_SIDE: u8 = 5;

    fn races() -> &'static Races<Self> {
        static RACES: Races<Flow> = LazyLock::new(hints::all);
        &RACES
    }

    fn claims(side: Side, control: &Control<'_>) -> Result<Vec<Finding>, EngineError> {
        claims::claims(side, control)
    }
}

/// Far more placements than the exhaustive solver takes.
const VAST: f64 = 1e8;

/// The board of a variant such as `side=3`.
fn side_of(variant: &str) -> Option<Side> {
    variant.strip_prefix("side=")?.parse().ok().and_then(Side::new)
}

/// The material of a name such as `03v05`.
fn material(name: &str) -> Option<Material> {
    let (mover, opponent) = name.split_once('v')?;
    Some(Material { mover: mover.parse().ok()?, opponent: opponent.parse().ok()? })
}

fn index<R: Stepping>(side: Side, most: u8) -> Result<UnificationIndex<R>, EngineError> {
    let what = || format!("up to {most} pieces a side of {} on side {}", R::ID, side.get());
    allow_index(what, UnificationIndex::<R>::bytes(side, most))?;
    Ok(UnificationIndex::new(Unification::new(side), most))
}

impl<R: Member> Tabled for Adapter<R> {
    const ID: GameId = GameId::new(R::ID);
    const LETTERS: ByPlayer<char> = ByPlayer::new('w', 'b');
    const NUMBERING: u32 = UnificationIndex::<R>::VERSION;

    type Position = Position;
    type Move = Step;
    type Rules = Unification<R>;
    type Index = UnificationIndex<R>;

    fn reopen(variant: &str, layers: &[&str]) -> Result<Self::Index, EngineError> {
        let expected = || TextError::new("variant", "side=2 to side=5", variant);
        let side = side_of(variant).ok_or_else(expected)?;
        let cells = side.board().count();
        let most = |name: &&str| {
            let room = |layer: &Material| u32::from(layer.mover) + u32::from(layer.opponent) <= cells;
            material(name).filter(room).map(|layer| layer.mover.max(layer.opponent))
        };
        let most = layers.iter().filter_map(most).max().unwrap_or(0);
        index(side, most)
    }

    fn wanted(query: &BuildQuery) -> Result<(Self::Index, Vec<Material>), EngineError> {
        let (side, most) = wanted::largest::<R>(query)?;
        Ok((index(side, most.mover.max(most.opponent))?, wanted::layers_within(side, most)))
    }

    fn variant(index: &Self::Index) -> String {
        format!("side={}", index.game().side().get())
    }

    fn folder(index: &Self::Index) -> String {
        format!("{}-s{}", R::ID, index.game().side().get())
    }

    fn layer_name(layer: Material) -> String {
        format!("{:02}v{:02}", layer.mover, layer.opponent)
    }

    fn layer_named(index: &Self::Index, name: &str) -> Option<Material> {
        material(name).filter(|layer| layer.mover.max(layer.opponent) <= index.most_pieces())
    }

    fn text(index: &Self::Index, position: &Position) -> String {
        index.game().position_text(position)
    }

    fn locate(index: &Self::Index, rules: &Self::Rules, position: &Position) -> Option<(Material, Position)> {
        let here = rules.side() == index.game().side() && index.covers(position);
        here.then(|| (UnificationIndex::<R>::material(position), *position))
    }

    fn same_rules(index: &Self::Index, rules: &Self::Rules, _: &Position) -> bool {
        rules.side() == index.game().side()
    }

    fn around(rules: &Self::Rules, position: &Position, slots: u64) -> Option<(Self::Index, Vec<Material>)> {
        let (side, material) = (rules.side(), UnificationIndex::<R>::material(position));
        let (cells, [own, others]) =
            (side.board().count(), [material.mover, material.opponent].map(u32::from));
        let fewest = hexagon::slots(cells, own, others);
        let most = material.mover.max(material.opponent);
        if fewest > slots as f64
            || UnificationIndex::<R>::bytes(side, most) > u128::from(hexagon::MOST_BYTES_AROUND)
        {
            return None;
        }
        Some((UnificationIndex::new(*rules, most), vec![material]))
    }

    /// True if the mover has more pieces. After his move it is the turn of a player who has fewer, and captures leave
    /// that player fewer still.
    fn is_implied(layer: Material) -> bool {
        layer.mover > layer.opponent
    }

    fn index_bytes(index: &Self::Index) -> u64 {
        // An existing index fits into memory.
        u64::try_from(UnificationIndex::<R>::bytes(index.game().side(), index.most_pieces()))
            .unwrap_or(u64::MAX)
    }

    fn solver(index: &Self::Index) -> impl LayerSolver<Material> + '_ {
        ByRows(index)
    }

    fn hints(variant: &str, layer: &str) -> Option<SlotFacts> {
        hints::hints(R::races(), side_of(variant)?, material(layer)?)
    }
}

impl<R: Member> ExactGame for Adapter<R> {
    fn about() -> About {
        About {
            id: Self::ID,
            variants: "side 2 to 5, any pieces",
            grammar: "ROWS w|b: rows from the top, separated by `/`; `w`, `b` a piece, a number for that many empty cells",
            rules: R::RULES,
            sizes: &["3", "4", "5"],
            colours: ByPlayer::new("White", "Black"),
            builds: "  --side 3               every layer of that board\n  \
                     --side 4 --pieces 3v3  that layer and all that it leads to\n  \
                     --from POSITION        every layer that can be reached from the position",
            agrees_on_immobile: false,
        }
    }

    fn start(size: Option<&str>) -> Result<(Self::Rules, Position), TextError> {
        let side = size.map_or(Some(u32::from(R::USUAL_SIDE)), number);
        let side = side.and_then(|n| u8::try_from(n).ok()).and_then(Side::new);
        let side = side.ok_or_else(|| TextError::new("start", "a side from 2 to 5", size.unwrap_or("")))?;
        let rules = Unification::new(side);
        Ok((rules, rules.start()))
    }

    fn parse(text: &str, _: Immobile) -> Result<(Self::Rules, Position), TextError> {
        Unification::parse(text)
    }

    fn cells(rules: &Self::Rules) -> Vec<Vec<String>> {
        hexagon::cells(rules.board())
    }

    fn draw(rules: &Self::Rules, position: &Position) -> (Vec<DrawnRow>, Vec<String>) {
        let letter =
            |cell| match (position.pieces.first.contains(cell), position.pieces.second.contains(cell)) {
                (true, _) => 'w',
                (_, true) => 'b',
                _ => '.',
            };
        (hexagon::rows(rules.board(), letter), Vec::new())
    }

    const WORK_BY_LEANING: Option<WorkByLeaning<Self>> = Some(|rules, position, player, leaning| {
        work::by_leaning::<R>(rules.board(), position, player, leaning)
    });

    fn work(rules: &Self::Rules, position: &Position, player: Player) -> Option<u32> {
        Some(work::by_steps::<R>(rules.board(), position, player))
    }

    fn wins_at_once(rules: &Self::Rules, position: &Position) -> bool {
        near_end::unites_at_once::<R>(rules.board(), position)
    }

    /// Pieces can go nearly everywhere, and few are captured before the end.
    fn is_vast(rules: &Self::Rules, position: &Position) -> bool {
        let cells = rules.board().count();
        let [white, black] = [position.pieces.first.len(), position.pieces.second.len()];
        hexagon::placements(cells, white) * hexagon::placements(cells - white, black) > VAST
    }

    /// Up to five pieces a side on the smallest interesting board.
    fn starter() -> Option<BuildQuery> {
        let pieces = Some("5v5".to_owned());
        Some(BuildQuery { side: Some(3), pieces, ..BuildQuery::new(Self::ID) })
    }

    fn claims(
        rules: &Self::Rules,
        _: &Position,
        _: Evidence<'_, Self>,
        control: &Control<'_>,
    ) -> Result<Vec<Finding>, EngineError> {
        R::claims(rules.side(), control)
    }
}
