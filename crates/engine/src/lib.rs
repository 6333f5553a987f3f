//! The façade: everything that a user can request, as plain functions on plain data.
//!
//! The command line and the service call [`Engine`] and the functions here, and nothing below them.
//! Inputs are texts and limits, outputs are the serialisable shapes of [`answer`] and [`reports`]; every
//! failure is an [`EngineError`].
#![forbid(unsafe_code)]

mod adapter;
mod ask;
pub mod chance;
mod claims;
mod domain;
mod error;
mod exact;
mod facade;
mod files;
mod game;
mod goal;
pub mod inspect;
mod know;
mod limits;
mod make;
mod memory_size;
mod proof_files;
pub mod quantity;
pub mod query;
mod record;
mod registry;
mod study;
mod threads;
mod verdict;
pub mod wire;

pub use adapter::{Posed, PosedSetUp};
pub use error::{EngineError, FileError, causes};
pub use facade::Engine;
pub use facade::book::check_book;
pub use facade::design::{Find, Finder};
pub use facade::review::ReviewSoFar;
pub use files::lease::Lease;
pub use files::proof::write_proof;
pub use game::about::About;
pub use game::claim::{ClaimId, Evidence, Finding, LookedAt, Source as ClaimSource};
pub use game::exact::{ExactGame, read_position};
pub use game::first_sight::FirstSight;
pub use game::judge::{Judge, JudgedMove, Judgement, LookAhead, Means};
pub use game::set_ups::{LaidOut, SetUp, SetUps};
pub use game::tabled::{InStrips, LayerOf, SolvedAmong, Tabled, Work, allow_index, by_rows, un_moves};
pub use goal::Goal;
pub use know::shelf::Shelf;
pub use know::shipped::ShippedProof;
pub use know::sub_tables::SubTable;
pub use limits::{Control, JudgeShare, Limits, Look, Progress};
pub use make::fetch::fetch_tables;
pub use make::plan::{CHECKPOINT_EVERY, Prepared, generate, plan};
pub use make::repack::repack;
pub use make::team::Team;
pub use memory_size::{DiskSize, MemorySize, in_words};
pub use proof_files::{check_proof, check_proof_within};
pub use query::{
    Among, BalanceQuery, BookUse, BuildQuery, ChanceCells, ClaimsQuery, DesignQuery, EngineOptions, Extent,
    Layout, Opponent, Pie, Query, StudyOptions, Until, Wanted,
};
pub use record::{
    RecordFile, Records, Replayed, keep_records, kept_records, read_record, records_in, records_of, replay,
};
pub use registry::{Ask, AskSetUp, Game, LeftOut, Registry, StartPosition};
pub use study::{StudyFolder, studies_in, studies_of, study_status, study_tree};
pub use wire::answer::{
    Advice, Answer, Balance, ByColour, ChanceAnswer, ChanceMove, Difficulty, ExactAnswer, FirstMover,
    Insight, LevelTried, MoveAnswer, OtherPie, PieLeaning, PlayerTwo, PlayerTwoChoice, Proof, Source,
    ThrowAnswer, Verdict, Wdl,
};
pub use wire::ending::{SearchEnd, Unproved};
pub use wire::record::{GameRecord, RecordCheck, RecordHeader, RecordedMove, RecordedVariation};
pub use wire::study::{
    RootMoves, SetUpStudyReport, StudiesByColour, StudyPosition, StudyReport, StudyTree, WorkReport,
};
pub use wire::{answer, book, reports};

pub use marquis_play::arena::Pentanomial;
pub use marquis_play::{Level, NoLevel};
pub use marquis_proof::checker::Foregone;
pub use marquis_table::elsewhere::is_address;
pub use marquis_table::{
    Elsewhere, Error as TableError, FarFigures, FarFolder, Found, Pieces, without_waiting,
};

pub use marquis_record::{Comment, Header, Line, MoveText, Outcome, Ply, Record};

pub use marquis_core::{
    Bounds, Diagram, GameId, Immobile, Part, Player, RulesPage, Slept, TextError, Throw, Value, Wish,
};
