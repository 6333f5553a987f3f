//! The shapes of answers: the output of `--json` and the HTTP responses.
//!
//! The shape is a contract: fields are added, never changed.

use marquis_core::{Bounds, Value};
use serde::{Deserialize, Serialize};

use crate::Goal;
use crate::book::BookSource;
use crate::ending::{SearchEnd, Unproved};
use crate::words::{names, word};

/// The source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// The game is over.
    Rules,
    /// A tablebase.
    Table,
    /// A search or an exhaustive solution.
    Search,
    /// A proof file, shipped or loaded.
    Proof,
    /// The shipped book of known results.
    Book,
    /// Nothing is proved.
    None,
}

/// The verdict on a position or move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// `win`, `draw`, `loss` or `unknown`; `None` if it is unknown.
    #[serde(with = "super::words::value")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub value: Option<Value>,
    /// Plies to the end, counted from the requested position.
    pub plies: Option<u16>,
    /// The least and the most plies to the end, either of them null, if the value is known but the plies are not;
    /// left out if nothing bounds them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies_bounds: Option<[Option<u16>; 2]>,
    /// The worst and the best value still possible.
    #[serde(with = "super::words::bounds")]
    #[cfg_attr(feature = "schema", schema(value_type = [String; 2]))]
    pub bounds: Bounds,
    /// The source of the value.
    pub proof: Proof,
    /// If the value is unknown, the chance of winning by the engine's estimate; never a value. A draw counts as half
    /// a win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// The chances of win, draw and loss; left out if there is neither a value nor an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<Wdl>,
    /// The source of the chances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// The chances of the three results, which sum to one.
///
/// Estimated chances are of the result between two equal engines of this kind at their reference budget.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Wdl {
    /// The chance of a win.
    pub win: f64,
    /// The chance of a draw.
    pub draw: f64,
    /// The chance of a loss.
    pub loss: f64,
}

impl Wdl {
    /// The expected score: win plus half of draw.
    #[must_use]
    pub fn expected(&self) -> f64 {
        self.win + self.draw / 2.0
    }
}

/// The source of chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// They follow from proved values.
    Exact,
    /// A search with an evaluation; never a proof.
    Estimate,
}

/// How the estimates were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Insight {
    /// The depth of the search, in plies.
    pub depth: u8,
    /// The number of positions searched.
    pub nodes: u64,
    /// The share of the last finished depths, without a gap, that chose the first move of the line.
    pub stability: f64,
    /// The best line as move texts.
    pub pv: Vec<String>,
    /// The ply from which the search saw the line to its end; null if it did not.
    pub pv_exact_from: Option<u16>,
}

/// A move and its value for the player who makes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoveAnswer {
    /// The move text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
    /// Its verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The number of plies by which it is worse than the best move of the same value.
    pub delta: Option<u16>,
}

/// The answer about a position of a game without chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ExactAnswer {
    /// The game.
    pub game: String,
    /// The canonical text of the position.
    pub position: String,
    /// The letter of the player to move.
    pub turn: String,
    /// Why the game is over: `unified`, `stuck`, `target` or `borne-off`; null if it is not.
    pub over: Option<String>,
    /// The verdict on the position.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// How the estimates were found, if there are any: its fields stand next to those of the answer.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub insight: Option<Insight>,
    /// Why the search ended; left out if nothing was searched, because rules, tables or proofs knew the answer, or no
    /// search was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<SearchEnd>,
    /// The search's unproved belief, if a proof did not fit its memory and the value is unknown; never a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unproved: Option<Box<Unproved>>,
    /// The source of a known result: only with `proof: book`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<Box<BookSource>>,
    /// Every move, best first.
    pub moves: Vec<MoveAnswer>,
}

/// A Senet move and the chance of the player who makes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChanceMove {
    /// The move text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
    /// The chance of winning; null if it is unknown.
    pub chance: Option<f64>,
    /// The true chance lies within `chance ± error`; null if it is estimated.
    pub error: Option<f64>,
    /// Whether the chance is exact within its error, or estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A throw, the chance after it, and its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ThrowAnswer {
    /// The score of the throw.
    pub throw: u8,
    /// Its chance in sixteenths.
    pub weight: u8,
    /// The chance of winning after this throw.
    pub chance: Option<f64>,
    /// The true chance lies within `chance ± error`; null if it is estimated.
    pub error: Option<f64>,
    /// Whether the chance is exact within its error, or estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Every move, best first.
    pub moves: Vec<ChanceMove>,
}

/// The answer about a position of Senet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChanceAnswer {
    /// The game.
    pub game: String,
    /// The canonical text of the position.
    pub position: String,
    /// The letter of the player to throw.
    pub turn: String,
    /// Why the game is over: `unified`, `stuck`, `target` or `borne-off`; null if it is not.
    pub over: Option<String>,
    /// The chance that the player to throw wins; null if it is unknown.
    pub chance: Option<f64>,
    /// The true chance lies within `chance ± error`; null if it is estimated, also in throws and moves.
    pub error: Option<f64>,
    /// Whether the chance is exact within its error, or estimated. Throws and moves of a known result may be
    /// estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The source of an exact chance.
    pub proof: Proof,
    /// The source of a known result: only with `proof: book`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<Box<BookSource>>,
    /// Every throw, or the requested one.
    pub throws: Vec<ThrowAnswer>,
}

/// The answer about a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum Answer {
    /// An answer of a game without chance.
    Exact(ExactAnswer),
    /// An answer of Senet.
    Chance(ChanceAnswer),
}

impl Answer {
    /// The same answer, cut short for this reason; the answer of a game of chance has no search to cut short.
    #[must_use]
    pub fn cut_short(mut self, why: SearchEnd) -> Self {
        if let Self::Exact(answer) = &mut self {
            answer.ended = Some(why);
        }
        self
    }

    /// Why the search ended, and its unproved belief; `None` if nothing was searched.
    #[must_use]
    pub fn ended(&self) -> (Option<SearchEnd>, Option<&Unproved>) {
        match self {
            Self::Exact(answer) => (answer.ended, answer.unproved.as_deref()),
            Self::Chance(_) => (None, None),
        }
    }

    /// Whether the question is answered: the value is proved, or the chance is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        match self {
            Self::Exact(answer) => answer.verdict.value.is_some(),
            Self::Chance(answer) => answer.chance.is_some() && answer.source != Some(Source::Estimate),
        }
    }

    /// Whether the position is won by an unknown move: a proof that is still being opened may name it.
    #[must_use]
    pub fn lacks_move(&self) -> bool {
        let Self::Exact(answer) = self else { return false };
        let is_won = |verdict: &Verdict| verdict.value == Some(Value::Win);
        let first = answer.moves.first();
        is_won(&answer.verdict) && first.is_some_and(|first| !is_won(&first.verdict))
    }

    /// Whether the answer reaches `goal`; in a game with throws, whether the chance is known, and if more than the
    /// value is wanted, also that of each move.
    #[must_use]
    pub fn reaches(&self, goal: Goal) -> bool {
        let answer = match self {
            Self::Exact(answer) => answer,
            Self::Chance(answer) => {
                return self.is_known() && (goal == Goal::Value || answer.has_known_moves());
            }
        };
        let is_valued = |verdict: &Verdict| verdict.value.is_some();
        let is_counted = |verdict: &Verdict| verdict.value == Some(Value::Draw) || verdict.plies.is_some();
        let every = |test: &dyn Fn(&Verdict) -> bool| {
            test(&answer.verdict) && answer.moves.iter().all(|own| test(&own.verdict))
        };
        match goal {
            Goal::Value => is_valued(&answer.verdict),
            Goal::Moves => every(&is_valued),
            Goal::Plies => every(&is_counted),
        }
    }
}

impl ChanceAnswer {
    /// Whether no chance of a throw or a move is an estimate.
    fn has_known_moves(&self) -> bool {
        let is_known = |source| source == Some(Source::Exact);
        self.throws
            .iter()
            .all(|thrown| is_known(thrown.source) && thrown.moves.iter().all(|own| is_known(own.source)))
    }
}

/// The move of a player of some level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Advice {
    /// The move text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The throw before it, in games with throws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<u8>,
    /// The position after it.
    pub position: String,
    /// Why the game is over after it; null if it is not.
    pub over: Option<String>,
    /// The answer about the position before it.
    pub answer: Answer,
}

impl Advice {
    /// The answer, and the move with its worth.
    #[must_use]
    pub fn parts(self) -> (Answer, ChosenMove) {
        let Self { mv, position, over, answer, .. } = self;
        let bare = ChosenMove { mv, position, over, verdict: None, chance: None, error: None };
        let chosen = match &answer {
            Answer::Exact(answer) => {
                let own = answer.moves.iter().find(|own| own.mv == bare.mv);
                ChosenMove { verdict: own.map(|own| own.verdict.clone()), ..bare }
            }
            Answer::Chance(answer) => {
                let mut moves = answer.throws.iter().flat_map(|thrown| &thrown.moves);
                let own = moves.find(|own| own.mv == bare.mv);
                ChosenMove {
                    chance: own.and_then(|own| own.chance),
                    error: own.and_then(|own| own.error),
                    ..bare
                }
            }
        };
        (answer, chosen)
    }
}

/// A chosen move, with its worth for the player who makes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChosenMove {
    /// The move text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after it.
    pub position: String,
    /// Why the game is over after it; null if it is not.
    pub over: Option<String>,
    /// Its verdict; left out in Senet.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The chance of winning in Senet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// The true chance lies within `chance ± error`; left out if it is estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// The value of a set-up for the player who moves first with one colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FirstMover {
    /// The position that this player faces.
    pub position: String,
    /// The verdict on it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The moves of the highest value.
    pub best: Vec<String>,
    /// The search's unproved belief, if a proof did not fit its memory and the value is unknown; never a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unproved: Option<Unproved>,
}

/// The best choice of Player Two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerTwo {
    /// `move-first`, `choose-colour` or `take-bait`; null if unknown, or if both have the same value.
    pub choice: Option<PlayerTwoChoice>,
    /// `w` or `b`, if the choice includes the colour.
    pub colour: Option<String>,
    /// The value of the better choice for Player Two.
    #[serde(with = "super::words::value")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub value: Option<Value>,
    /// The worst and the best value still possible.
    #[serde(with = "super::words::bounds")]
    #[cfg_attr(feature = "schema", schema(value_type = [String; 2]))]
    pub bounds: Bounds,
    /// The choice that looks better while nothing is decided; an estimate, never a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaning: Option<PieLeaning>,
}

/// The result under the other pie, for the same first positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OtherPie {
    /// `marquisian` or `bait`.
    pub pie: String,
    /// The best choice of Player Two.
    pub player_two: PlayerTwo,
    /// Whether both choices have the same value; null while unknown.
    pub balanced: Option<bool>,
}

/// The choice of Player Two that looks better.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PieLeaning {
    /// `move-first`, `choose-colour` or `take-bait`.
    pub choice: PlayerTwoChoice,
    /// `w` or `b`, if the choice includes the colour.
    pub colour: Option<String>,
    /// The chances of Player Two with it.
    pub wdl: Wdl,
}

/// A choice that a pie offers to Player Two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PlayerTwoChoice {
    /// To move first.
    MoveFirst,
    /// To choose the colour and move second.
    ChooseColour,
    /// To take the bait and move second.
    TakeBait,
}

impl PlayerTwoChoice {
    /// Its name in answers and proof files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MoveFirst => "move-first",
            Self::ChooseColour => "choose-colour",
            Self::TakeBait => "take-bait",
        }
    }

    /// The action of Player Two, with this colour.
    fn doing(self, colour: Option<&str>) -> String {
        let colour = colour.map(|letter| if letter == "b" { "Black" } else { "White" });
        match (self, colour) {
            (Self::MoveFirst, Some(colour)) => format!("moves first, with {colour}"),
            (Self::MoveFirst, None) => "moves first".to_owned(),
            (Self::ChooseColour, Some(colour)) => format!("chooses {colour} and lets Player One move first"),
            (Self::ChooseColour, None) => "chooses the colour and lets Player One move first".to_owned(),
            (Self::TakeBait, _) => "takes the bait and lets Player One move first".to_owned(),
        }
    }
}

impl PlayerTwo {
    /// The verdict in one sentence.
    ///
    /// * `balanced`: whether both choices have the same value, if that is known.
    #[must_use]
    pub fn sentence(&self, balanced: Option<bool>) -> String {
        let Self { choice, colour, value, bounds, leaning } = self;
        match (balanced, choice) {
            (Some(true), _) => "Balanced: both choices are worth a draw to Player Two.".to_owned(),
            (_, Some(choice)) => {
                let (how, value) = (choice.doing(colour.as_deref()), word(*value));
                format!("Not balanced: Player Two {how}, which is a {value} for him.")
            }
            _ => {
                let [worst, best] = names(*bounds);
                let known =
                    format!("Undecided: Player Two’s better choice is worth {worst} to {best} to him.");
                let leaning = leaning.as_ref().map(|PieLeaning { choice, colour, wdl }| {
                    let (how, chance) = (choice.doing(colour.as_deref()), 100.0 * wdl.expected());
                    format!(" Estimated, not proved: Player Two {how}, with a chance of {chance:.1} %.")
                });
                known + &leaning.unwrap_or_default()
            }
        }
    }
}

/// How hard the right choice is to see and to play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Difficulty {
    /// The number of first moves that keep the value.
    pub keeping_moves: Option<usize>,
    /// The number of first moves.
    pub first_moves: usize,
    /// The first move that captures most.
    pub greedy_move: Option<String>,
    /// Whether it keeps the value.
    pub greedy_keeps: Option<bool>,
    /// The length, in plies, of the longest line in which only one move holds.
    pub only_move_line: Option<u16>,
    /// The number of nodes of the proof.
    pub nodes: u64,
    /// The level, from 1 to 8, of a player who finds the right choice and wins with it against level 8 in half of the
    /// games: interpolated between two levels, 1 if level 1 succeeds, 9 if level 8 does not. Null if no choice is
    /// proved to win, or the time was up. An estimate from the games in `levels`; there, level 8 searches 20,000
    /// positions a move, and its opponent 2,000.
    #[serde(default)]
    pub rating: Option<f64>,
    /// The levels that were tried to find the lowest that succeeds in half of its games, in ascending order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelTried>,
}

/// The results of a level as Player Two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LevelTried {
    /// The level, from 1 to 8.
    pub level: u8,
    /// The number of games in which it made the right choice.
    pub found: u32,
    /// The number of those games that it won against level 8.
    pub held: u32,
    /// The number of games.
    pub games: u32,
}

/// The value of moving first with each colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ByColour {
    /// For White.
    pub w: FirstMover,
    /// For Black.
    pub b: FirstMover,
}

/// The answer about a set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Balance {
    /// The game.
    pub game: String,
    /// The canonical board text.
    pub board: String,
    /// `marquisian` or `bait`.
    pub pie: String,
    /// The beads beside the board.
    pub bait: u16,
    /// The number of beads that wins.
    pub target: u16,
    /// The value of moving first with each colour.
    pub first_mover: ByColour,
    /// The best choice of Player Two.
    pub player_two: PlayerTwo,
    /// Whether both choices have the same value; null while unknown.
    pub balanced: Option<bool>,
    /// The result under the other pie; left out with a bait, which changes the first positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_pie: Option<OtherPie>,
    /// How hard the right choice is to see.
    pub difficulty: Difficulty,
    /// Why the search ended; left out if nothing was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<SearchEnd>,
}
