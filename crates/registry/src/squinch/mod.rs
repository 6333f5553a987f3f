//! Squinch: tables by the checkers of each side, solved in one pass, and races that need no table.

mod claims;
mod solve;
#[cfg(test)]
mod tests;
mod work;

use marquis_core::{ByPlayer, Effort, GameId, Immobile, Notation as _, Player, Score, TextError};
use marquis_engine::game::{
    About, Evidence, ExactGame, Finding, Kin, LayerSolver, Tabled, allow_index, read_position,
};

use self::solve::ByCamps;
use marquis_engine::{BuildQuery, Control, EngineError};
use marquis_games::notation::number;
use marquis_games::squinch::index::camp::Camp;
use marquis_games::squinch::notation::LETTERS;
use marquis_games::squinch::{self as rules, Checkers, Move, Position, Square, SquinchIndex};
use marquis_wire::reports::DrawnRow;

/// Far more pairs of placements than the exhaustive solver takes.
const VAST: u128 = 100_000_000;

/// Squinch, for the engine.
pub(crate) struct Squinch;

/// The index of a board for at most `most` checkers a side.
pub(crate) fn index(game: rules::Squinch, most: u8) -> Result<SquinchIndex, EngineError> {
    let what = || format!("{most} checkers a side of squinch on {}", variant(game));
    allow_index(what, SquinchIndex::bytes(game, most))?;
    Ok(SquinchIndex::new(game, most))
}

fn variant(game: rules::Squinch) -> String {
    format!("files={} ranks={}", game.files(), game.ranks())
}

/// The board of a variant such as `files=4 ranks=4`.
fn board_of(text: &str) -> Option<rules::Squinch> {
    let (files, ranks) = text.strip_prefix("files=")?.split_once(" ranks=")?;
    let game = rules::Squinch::new(files.parse().ok()?, ranks.parse().ok()?)?;
    (variant(game) == text).then_some(game)
}

/// The layer of a name such as `03v04`.
fn checkers(name: &str) -> Option<Checkers> {
    let (mover, opponent) = name.split_once('v')?;
    Some(Checkers { mover: mover.parse().ok()?, opponent: opponent.parse().ok()? })
}

impl Tabled for Squinch {
    const ID: GameId = GameId::new("squinch");
    const LETTERS: ByPlayer<char> = LETTERS;
    const NUMBERING: u32 = SquinchIndex::VERSION;

    type Position = Position;
    type Move = Move;
    type Rules = rules::Squinch;
    type Index = SquinchIndex;

    fn reopen(variant: &str, layers: &[&str]) -> Result<SquinchIndex, EngineError> {
        let game = board_of(variant);
        let expected = || TextError::new("variant", "such as `files=4 ranks=4`", variant);
        let game = game.ok_or_else(expected)?;
        let named = layers.iter().filter_map(|name| checkers(name));
        let most = named.map(|layer| layer.mover.max(layer.opponent)).max().unwrap_or(0);
        index(game, most)
    }

    /// A position gives the size of the board and the largest number of checkers of each side.
    fn wanted(query: &BuildQuery) -> Result<(SquinchIndex, Vec<Checkers>), EngineError> {
        let missing = || TextError::new("from", "--from POSITION, such as start:4x4", "");
        let from = query.from.as_ref().ok_or_else(missing)?;
        let (game, position) = read_position::<Self>(from, query.immobile)?;
        let layer = SquinchIndex::layer(&position);
        Ok((index(game, layer.mover.max(layer.opponent))?, vec![layer]))
    }

    fn variant(index: &SquinchIndex) -> String {
        variant(*index.game())
    }

    fn folder(index: &SquinchIndex) -> String {
        format!("squinch-{}x{}", index.game().files(), index.game().ranks())
    }

    fn layer_name(layer: Checkers) -> String {
        format!("{:02}v{:02}", layer.mover, layer.opponent)
    }

    fn layer_named(index: &SquinchIndex, name: &str) -> Option<Checkers> {
        checkers(name).filter(|layer| layer.mover.max(layer.opponent) <= index.most_checkers())
    }

    fn text(index: &SquinchIndex, position: &Position) -> String {
        index.game().position_text(position)
    }

    fn locate(
        index: &SquinchIndex,
        rules: &rules::Squinch,
        position: &Position,
    ) -> Option<(Checkers, Position)> {
        let here = rules == index.game() && index.covers(position);
        here.then(|| (SquinchIndex::layer(position), *position))
    }

    fn same_rules(index: &SquinchIndex, rules: &rules::Squinch, _: &Position) -> bool {
        rules == index.game()
    }

    fn index_bytes(index: &SquinchIndex) -> u64 {
        // An existing index fits into memory.
        u64::try_from(SquinchIndex::bytes(*index.game(), index.most_checkers())).unwrap_or(u64::MAX)
    }

    fn solver(index: &SquinchIndex) -> impl LayerSolver<Checkers> + '_ {
        ByCamps(index)
    }
}

impl ExactGame for Squinch {
    fn about() -> About {
        About {
            id: Self::ID,
            variants: "2 to 8 files, 1 to 8 ranks, up to 24 checkers a colour",
            grammar: "ROWS r|w: rows from the top, separated by `/`; in a row comma-separated tokens: a number so \
                      many empty squares, `r3` a red stack of three",
            rules: &rules::RULES,
            sizes: &["3x3x1", "4x4x1", "8x8x3"],
            colours: ByPlayer::new("Red", "White"),
            builds: "  --from POSITION        every position with at most as many checkers a side on that board; \
                     start:4x6 and\n                         \
                     start:3x6x2 are boards of 4 files and 6 ranks, and of 3 by 6 with two ranks each",
            agrees_on_immobile: false,
        }
    }

    /// `FILESxRANKS`, or `FILESxRANKSxROWS` of checkers; one number is a square board.
    fn start(size: Option<&str>) -> Result<(rules::Squinch, Position), TextError> {
        let expected = "FILESxRANKS or FILESxRANKSxROWS, such as 8x8x3, the rows of both sides apart";
        let found = start(size.unwrap_or("8x8x3"));
        found.ok_or_else(|| TextError::new("start", expected, size.unwrap_or("")))
    }

    fn parse(text: &str, _: Immobile) -> Result<(rules::Squinch, Position), TextError> {
        rules::parse(text)
    }

    fn cells(game: &rules::Squinch) -> Vec<Vec<String>> {
        let row = |rank| (0..game.files()).map(move |file| Square::new(file, rank).to_string()).collect();
        (0..game.ranks()).rev().map(row).collect()
    }

    fn draw(game: &rules::Squinch, position: &Position) -> (Vec<DrawnRow>, Vec<String>) {
        let cell = |file, rank| match position.stack(Square::new(file, rank)) {
            None => ".".to_owned(),
            Some(stack) => format!("{}{}", LETTERS[stack.owner], stack.height),
        };
        let row = |rank: u8| DrawnRow {
            label: (rank + 1).to_string(),
            indent: 0,
            cells: (0..game.files()).map(|file| cell(file, rank)).collect(),
        };
        let files = (0..game.files()).map(|file| char::from(b'a' + file).to_string()).collect();
        let mut rows: Vec<DrawnRow> = (0..game.ranks()).rev().map(row).collect();
        rows.push(DrawnRow { label: String::new(), indent: 0, cells: files });
        (rows, Vec::new())
    }

    fn direct_score(rules: &rules::Squinch, position: &Position, effort: &mut Effort<'_>) -> Option<Score> {
        rules.race(position, effort)
    }

    fn work(rules: &rules::Squinch, position: &Position, player: Player) -> Option<u32> {
        Some(work::work(rules, position, player))
    }

    fn kin(rules: &rules::Squinch, position: &Position, _: Player) -> Option<Kin> {
        work::kin(rules, position).map(Kin::wide)
    }

    /// Play goes through most placements of a board before the first checkers are borne off.
    fn is_vast(rules: &rules::Squinch, position: &Position) -> bool {
        let checkers = |player| u8::try_from(position.checkers(player)).unwrap_or(u8::MAX);
        let [red, white] = Player::BOTH.map(|player| Camp::placements(*rules, checkers(player)));
        red.saturating_mul(white) > VAST
    }

    fn claims(
        rules: &rules::Squinch,
        _: &Position,
        evidence: Evidence<'_, Self>,
        control: &Control<'_>,
    ) -> Result<Vec<Finding>, EngineError> {
        claims::claims(*rules, evidence, control)
    }
}

fn start(size: &str) -> Option<(rules::Squinch, Position)> {
    let numbers: Vec<u8> =
        size.split('x').map(|n| number(n).and_then(|n| u8::try_from(n).ok())).collect::<Option<_>>()?;
    let usual_rows = |ranks: u8| if ranks >= 8 { 3 } else { 1 };
    let (files, ranks, rows) = match numbers[..] {
        [files] => (files, files, usual_rows(files)),
        [files, ranks] => (files, ranks, usual_rows(ranks)),
        [files, ranks, rows] => (files, ranks, rows),
        _ => return None,
    };
    let game = rules::Squinch::new(files, ranks)?;
    game.start(rows).map(|position| (game, position))
}
