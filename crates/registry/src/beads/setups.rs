//! Set-ups of Swish and Squeeze.

use marquis_core::{Game as _, Notation as _, Player, TextError};
use marquis_engine::game::{SetUp, SetUps};
use marquis_engine::{BalanceQuery, DesignKind, LaidOut};
use marquis_games::beads::{BeadGame, Beads, Capture, Move, Position, Setup};
use rand::rngs::SmallRng;

use super::Adapter;
use super::designs::Kind;

/// The set-ups of both games.
pub(super) struct BeadSetUps;

impl<R: Capture> SetUps<Adapter<R>> for BeadSetUps {
    fn parse(&self, query: &BalanceQuery) -> Result<SetUp<Adapter<R>>, TextError> {
        let setup = Setup::parse(&query.board, Beads(query.bait), query.target.map(Beads))?;
        let (rules, _) = setup.begin::<R>(Player::First, query.immobile);
        let firsts = Player::BOTH.map(|colour| setup.begin::<R>(colour, query.immobile).1);
        let laid_out = LaidOut {
            board: setup.text(),
            bait: setup.bait().0,
            target: setup.target().0,
            firsts: firsts.map(|position| rules.position_text(&position)),
        };
        Ok(SetUp { laid_out, rules, firsts })
    }

    /// The move that takes the most beads, then the most rooks, then the first by its text.
    fn greedy_move(&self, game: &BeadGame<R>, position: &Position) -> Option<Move> {
        if game.over(position).is_some() {
            return None;
        }
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let gain = |play: &Move| match play {
            Move::Pass => (0, 0),
            Move::Rook(step) => {
                let captured = R::captured(game.board(), position, *step);
                ((captured & position.beads).len(), (captured & position.enemies()).len())
            }
        };
        let capturing = moves.iter().filter(|play| gain(play) != (0, 0));
        capturing
            .max_by_key(|play| (gain(play), std::cmp::Reverse(game.move_text(position, **play))))
            .copied()
    }

    fn check(&self, kind: &DesignKind) -> Result<(), TextError> {
        Kind::of(kind).map(|_| ())
    }

    fn random_board(&self, kind: &DesignKind, random: &mut SmallRng) -> String {
        Kind::of(kind).expect("the caller made sure that such boards can be laid out").board(random)
    }
}
