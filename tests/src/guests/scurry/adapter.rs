//! The adapter of Scurry for the engine: everything needed in addition to the rules.

use marquis_core::{ByPlayer, Cell, Chance as _, GameId, Player, Slot, TextError};
use marquis_engine::chance::{ChanceGame, ChanceWork, sweep};
use marquis_engine::game::{About, Method, MethodCost};
use marquis_engine::{BuildQuery, EngineError};
use marquis_wire::reports::DrawnRow;

use super::{
    COLOURS, GRAMMAR, LETTERS, Move, NAME, Pieces, Position, SQUARES, Scurry, VARIANTS, index, parse,
};

/// The adapter of Scurry for the engine.
pub struct Adapter;

impl ChanceGame for Adapter {
    const ID: GameId = GameId::new(NAME);
    const LETTERS: ByPlayer<char> = LETTERS;
    const NUMBERING: u32 = index::NUMBERING;

    type Position = Position;
    type Move = Move;
    type Rules = Scurry;
    type Layer = Pieces;

    fn about() -> About {
        About {
            id: Self::ID,
            variants: VARIANTS,
            grammar: GRAMMAR,
            rules: &super::RULES,
            sizes: &["3"],
            colours: COLOURS,
            builds: "  --pieces 2v2  that layer and all that it leads to",
            agrees_on_immobile: false,
        }
    }

    fn start(size: Option<&str>) -> Result<(Scurry, Position), TextError> {
        match size {
            None | Some("3") => Ok((Scurry, Scurry.start())),
            Some(other) => Err(TextError::new("start", "3 pieces a colour", other)),
        }
    }

    fn parse(text: &str) -> Result<(Scurry, Position), TextError> {
        parse(text)
    }

    fn draw(_: &Scurry, position: &Position) -> (Vec<DrawnRow>, Vec<String>) {
        let cell = |number: u8| {
            let on = |player: &Player| position.sides[*player].track.contains(Cell(number));
            let owner = Player::BOTH.into_iter().find(on);
            owner.map_or_else(|| ".".to_owned(), |owner| LETTERS[owner].to_string())
        };
        let cells = (0..SQUARES).map(cell).collect();
        let homes = Player::BOTH.map(|player| format!("{} {}", COLOURS[player], position.sides[player].home));
        let row = DrawnRow { label: format!("1-{SQUARES}"), indent: 0, cells };
        (vec![row], vec![format!("at home: {}", homes.join(", "))])
    }

    fn variant(rules: &Scurry) -> String {
        rules.variant()
    }

    fn of_variant(variant: &str) -> Option<Scurry> {
        Scurry::of_variant(variant)
    }

    fn folder(rules: &Scurry) -> String {
        rules.folder()
    }

    fn layer_name(layer: Pieces) -> String {
        Scurry.layer_name(layer)
    }

    fn layer_named(rules: &Scurry, name: &str) -> Option<Pieces> {
        rules.layer_named(name)
    }

    fn layer(rules: &Scurry, position: &Position) -> Option<Pieces> {
        rules.over(position).is_none().then(|| rules.slot(position).0)
    }

    fn slots(rules: &Scurry, layer: Pieces) -> u64 {
        rules.slots(layer)
    }

    fn slot(rules: &Scurry, _: Pieces, position: &Position) -> Slot {
        rules.slot(position).1
    }

    fn position(rules: &Scurry, layer: Pieces, slot: Slot) -> Position {
        rules.position(layer, slot)
    }

    fn component(rules: &Scurry, layer: Pieces) -> Vec<Pieces> {
        rules.component(layer)
    }

    fn child_layers(rules: &Scurry, layer: Pieces) -> Vec<Pieces> {
        rules.child_layers(layer)
    }

    fn wanted(query: &BuildQuery) -> Result<(Scurry, Vec<Pieces>), EngineError> {
        let text = query.pieces.as_deref().unwrap_or("3v3");
        let bad = || TextError::new("pieces", "pieces of both players, 1 to 3 each, such as `2v2`", text);
        Ok((Scurry, vec![Scurry.layer_named(text).ok_or_else(bad)?]))
    }

    fn methods(rules: &Scurry, layers: &[Pieces]) -> Vec<MethodCost> {
        let slots: u64 = layers.iter().map(|&layer| rules.slots(layer)).sum();
        vec![MethodCost::in_memory(Method::Sweeps, slots * 1000)]
    }

    fn solve(rules: &Scurry, layers: &[Pieces], work: &ChanceWork<'_, Pieces>) -> Result<(), EngineError> {
        sweep::<Self>(rules, layers, work)
    }
}
