//! An answer about a position of a game without chance, read from its JSON.

use std::fmt;

use serde_json::Value;

/// The least number of plies that a document omits: a move takes three if neither it nor the next one ends the game.
pub const LEAST_UNSAID: u64 = 3;

/// A value for one of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    /// The player loses.
    Loss,
    /// A draw.
    Draw,
    /// The player wins.
    Win,
}

impl Worth {
    /// Parses a value; `None` for `unknown`.
    ///
    /// # Errors
    /// The word is not a value.
    pub fn named(word: &str) -> Result<Option<Self>, String> {
        match word {
            "win" => Ok(Some(Self::Win)),
            "draw" => Ok(Some(Self::Draw)),
            "loss" => Ok(Some(Self::Loss)),
            "unknown" => Ok(None),
            other => Err(format!("no value: {other}")),
        }
    }

    /// The value for the opponent.
    #[must_use]
    pub const fn for_opponent(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// The worst and the best possible value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The worst.
    pub worst: Worth,
    /// The best.
    pub best: Worth,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { worst: Worth::Loss, best: Worth::Win };

    /// Exactly this value.
    #[must_use]
    pub const fn exactly(value: Worth) -> Self {
        Self { worst: value, best: value }
    }

    /// The value, if only one is possible.
    #[must_use]
    pub fn value(self) -> Option<Worth> {
        (self.worst == self.best).then_some(self.best)
    }

    /// The bounds for the opponent.
    #[must_use]
    pub const fn for_opponent(self) -> Self {
        Self { worst: self.best.for_opponent(), best: self.worst.for_opponent() }
    }

    /// Whether these bounds lie within the others.
    #[must_use]
    pub fn within(self, others: Self) -> bool {
        self.worst >= others.worst && self.best <= others.best
    }

    /// Whether some value satisfies both.
    #[must_use]
    pub fn meet(self, others: Self) -> bool {
        self.worst.max(others.worst) <= self.best.min(others.best)
    }
}

/// The verdict about a position or a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// `None` if it is unknown.
    pub value: Option<Worth>,
    /// The worst and the best possible value.
    pub bounds: Bounds,
    /// Plies to the end.
    pub plies: Option<u64>,
    /// `plies_bounds`, if there are any: the least and the most.
    pub plies_bounds: Option<[Option<u64>; 2]>,
    /// Chances of win, draw and loss.
    pub wdl: Option<[f64; 3]>,
    /// Win plus half a draw, if the value is unknown.
    pub estimate: Option<f64>,
    /// `exact` or `estimate`.
    pub source: Option<String>,
    /// The source of the bounds.
    pub proof: String,
}

impl Verdict {
    /// The least plies to the end; `None` if the document does not bound them.
    #[must_use]
    pub fn least(&self) -> Option<u64> {
        self.plies.or(self.plies_bounds.and_then(|[least, _]| least))
    }

    /// The most plies to the end; `None` if the document does not bound them.
    #[must_use]
    pub fn most(&self) -> Option<u64> {
        self.plies.or(self.plies_bounds.and_then(|[_, most]| most))
    }

    fn read(json: &Value) -> Result<Self, String> {
        let bounds = json["bounds"].as_array().map(Vec::as_slice);
        let Some([worst, best]) = bounds else { return Err(format!("no bounds: {}", json["bounds"])) };
        let bound = |json: &Value| Worth::named(text(json)?)?.ok_or_else(|| "an unknown bound".to_owned());
        let part = |wdl: &Value, name: &str| wdl[name].as_f64().ok_or_else(|| format!("no {name}: {wdl}"));
        let wdl = match &json["wdl"] {
            Value::Null => None,
            wdl => Some([part(wdl, "win")?, part(wdl, "draw")?, part(wdl, "loss")?]),
        };
        let plies_bounds = match json["plies_bounds"].as_array().map(Vec::as_slice) {
            Some([least, most]) => Some([count(least)?, count(most)?]),
            None if json["plies_bounds"].is_null() => None,
            _ => return Err(format!("plies_bounds: {}", json["plies_bounds"])),
        };
        Ok(Self {
            value: Worth::named(text(&json["value"])?)?,
            bounds: Bounds { worst: bound(worst)?, best: bound(best)? },
            plies: count(&json["plies"])?,
            plies_bounds,
            wdl,
            estimate: json["estimate"].as_f64(),
            source: json["source"].as_str().map(ToOwned::to_owned),
            proof: text(&json["proof"])?.to_owned(),
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Some(value) => write!(f, "{value:?}")?,
            None => write!(f, "{:?}..{:?}", self.bounds.worst, self.bounds.best)?,
        }
        self.plies.map_or(Ok(()), |plies| write!(f, " in {plies}"))?;
        self.plies_bounds.map_or(Ok(()), |bounds| write!(f, " in {bounds:?}"))?;
        self.wdl.filter(|_| self.value.is_none()).map_or(Ok(()), |wdl| write!(f, " {wdl:.3?}"))?;
        write!(f, " by {}", self.proof)
    }
}

/// A move, and its verdict for the player who makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// Its text.
    pub text: String,
    /// The position after it.
    pub position: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// The number of plies by which it is worse than the best move of the same value.
    pub delta: Option<u64>,
}

impl Move {
    /// A move of an answer or of a line.
    ///
    /// # Errors
    /// A field is missing or of another type.
    pub fn read(json: &Value) -> Result<Self, String> {
        let verdict = Verdict::read(json).map_err(|error| format!("{}: {error}", json["move"]))?;
        Ok(Self {
            text: text(&json["move"])?.to_owned(),
            position: text(&json["position"])?.to_owned(),
            verdict,
            delta: count(&json["delta"])?,
        })
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The canonical text of the position.
    pub position: String,
    /// The reason why the game is over.
    pub over: Option<String>,
    /// The verdict about the position.
    pub root: Verdict,
    /// Its moves, in the listed order; `None` if they were omitted.
    pub moves: Option<Vec<Move>>,
    /// The principal variation of the search.
    pub pv: Vec<String>,
    /// The position of the known result that the answer is based on, if any.
    pub booked: Option<String>,
}

impl Document {
    /// An answer with its moves.
    ///
    /// # Errors
    /// A field is missing or of another type.
    pub fn read(json: &Value) -> Result<Self, String> {
        let moves = json["moves"].as_array().ok_or("no moves")?;
        let moves = moves.iter().map(Move::read).collect::<Result<_, String>>()?;
        Ok(Self { moves: Some(moves), ..Self::read_value(json)? })
    }

    /// An answer without moves.
    ///
    /// # Errors
    /// A field is missing or of another type.
    pub fn read_value(json: &Value) -> Result<Self, String> {
        let pv = json["pv"].as_array().into_iter().flatten();
        Ok(Self {
            booked: json["book"]["position"].as_str().map(ToOwned::to_owned),
            position: text(&json["position"])?.to_owned(),
            over: json["over"].as_str().map(ToOwned::to_owned),
            root: Verdict::read(json)?,
            moves: None,
            pv: pv.filter_map(|mv| mv.as_str().map(ToOwned::to_owned)).collect(),
        })
    }

    /// The moves; empty if they were omitted.
    #[must_use]
    pub fn listed(&self) -> &[Move] {
        self.moves.as_deref().unwrap_or_default()
    }

    /// The move with this text.
    #[must_use]
    pub fn of_move(&self, text: &str) -> Option<&Move> {
        self.listed().iter().find(|own| own.text == text)
    }
}

fn text(json: &Value) -> Result<&str, String> {
    json.as_str().ok_or_else(|| format!("expected a text, found {json}"))
}

fn count(json: &Value) -> Result<Option<u64>, String> {
    match json {
        Value::Null => Ok(None),
        json => json.as_u64().map(Some).ok_or_else(|| format!("expected a count, found {json}")),
    }
}
