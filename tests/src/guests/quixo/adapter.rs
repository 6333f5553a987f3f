//! The adapter of Quixo for the engine: everything needed in addition to the rules.

use marquis_core::{ByPlayer, GameId, Immobile, Indexed as _, Notation as _, TextError};
use marquis_engine::game::{About, ByUnMoves, ExactGame, LayerSolver, Tabled, read_position};
use marquis_engine::{BuildQuery, EngineError};
use marquis_wire::reports::DrawnRow;

use super::{COLOURS, Cubes, GRAMMAR, LETTERS, NAME, Quixo, Signs, VARIANTS, index, parse};

/// The adapter of Quixo for the engine.
pub struct Adapter;

impl Tabled for Adapter {
    const ID: GameId = GameId::new(NAME);
    const LETTERS: ByPlayer<char> = LETTERS;
    const NUMBERING: u32 = index::NUMBERING;

    type Position = Cubes;
    type Move = u8;
    type Rules = Quixo;
    type Index = Quixo;

    fn reopen(variant: &str, _: &[&str]) -> Result<Quixo, EngineError> {
        let expected = || TextError::new("variant", "edge=3 or edge=4", variant);
        Ok(Quixo::of_variant(variant).ok_or_else(expected)?)
    }

    fn wanted(query: &BuildQuery) -> Result<(Quixo, Vec<Signs>), EngineError> {
        if let Some(from) = &query.from {
            let (quixo, position) = read_position::<Self>(from, query.immobile)?;
            return Ok((quixo, vec![quixo.slot(&position).0]));
        }
        let wrong = || TextError::new("side", "3 or 4 cubes an edge", "");
        let quixo = query.side.and_then(Quixo::new).ok_or_else(wrong)?;
        Ok((quixo, quixo.layers()))
    }

    fn variant(quixo: &Quixo) -> String {
        quixo.variant()
    }

    fn folder(quixo: &Quixo) -> String {
        quixo.folder()
    }

    fn layer_name(layer: Signs) -> String {
        Quixo::FOUR.layer_name(layer)
    }

    fn layer_named(quixo: &Quixo, name: &str) -> Option<Signs> {
        quixo.layer_named(name)
    }

    fn text(quixo: &Quixo, position: &Cubes) -> String {
        quixo.position_text(position)
    }

    fn locate(quixo: &Quixo, rules: &Quixo, position: &Cubes) -> Option<(Signs, Cubes)> {
        (rules == quixo).then(|| (quixo.slot(position).0, *position))
    }

    fn same_rules(quixo: &Quixo, rules: &Quixo, _: &Cubes) -> bool {
        rules == quixo
    }

    fn index_bytes(_: &Quixo) -> u64 {
        Quixo::FOUR.bytes()
    }

    fn solver(quixo: &Quixo) -> impl LayerSolver<Signs> + '_ {
        ByUnMoves(quixo)
    }
}

impl ExactGame for Adapter {
    fn about() -> About {
        About {
            id: Self::ID,
            variants: VARIANTS,
            grammar: GRAMMAR,
            rules: &super::RULES,
            sizes: &["3", "4"],
            colours: COLOURS,
            builds: "  --side 3         the whole board\n  --from POSITION  what a position leads to",
            agrees_on_immobile: false,
        }
    }

    fn start(size: Option<&str>) -> Result<(Quixo, Cubes), TextError> {
        let edge = size.map_or(Some(4), |size| size.parse().ok());
        let quixo = edge.and_then(Quixo::new);
        let wrong = || TextError::new("start", "3 or 4 cubes an edge", size.unwrap_or(""));
        quixo.map(|quixo| (quixo, quixo.start())).ok_or_else(wrong)
    }

    fn parse(text: &str, _: Immobile) -> Result<(Quixo, Cubes), TextError> {
        parse(text)
    }

    fn draw(quixo: &Quixo, position: &Cubes) -> (Vec<DrawnRow>, Vec<String>) {
        let text = quixo.position_text(position);
        let rows = text.split([' ', '/']).take(usize::from(quixo.edge()));
        let cells = |row: &str| {
            let cell = |letter: char| match letter.to_digit(10) {
                Some(blank) => vec![".".to_owned(); blank as usize],
                None => vec![letter.to_string()],
            };
            row.chars().flat_map(cell).collect()
        };
        let row =
            |(row, number): (&str, u8)| DrawnRow { label: number.to_string(), indent: 0, cells: cells(row) };
        (rows.zip((1..=quixo.edge()).rev()).map(row).collect(), Vec::new())
    }
}
