//! The fast rules, with the same text interface as the reference.

use marquis_core::{
    Acyclic, Chance, ChanceNotation as _, Game, Hashed, Notation, Over, Playable, Player, Symmetric,
};
use marquis_games::beads;
use marquis_games::senet::Senet;

use crate::any_position::AnyPosition;
use crate::reference::{End, Immobile};

/// One of the six games, played by the fast rules.
pub struct Fast {
    game: String,
    immobile: beads::Immobile,
}

/// Runs one expression for any game without chance, and another for Senet.
macro_rules! by_game {
    ($asked:expr, |$game:ident, $position:ident| $plain:expr, |$senet:ident, $track:ident| $throwing:expr) => {
        match $asked {
            AnyPosition::Squish($game, $position) => $plain,
            AnyPosition::Flowish($game, $position) => $plain,
            AnyPosition::Swish($game, $position) => $plain,
            AnyPosition::Squeeze($game, $position) => $plain,
            AnyPosition::Squinch($game, $position) => $plain,
            AnyPosition::Senet($senet, $track) => $throwing,
        }
    };
}

impl Fast {
    /// The game with this name; `immobile` only matters to Swish and Squeeze.
    ///
    /// Panics for an unknown game.
    #[must_use]
    pub fn of(game: &str, immobile: Immobile) -> Self {
        let immobile = match immobile {
            Immobile::Loss => beads::Immobile::Loss,
            Immobile::Pass => beads::Immobile::Pass,
        };
        Self { game: game.to_owned(), immobile }
    }

    fn read(&self, position: &str) -> AnyPosition {
        let read = AnyPosition::parse(&self.game, position, self.immobile);
        read.unwrap_or_else(|error| panic!("{} {position:?}: {error}", self.game))
    }

    /// The canonical text of a position.
    ///
    /// # Errors
    /// The user-facing message for an invalid position.
    pub fn canonical(&self, position: &str) -> Result<String, String> {
        AnyPosition::parse(&self.game, position, self.immobile)
            .map(|asked| asked.text())
            .map_err(|error| error.to_string())
    }

    /// The end of the game; `None` if it is not over.
    #[must_use]
    pub fn over(&self, position: &str) -> Option<End> {
        let end =
            |over: Over, turn: Player| End::new(over.reason.name(), over.outcome.for_mover(turn).name());
        by_game!(
            self.read(position),
            |game, position| game.over(&position).map(|over| end(over, game.turn(&position))),
            |senet, track| senet.over(&track).map(|over| end(over, senet.turn(&track)))
        )
    }

    /// The texts of all legal moves, for a throw in Senet, and of the positions after them; empty if the game is
    /// over.
    #[must_use]
    pub fn moves(&self, position: &str, throw: Option<i32>) -> Vec<(String, String)> {
        if self.over(position).is_some() {
            return Vec::new();
        }
        by_game!(self.read(position), |game, position| moves(&game, &position), |senet, track| {
            throws(senet, &track, throw.expect("a throw"))
        })
    }

    /// Whether the player to move throws first.
    #[must_use]
    pub fn has_throws(&self) -> bool {
        self.game == "senet"
    }

    /// Leaves after exactly `depth` plies; a finished game is one leaf, at any depth.
    #[must_use]
    pub fn perft(&self, position: &str, depth: u32) -> u64 {
        by_game!(
            self.read(position),
            |game, position| perft(&game, &position, depth),
            |_senet, _track| panic!("Senet has throws")
        )
    }

    /// The texts of all images, the position itself first.
    #[must_use]
    pub fn images(&self, position: &str) -> Vec<String> {
        by_game!(
            self.read(position),
            |game, position| (0..game.images())
                .map(|number| game.position_text(&game.image(&position, number)))
                .collect(),
            |senet, track| vec![senet.position_text(&track), senet.position_text(&senet.as_mover(&track))]
        )
    }

    /// The text of the representative image.
    #[must_use]
    pub fn representative(&self, position: &str) -> String {
        by_game!(
            self.read(position),
            |game, position| game.position_text(&game.canonical(&position)),
            |senet, track| senet.position_text(&senet.as_mover(&track))
        )
    }

    /// The key of a position. Panics for Senet, which has none.
    #[must_use]
    pub fn key(&self, position: &str) -> u64 {
        by_game!(self.read(position), |game, position| game.key(&position), |_senet, _track| panic!("no key"))
    }

    /// The progress of a Squinch position.
    #[must_use]
    pub fn progress(&self, position: &str) -> u32 {
        let AnyPosition::Squinch(game, position) = self.read(position) else { panic!("not Squinch") };
        game.progress(&position)
    }

    /// The boards that White's Flowish steps lead to, without Black's moves.
    #[must_use]
    pub fn white_flowish_steps(&self, board: &str) -> Vec<String> {
        let AnyPosition::Flowish(game, position) = self.read(&format!("{board} w")) else {
            panic!("not Flowish")
        };
        let without_turn = |text: String| text.trim_end_matches(" b").to_owned();
        moves(&game, &position).into_iter().map(|(_, next)| without_turn(next)).collect()
    }
}

fn moves<G: Playable>(game: &G, position: &G::Position) -> Vec<(String, String)> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let text = |mv| (game.move_text(position, mv), game.position_text(&game.play(position, mv)));
    moves.into_iter().map(text).collect()
}

fn throws(game: Senet, track: &<Senet as Chance>::Position, score: i32) -> Vec<(String, String)> {
    let all = game.throws();
    let throw = *all.iter().find(|throw| i32::from(throw.score) == score).expect("a throw of the sticks");
    let mut moves = Vec::new();
    game.moves(track, throw, &mut moves);
    let text = |mv| (game.move_text(track, mv), game.position_text(&game.play(track, throw, mv)));
    moves.into_iter().map(text).collect()
}

fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 || game.over(position).is_some() {
        return 1;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.into_iter().map(|mv| perft(game, &game.play(position, mv), depth - 1)).sum()
}
