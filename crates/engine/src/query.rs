//! What can be asked: texts and choices, none of them looked at yet.

use std::fmt;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use marquis_core::{GameId, Immobile, TextError};
use marquis_play::Level;
use marquis_table::FarFolder;

/// A position that is asked about, as texts.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which game.
    pub game: GameId,
    /// A position text, or `start`, or `start:SIZE`.
    pub position: String,
    /// Moves to play first, separated by spaces or `_`; for Senet `THROW:MOVE`.
    pub play: Option<String>,
    /// For Swish and Squeeze, what happens to a player who cannot move.
    pub immobile: Immobile,
    /// For Senet, the throw to answer for; all where nothing is said.
    pub throw: Option<u8>,
}

impl Query {
    /// The question about a position with nothing else said.
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
    /// Positions that the first search of a position may expand.
    pub job_nodes: NonZeroU64,
    /// Where the proof is written, if it is wanted.
    pub proof: Option<PathBuf>,
    /// How long a worker of another process may be silent before its job is given to others.
    pub lease: Duration,
}

impl StudyOptions {
    /// Jobs of half a million positions, a second of search or so.
    pub const JOB_NODES: NonZeroU64 = NonZeroU64::new(500_000).expect("more than none");
    /// Folders of other machines may be seen half a minute late or more.
    pub const LEASE: Duration = Duration::from_secs(150);

    /// The usual study in this folder.
    #[must_use]
    pub const fn in_folder(folder: PathBuf) -> Self {
        Self { folder, job_nodes: Self::JOB_NODES, proof: None, lease: Self::LEASE }
    }
}

/// Who makes a move for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// How strong.
    pub level: Level,
    /// What chance adds to the choices of the lower levels follows from it.
    pub seed: u64,
}

impl Default for Opponent {
    /// As strong as there is.
    fn default() -> Self {
        Self { level: Level::MAX, seed: 0 }
    }
}

/// How much of an answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Every move, of every throw where there are throws.
    Moves,
    /// The value of the position, and the chances of its throws.
    Value,
}

/// How Player Two chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pie {
    /// He moves first with the colour that Player One gives him, or chooses the colour and moves second.
    #[default]
    Marquisian,
    /// He moves first with the colour of his choice and gives the bait away, or takes the bait.
    Bait,
}

impl Pie {
    /// `marquisian` or `bait`; parsing gives it back.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Marquisian => "marquisian",
            Self::Bait => "bait",
        }
    }

    /// The other one.
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

/// A set-up that is asked about, as texts.
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
    /// The number of beads that wins; the majority where nothing is said.
    pub target: Option<u16>,
    /// What happens to a player who cannot move.
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

/// What the set-ups that are looked for have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Anything.
    #[default]
    Random,
    /// Half a turn of the board takes White's rooks to Black's and the beads to themselves: neither colour is
    /// better off.
    PointSymmetric,
}

impl Layout {
    /// `random` or `point-symmetric`; parsing gives it back.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::PointSymmetric => "point-symmetric",
        }
    }
}

impl FromStr for Layout {
    type Err = TextError;

    /// Reads `random` or `point-symmetric`.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let found = [Self::Random, Self::PointSymmetric].into_iter().find(|layout| layout.name() == text);
        found.ok_or_else(|| TextError::new("layout", "`random` or `point-symmetric`", text))
    }
}

/// How a set-up is looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignQuery {
    /// Swish or Squeeze.
    pub game: GameId,
    /// Cells along an edge.
    pub side: u8,
    /// Rooks a colour.
    pub rooks: u8,
    /// Beads on the board.
    pub beads: u8,
    /// How they lie.
    pub layout: Layout,
    /// How Player Two will choose.
    pub pie: Pie,
    /// Where the random numbers begin.
    pub seed: u64,
    /// How many set-ups are tried.
    pub tries: u32,
    /// How many are kept, the hardest first.
    pub keep: usize,
}

/// What `generate` builds, in the game's own terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildQuery {
    /// A game that has tables.
    pub game: GameId,
    /// Cells along an edge.
    pub side: Option<u8>,
    /// `3v3`: that layer and all that it leads to; every layer of the board where nothing is said. For Swish
    /// and Squeeze the rooks.
    pub pieces: Option<String>,
    /// All layers that can be reached from this position.
    pub from: Option<String>,
    /// For Swish and Squeeze, how many beads, where no position is given.
    pub beads: Option<u8>,
    /// For Swish and Squeeze, what happens to a player who cannot move.
    pub immobile: Immobile,
    /// For Senet, how precise the chances in the files are.
    pub chances: ChanceCells,
    /// Which layers are written out.
    pub extent: Extent,
}

/// Which layers of a build are written out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// All of them.
    #[default]
    Whole,
    /// Those that a look one ply ahead into the others does not tell.
    Half,
}

/// Which of the tables that lie elsewhere are to be brought over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All of them.
    Everything,
    /// All of a game.
    Game(GameId),
    /// Those that a build would make.
    Build(BuildQuery),
}

impl Wanted {
    /// Whether it includes the table of this path, where no build is asked for: folders begin with the name of the game.
    pub(crate) fn includes(&self, path: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Game(game) | Self::Build(BuildQuery { game, .. }) => {
                path.strip_prefix(game.name()).is_some_and(|rest| rest.starts_with(['-', '/']))
            }
        }
    }
}

impl fmt::Display for Wanted {
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

/// How a file holds chances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChanceCells {
    /// Four bytes each, with an error of 10⁻⁶ or less, or of 2·10⁻⁶ with five pieces.
    #[default]
    FourBytes,
    /// Two bytes each, with an error of 10⁻⁵ or less.
    TwoBytes,
}

impl BuildQuery {
    /// The question about a game with nothing else said.
    #[must_use]
    pub const fn new(game: GameId) -> Self {
        let (immobile, chances) = (Immobile::Loss, ChanceCells::FourBytes);
        let extent = Extent::Whole;
        Self { game, side: None, pieces: None, from: None, beads: None, immobile, chances, extent }
    }
}

/// The board that the claims are checked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimsQuery {
    /// The game.
    pub game: GameId,
    /// The start position whose reachable positions are looked at: `start:3`, or a position text.
    pub position: String,
    /// What is looked at.
    pub among: Among,
}

/// The positions that claims are checked on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Among {
    /// Everything that can be reached from the position.
    #[default]
    Reachable,
    /// Everything in the loaded tables of the board.
    Tables,
}

/// Where tables and proofs are, and how much memory their caches may take.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Directories that hold tables.
    pub tables: Vec<PathBuf>,
    /// Tables that lie elsewhere and are read there; those in directories come first.
    pub elsewhere: Vec<Arc<FarFolder>>,
    /// Proof files whose positions are answered without a search.
    pub proofs: Vec<PathBuf>,
    /// Bytes of decoded blocks that are kept.
    pub cache_bytes: u64,
    /// About the bytes that proofs loaded later may keep; the oldest make room.
    pub proof_bytes: u64,
    /// Bytes of tables that are built for a question and kept for the next ones; the oldest make room.
    pub sub_table_bytes: u64,
    /// Whether answers may be known results.
    pub book: BookUse,
}

/// Whether the book of known results is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BookUse {
    /// Wherever tables say nothing.
    #[default]
    Asked,
    /// Never: an answer is worked out, or looked up in files.
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
    /// The same without the table directories that are missing.
    pub(crate) fn of_what_is_there(&self) -> Self {
        let tables = self.tables.iter().filter(|folder| folder.is_dir()).cloned().collect();
        Self { tables, ..self.clone() }
    }
}
