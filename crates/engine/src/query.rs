//! Queries: texts and choices, not yet checked.

use std::fmt;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use marquis_core::{GameId, Immobile, TextError};
use marquis_play::Level;
use marquis_table::FarFolder;

/// A position to ask about, as texts.
#[derive(Clone, Debug)]
pub struct Query {
    /// The game.
    pub game: GameId,
    /// A position text, or `start`, or `start:SIZE`.
    pub position: String,
    /// Moves to play first, separated by spaces or `_`; for Senet `THROW:MOVE`.
    pub play: Option<String>,
    /// The rule for a player who cannot move, in Swish and Squeeze.
    pub immobile: Immobile,
    /// The throw to answer for, in Senet; all by default.
    pub throw: Option<u8>,
}

impl Query {
    /// The query about a position, with defaults for the rest.
    #[must_use]
    pub fn new(game: GameId, position: impl Into<String>) -> Self {
        Self { game, position: position.into(), play: None, immobile: Immobile::Loss, throw: None }
    }
}

/// How a position is studied.
#[derive(Clone, Debug)]
pub struct StudyOptions {
    /// The folder that holds the study.
    pub folder: PathBuf,
    /// The number of positions that the first search of a position may expand.
    pub job_nodes: NonZeroU64,
    /// The file for the proof, if it is wanted.
    pub proof: Option<PathBuf>,
    /// The time after which the job of a silent worker of another process is given to others.
    pub lease: Duration,
}

impl StudyOptions {
    /// Jobs of half a million positions, about a second of search.
    pub const JOB_NODES: NonZeroU64 = NonZeroU64::new(500_000).expect("more than none");
    /// Network folders may show changes half a minute late or more.
    pub const LEASE: Duration = Duration::from_secs(150);

    /// The default study in this folder.
    #[must_use]
    pub const fn in_folder(folder: PathBuf) -> Self {
        Self { folder, job_nodes: Self::JOB_NODES, proof: None, lease: Self::LEASE }
    }
}

/// The opponent that the engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// Its strength.
    pub level: Level,
    /// The seed of the random choices of the lower levels.
    pub seed: u64,
}

impl Default for Opponent {
    /// The strongest level.
    fn default() -> Self {
        Self { level: Level::MAX, seed: 0 }
    }
}

/// The requested detail of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Every move, of every throw if there are throws.
    Moves,
    /// The value of the position, and the chances of its throws.
    Value,
    /// The same without estimates.
    Known,
}

/// The pie rule: how Player Two chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pie {
    /// Player Two moves first with the colour that Player One gives, or chooses the colour and moves second.
    #[default]
    Marquisian,
    /// Player Two moves first with a colour of choice and gives the bait away, or takes the bait.
    Bait,
}

impl Pie {
    /// `marquisian` or `bait`; parsing reverses it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Marquisian => "marquisian",
            Self::Bait => "bait",
        }
    }

    /// The other pie.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Marquisian => Self::Bait,
            Self::Bait => Self::Marquisian,
        }
    }
}

impl FromStr for Pie {
    type Err = TextError;

    /// Reads `marquisian` or `bait`.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let found = [Self::Marquisian, Self::Bait].into_iter().find(|pie| pie.name() == text);
        found.ok_or_else(|| TextError::new("pie", "`marquisian` or `bait`", text))
    }
}

/// A set-up to ask about, as texts.
#[derive(Clone, Debug)]
pub struct BalanceQuery {
    /// Swish or Squeeze.
    pub game: GameId,
    /// The board text, without a player to move.
    pub board: String,
    /// The beads beside the board.
    pub bait: u16,
    /// How Player Two chooses.
    pub pie: Pie,
    /// The number of beads that wins; the majority by default.
    pub target: Option<u16>,
    /// The rule for a player who cannot move.
    pub immobile: Immobile,
    /// When to stop.
    pub until: Until,
}

/// When a balance is finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// Player Two's choice and its value are decided.
    #[default]
    Choice,
    /// Both colours are decided.
    BothColours,
}

/// The common property of the set-ups to search for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SetUpPattern {
    /// No restriction.
    #[default]
    Random,
    /// A half turn of the board maps White's rooks to Black's and the beads to themselves: neither colour has an
    /// advantage.
    PointSymmetric,
}

impl SetUpPattern {
    /// `random` or `point-symmetric`; parsing reverses it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::PointSymmetric => "point-symmetric",
        }
    }
}

impl FromStr for SetUpPattern {
    type Err = TextError;

    /// Reads `random` or `point-symmetric`.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let found = [Self::Random, Self::PointSymmetric].into_iter().find(|layout| layout.name() == text);
        found.ok_or_else(|| TextError::new("layout", "`random` or `point-symmetric`", text))
    }
}

/// A set-up in canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaidOut {
    /// The board text.
    pub board: String,
    /// The number of beads beside the board.
    pub bait: u16,
    /// The number of beads that wins.
    pub target: u16,
    /// The texts of the first mover's positions, one per colour.
    pub firsts: [String; 2],
}

/// The parameters of a search for set-ups.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignQuery {
    /// Swish or Squeeze.
    pub game: GameId,
    /// The set-ups to try.
    pub kind: DesignKind,
    /// The pie rule.
    pub pie: Pie,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of set-ups to try.
    pub tries: u32,
    /// The number of set-ups to keep, the hardest first.
    pub keep: usize,
}

/// The kind of set-ups that a design tries and keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DesignKind {
    /// Cells along an edge; by default those of `from`, or [`Self::SIDE`].
    pub side: Option<u8>,
    /// Rooks per colour; by default those of `from`, or [`Self::ROOKS`].
    pub rooks: Option<u8>,
    /// Beads on the board; by default those of `from`, or [`Self::BEADS`].
    pub beads: Option<u8>,
    /// The maximum number of rooks per colour; by default the minimum.
    pub max_rooks: Option<u8>,
    /// The maximum number of beads; by default the minimum.
    pub max_beads: Option<u8>,
    /// Their layout.
    pub layout: SetUpPattern,
    /// A board whose pieces are kept; missing ones are added at random.
    pub from: Option<String>,
    /// The number of its pieces that are moved at random; by default 0 if pieces are added, otherwise 1.
    pub change: Option<u8>,
    /// Only set-ups with a difficulty above this level.
    pub harder_than: Option<u8>,
    /// Only set-ups with a difficulty below this level.
    pub easier_than: Option<u8>,
}

impl DesignKind {
    /// Cells along an edge, by default.
    pub const SIDE: u8 = 3;
    /// Rooks per colour, by default.
    pub const ROOKS: u8 = 2;
    /// Beads on the board, by default.
    pub const BEADS: u8 = 3;
    /// The levels that bound a difficulty.
    pub const LEVELS: std::ops::RangeInclusive<u8> = 0..=9;

    /// Checks the levels.
    ///
    /// # Errors
    /// A level that does not exist; no difficulty between the two.
    pub(crate) fn check(&self) -> Result<(), TextError> {
        let (least, most) = (*Self::LEVELS.start(), *Self::LEVELS.end());
        for (place, level) in [("harder_than", self.harder_than), ("easier_than", self.easier_than)] {
            if let Some(level) = level.filter(|level| !Self::LEVELS.contains(level)) {
                return Err(TextError::new(
                    place,
                    format!("a level from {least} to {most}"),
                    level.to_string(),
                ));
            }
        }
        match (self.harder_than, self.easier_than) {
            (Some(above), Some(below)) if above >= below => {
                let expected = format!("a level above `harder_than`, {above}");
                Err(TextError::new("easier_than", expected, below.to_string()))
            }
            _ => Ok(()),
        }
    }

    /// Whether it includes set-ups of this difficulty; 0 is that of a set-up that nobody can win.
    pub(crate) fn includes(&self, difficulty: f64) -> bool {
        let is_bounded = self.harder_than.or(self.easier_than).is_some();
        let is_above = self.harder_than.is_none_or(|level| difficulty > f64::from(level));
        let is_below = self.easier_than.is_none_or(|level| difficulty < f64::from(level));
        is_above && is_below && (difficulty > 0.0 || !is_bounded)
    }
}

/// The tables that `generate` builds, in the game's own terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildQuery {
    /// A game that has tables.
    pub game: GameId,
    /// Cells along an edge.
    pub side: Option<u8>,
    /// `3v3`: that layer and all that are reachable from it; every layer of the board by default. For Swish and
    /// Squeeze the rooks.
    pub pieces: Option<String>,
    /// All layers that are reachable from this position.
    pub from: Option<String>,
    /// The number of beads, for Swish and Squeeze without a position.
    pub beads: Option<u8>,
    /// The rule for a player who cannot move, in Swish and Squeeze.
    pub immobile: Immobile,
    /// The precision of the chances in the files, for Senet.
    pub chances: ChanceCells,
    /// The layers to write.
    pub extent: WrittenLayers,
}

/// The layers of a build that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WrittenLayers {
    /// All of them.
    #[default]
    Whole,
    /// Only those that cannot be derived from the others by a search of one ply.
    Half,
}

/// The remote tables to download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableSelection {
    /// All tables.
    Everything,
    /// All tables of a game.
    Game(GameId),
    /// The tables that a build would make.
    Build(BuildQuery),
}

impl TableSelection {
    /// Whether it includes the table of this path, if no build is requested: folders begin with the name of the game.
    pub(crate) fn includes(&self, path: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Game(game) | Self::Build(BuildQuery { game, .. }) => {
                path.strip_prefix(game.name()).is_some_and(|rest| rest.starts_with(['-', '/']))
            }
        }
    }
}

impl fmt::Display for TableSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything => f.write_str("tables"),
            Self::Game(game) => write!(f, "tables of {game}"),
            Self::Build(BuildQuery { game, side, pieces, from, beads, .. }) => {
                write!(f, "{game}")?;
                side.map_or(Ok(()), |side| write!(f, " --side {side}"))?;
                pieces.as_ref().map_or(Ok(()), |pieces| write!(f, " --pieces {pieces}"))?;
                beads.map_or(Ok(()), |beads| write!(f, " --beads {beads}"))?;
                from.as_ref().map_or(Ok(()), |from| write!(f, " --from \"{from}\""))
            }
        }
    }
}

/// The format of chances in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChanceCells {
    /// Four bytes each, with an error of 10⁻⁶ or less, or of 2·10⁻⁶ with five pieces.
    #[default]
    FourBytes,
    /// Two bytes each, with an error of 10⁻⁵ or less.
    TwoBytes,
}

impl BuildQuery {
    /// The query about a game, with defaults for the rest.
    #[must_use]
    pub const fn new(game: GameId) -> Self {
        let (immobile, chances) = (Immobile::Loss, ChanceCells::FourBytes);
        let extent = WrittenLayers::Whole;
        Self { game, side: None, pieces: None, from: None, beads: None, immobile, chances, extent }
    }
}

/// The board that the claims are checked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimsQuery {
    /// The game.
    pub game: GameId,
    /// The start position whose reachable positions are checked: `start:3`, or a position text.
    pub position: String,
    /// The positions to check.
    pub among: Among,
}

/// The positions that claims are checked on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Among {
    /// All positions that are reachable from the position.
    #[default]
    Reachable,
    /// All positions in the loaded tables of the board.
    Tables,
}

/// The places of tables and proofs, and the memory of their caches.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Directories that hold tables.
    pub tables: Vec<PathBuf>,
    /// Remote tables, which are read in place; those in directories come first.
    pub elsewhere: Vec<Arc<FarFolder>>,
    /// Proof files whose positions are answered without a search.
    pub proofs: Vec<PathBuf>,
    /// The memory for decoded blocks, in bytes.
    pub cache_bytes: u64,
    /// The approximate memory for proofs that are loaded later, in bytes; the oldest are evicted.
    pub proof_bytes: u64,
    /// The memory for tables that are built for a question and kept for later ones, in bytes; the oldest are evicted.
    pub sub_table_bytes: u64,
    /// Whether known results may be answers.
    pub book: BookUse,
}

/// Whether the book of known results is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BookUse {
    /// If tables have no answer.
    #[default]
    Asked,
    /// Never: an answer is computed, or looked up in files.
    LeftAlone,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            tables: Vec::new(),
            elsewhere: Vec::new(),
            proofs: Vec::new(),
            cache_bytes: 256 << 20,
            proof_bytes: 256 << 20,
            sub_table_bytes: 256 << 20,
            book: BookUse::Asked,
        }
    }
}

impl EngineOptions {
    /// The same without missing table directories.
    pub(crate) fn of_what_is_there(&self) -> Self {
        let tables = self.tables.iter().filter(|folder| folder.is_dir()).cloned().collect();
        Self { tables, ..self.clone() }
    }
}
