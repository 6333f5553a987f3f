//! The available games, by name.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use marquis_core::{ByPlayer, GameId, Player, TextError, Wish};
use marquis_table::{Fingerprint, Identity, SlotFacts, TableFile};

use crate::EngineError;
use crate::adapter::{Adapter, Posed, PosedSetUp, SetUpDoor};
use crate::chance::door::Throwing;
use crate::error::Unsuited;
use crate::exact::Exact;
use crate::files::book;
use crate::files::store::TableRules;
use crate::game::about::About;
use crate::game::chance::ChanceGame;
use marquis_play::PositionJudge as Forecast;

use crate::game::exact::ExactGame;
use crate::game::judge::{Judge, LookAhead};
use crate::knowledge::book::Books;
use crate::knowledge::shipped::{ProofShelf, ShippedProof};
use crate::knowledge::tables::{Shelved, Shelving};
use crate::query::{BalanceQuery, BuildQuery, DesignQuery, Query};
use marquis_wire::book::{BookEntry, BookReport};
use marquis_wire::reports::Legal;

/// An entry of the registry: an available game; cheap to clone.
#[derive(Clone)]
pub struct GameEntry {
    about: Arc<About>,
    adapter: Arc<dyn Adapter>,
}

/// A start position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartPosition {
    /// Its name in commands.
    pub name: String,
    /// Its text.
    pub position: String,
    /// Whether `start` alone means it: the usual board.
    pub is_usual: bool,
}

impl GameEntry {
    /// The entry of a game without chance and without a judge: if nothing is proved, everything but positions near
    /// the end counts as even.
    #[must_use]
    pub fn exact<G: ExactGame>() -> Self {
        Self::judged::<G>(Arc::new(LookAhead::blind()))
    }

    /// The entry of a game without chance.
    ///
    /// * `judge`: estimates the chances if nothing is proved.
    #[must_use]
    pub fn judged<G: ExactGame>(judge: Arc<dyn Judge<G>>) -> Self {
        Self::of(Exact::<G>(judge))
    }

    /// The entry of a game with throws.
    #[must_use]
    pub fn chance<G: ChanceGame>() -> Self {
        Self::of(Throwing::<G>(None))
    }

    /// The entry of a game with throws.
    ///
    /// * `judge`: estimates the chance of the player to throw if it is not known.
    #[must_use]
    pub fn forecast<G: ChanceGame>(judge: Arc<dyn Forecast<G::Rules> + Send + Sync>) -> Self {
        Self::of(Throwing::<G>(Some(judge)))
    }

    pub(crate) fn of(adapter: impl Adapter + 'static) -> Self {
        Self { about: Arc::new(adapter.about()), adapter: Arc::new(adapter) }
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> GameId {
        self.about.id
    }

    /// The description of the game.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The start positions, by their names in commands.
    #[must_use]
    pub fn starts(&self) -> Vec<StartPosition> {
        let text = |name: &str| Some(self.adapter.read(name, marquis_core::Immobile::Loss).ok()?.text());
        let usual = text("start");
        let start = |size: &&str| {
            let name = format!("start:{size}");
            let position = text(&name)?;
            let is_usual = usual.as_ref() == Some(&position);
            Some(StartPosition { name, position, is_usual })
        };
        self.about.sizes.iter().filter_map(start).collect()
    }

    /// The name of a player's colour.
    #[must_use]
    pub fn colour(&self, player: Player) -> &'static str {
        self.about.colours[player]
    }

    /// The letters of the players in position texts.
    #[must_use]
    pub fn letters(&self) -> ByPlayer<char> {
        self.adapter.letters()
    }

    /// The player whose letter is used in texts and answers.
    #[must_use]
    pub fn player(&self, letter: &str) -> Option<Player> {
        let letters = self.letters();
        Player::BOTH.into_iter().find(|&player| letter.chars().eq([letters[player]]))
    }

    /// Whether the player to move throws before each move.
    #[must_use]
    pub fn has_throws(&self) -> bool {
        self.adapter.has_throws()
    }

    /// Whether it begins with a set-up that Player One lays out.
    #[must_use]
    pub fn has_set_ups(&self) -> bool {
        self.adapter.set_ups().is_some()
    }

    pub(crate) fn adapter(&self) -> &Arc<dyn Adapter> {
        &self.adapter
    }
}

impl std::fmt::Debug for GameEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Game").field(&self.id()).finish()
    }
}

/// A file that the registry could not use.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// The file.
    pub file: PathBuf,
    /// The reason, with its causes.
    pub why: Arc<dyn std::error::Error + Send + Sync>,
}

/// The available games; cheap to clone.
#[derive(Clone, Debug)]
pub struct Registry {
    games: Arc<[GameEntry]>,
    left_out: Arc<[LeftOut]>,
    book: Arc<Book>,
    /// The shipped proof files.
    shipped: &'static [ShippedProof],
    /// The same files as they are opened, for all engines.
    shelf: Arc<ProofShelf>,
}

/// The shipped book of known results.
#[derive(Debug, Default)]
struct Book {
    entries: Vec<Arc<BookEntry>>,
    /// Lines that are not used, with the reasons.
    left_out: Vec<String>,
}

impl Registry {
    /// The registry of these games, in the order in which they are listed.
    ///
    /// Panics when two of them have the same name: an answer could be about either.
    #[must_use]
    pub fn new(games: impl IntoIterator<Item = GameEntry>) -> Self {
        let games: Arc<[GameEntry]> = games.into_iter().collect();
        for (number, game) in games.iter().enumerate() {
            let twice = games[..number].iter().any(|other| other.id() == game.id());
            assert!(!twice, "two games are called {}", game.id());
        }
        Self { games, left_out: Arc::default(), book: Arc::default(), shipped: &[], shelf: Arc::default() }
    }

    /// The same with the proof files that the book names; each is opened at its first use.
    #[must_use]
    pub fn with_proofs(self, shipped: &'static [ShippedProof]) -> Self {
        Self { shipped, shelf: Arc::new(ProofShelf::of(shipped)), ..self }
    }

    /// The shipped proof files.
    #[must_use]
    pub const fn shipped(&self) -> &'static [ShippedProof] {
        self.shipped
    }

    /// The shelf on which the proof files are opened.
    pub(crate) const fn proof_shelf(&self) -> &Arc<ProofShelf> {
        &self.shelf
    }

    /// The same, with a list of files that could not be used.
    #[must_use]
    pub fn without(self, left_out: Vec<LeftOut>) -> Self {
        Self { left_out: left_out.into(), ..self }
    }

    /// The same with another book of known results.
    ///
    /// * `text`: one result per line, as `tablebases/book/README.md` describes it; results by other rules than these
    ///   are left out, and the [report](Self::book) says so.
    #[must_use]
    pub fn with_book(self, text: &str) -> Self {
        let fingerprint = |game: &str, variant: &str| {
            TableRules::fingerprint(&self, game, variant).map(|fingerprint| fingerprint.to_string())
        };
        let (entries, mut left_out) = book::read(text, fingerprint);
        for game in self.games() {
            game.adapter.book(&entries, &mut left_out);
        }
        Self { book: Arc::new(Book { entries, left_out }), ..self }
    }

    /// The known results of the book.
    ///
    /// * `game`: only the results of this game, if given.
    #[must_use]
    pub fn book(&self, game: Option<GameId>) -> BookReport {
        let asked = |entry: &&Arc<BookEntry>| game.is_none_or(|game| entry.game == game.name());
        let entries = self.book.entries.iter().filter(asked).map(|entry| entry.as_ref().clone()).collect();
        BookReport { entries, left_out: self.book.left_out.clone() }
    }

    /// The known results of all games, ready for look-ups.
    pub(crate) fn books(&self) -> Books {
        // Left-out entries were reported when the book was read.
        let book = |game: &GameEntry| (game.id(), game.adapter.book(&self.book.entries, &mut Vec::new()));
        self.games().map(book).collect()
    }

    /// The files that could not be used, such as damaged weights.
    #[must_use]
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// All games.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &GameEntry> {
        self.games.iter()
    }

    /// The names of all games, for a reader.
    #[must_use]
    pub fn names(&self) -> String {
        self.games().map(|game| game.id().name()).collect::<Vec<_>>().join(", ")
    }

    /// The game of this name.
    ///
    /// # Errors
    /// Names the `game` and the available games.
    pub fn game(&self, name: &str) -> Result<&GameEntry, TextError> {
        let found = self.games().find(|game| game.id().name() == name);
        found.ok_or_else(|| TextError::new("game", self.names(), name))
    }

    /// The position after the moves that the query plays first, with its throw.
    ///
    /// # Errors
    /// [`EngineError::BadInput`] names the game, throw, row, field or move that is wrong;
    /// [`EngineError::NotForThisGame`] for a throw in a game without throws.
    pub fn pose(&self, query: &Query) -> Result<Posed, EngineError> {
        let game = self.game(query.game.name())?;
        let throw = query.throw.map(|score| game.adapter.throw(score)).transpose()?;
        let position = game.adapter.read(&query.position, query.immobile)?;
        let moves = query.play.as_deref().unwrap_or("").split([' ', '_', ',']).filter(|mv| !mv.is_empty());
        let (position, before) =
            moves.enumerate().try_fold((position, None), |(position, _), (ply, mv)| {
                let after = position.play(mv);
                let after = after.map_err(|error| TextError {
                    place: format!("move {} to play first", ply + 1),
                    ..error
                })?;
                Ok::<_, TextError>((after, Some(position)))
            })?;
        Ok(Posed::new(game.id(), position, query.immobile, throw).reached_from(before))
    }

    /// The legal moves of the position of the query; with `from`, why the piece there cannot move, or not to `to`.
    ///
    /// # Errors
    /// As [`Self::pose`]; names `from` or `to` if there is no such cell, or if `to` is given alone.
    pub fn legal(&self, query: &Query, from: Option<&str>, to: Option<&str>) -> Result<Legal, EngineError> {
        let posed = self.pose(query)?;
        let why_not = match (from, to) {
            (None, None) => None,
            (None, Some(_)) => {
                let expected = "the cell of the piece that should go to `to`";
                return Err(TextError::new("from", expected, "").into());
            }
            (Some(from), to) => posed.why_not(Wish { from, to })?,
        };
        Ok(Legal {
            game: posed.game().name(),
            position: posed.text(),
            turn: self.game(posed.game().name())?.letters()[posed.turn()],
            over: posed.over(),
            moves: posed.moves(),
            why_not,
        })
    }

    /// Reads the set-up of a query.
    ///
    /// # Errors
    /// Bad input: a game without set-ups, an illegal set-up, a bait with the Marquisian pie.
    pub fn lay_out(&self, query: &BalanceQuery) -> Result<PosedSetUp, EngineError> {
        let on_board = self.set_ups(query.game, "balance")?.lay_out(query)?;
        Ok(PosedSetUp::new(query, on_board))
    }

    /// How a game is laid out.
    ///
    /// * `what`: the request that needs set-ups: `balance`.
    ///
    /// # Errors
    /// A game without set-ups; the message names those that have them.
    pub(crate) fn set_ups(&self, game: GameId, what: &str) -> Result<Box<dyn SetUpDoor>, EngineError> {
        self.game(game.name())?.adapter.set_ups().ok_or_else(|| {
            Unsuited::SetUps { game, what: what.to_owned(), others: self.with_set_ups() }.into()
        })
    }

    /// Checks that set-ups of this kind can be laid out.
    ///
    /// # Errors
    /// A game without set-ups, the side, more rooks than edge cells, more beads than inner cells.
    pub fn check_design(&self, query: &DesignQuery) -> Result<(), EngineError> {
        self.set_ups(query.game, "design")?.designs(query).map(|_| ())
    }

    /// The names of the games with set-ups, for a reader: `swish and squeeze`.
    #[must_use]
    pub fn with_set_ups(&self) -> String {
        let names = self.games().filter(|game| game.has_set_ups()).map(|game| game.id().name());
        names.collect::<Vec<_>>().join(" and ")
    }

    /// The builds that `serve` starts when it finds no tables.
    #[must_use]
    pub fn starter_set(&self) -> Vec<BuildQuery> {
        self.games().filter_map(|game| game.adapter.starter()).collect()
    }
}

impl TableRules for Registry {
    fn fingerprint(&self, game: &str, variant: &str) -> Option<Fingerprint> {
        Some(self.game(game).ok()?.adapter.fingerprint(variant))
    }

    fn hints(&self, identity: &Identity) -> Option<SlotFacts> {
        self.game(&identity.game).ok()?.adapter.hints(&identity.variant, &identity.layer)
    }
}

impl Shelving for Registry {
    fn shelve(
        &self,
        mut files: Vec<Arc<TableFile>>,
        problems: &mut Vec<EngineError>,
    ) -> HashMap<GameId, Shelved> {
        let mut shelve = |game: &GameEntry| {
            let of_game = |file: &mut Arc<TableFile>| file.header().identity.game == game.id().name();
            let own: Vec<_> = files.extract_if(.., of_game).collect();
            (game.id(), game.adapter.shelve(own, problems))
        };
        self.games().map(&mut shelve).collect()
    }
}

/// The subject of a query: a text, or a position that was already read.
pub trait Ask {
    /// The position, read now if necessary.
    ///
    /// # Errors
    /// As [`Registry::pose`].
    fn pose(&self, registry: &Registry) -> Result<Posed, EngineError>;
}

impl Ask for Query {
    fn pose(&self, registry: &Registry) -> Result<Posed, EngineError> {
        registry.pose(self)
    }
}

impl Ask for Posed {
    fn pose(&self, _: &Registry) -> Result<Posed, EngineError> {
        Ok(self.clone())
    }
}

/// The subject of a query: a set-up as texts, or one that was already read.
pub trait AskSetUp {
    /// The set-up, read now if necessary.
    ///
    /// # Errors
    /// As [`Registry::lay_out`].
    fn lay_out(&self, registry: &Registry) -> Result<PosedSetUp, EngineError>;
}

impl AskSetUp for BalanceQuery {
    fn lay_out(&self, registry: &Registry) -> Result<PosedSetUp, EngineError> {
        registry.lay_out(self)
    }
}

impl AskSetUp for PosedSetUp {
    fn lay_out(&self, _: &Registry) -> Result<PosedSetUp, EngineError> {
        Ok(self.clone())
    }
}
