//! Games of a match end when the rules say so, or where that is wanted as soon as a player has proved who wins.

use marquis_core::{Game, Outcome, Player, Plies, Value};
use marquis_games::Squish;
use marquis_games::steps::Step;
use marquis_games::unification::Position;
use marquis_play::Proved;
use marquis_play::arena::{Choice, Contestant, Ends, LONGEST, halves, pair, play};

/// Takes the first legal move, and says what it is told to say.
struct Says(Option<Value>);

impl Contestant<Squish> for Says {
    fn new_game(&mut self) {}

    fn choose(&mut self, game: &Squish, _: &[Position], position: &Position) -> Choice<Step> {
        let mut legal = Vec::new();
        game.moves(position, &mut legal);
        let proved = self.0.map(|value| Proved { value, within: Plies(5) });
        Choice { mv: legal[0], proved }
    }
}

#[test]
fn a_proved_game_ends_at_once_where_that_is_wanted_and_is_played_on_elsewhere() {
    let (game, start) = Squish::parse("b1w/1wb1/wb1wb/1wb1/b1w w").expect("a position");
    let turn = game.turn(&start);
    let (by_rules, plies) =
        play(&game, &start, &mut Says(Some(Value::Win)), &mut Says(None), turn, Ends::ByRules, LONGEST);
    assert!(plies > 1, "{by_rules:?}");
    for (value, winner) in [(Value::Win, turn), (Value::Loss, turn.opponent())] {
        let ended =
            play(&game, &start, &mut Says(Some(value)), &mut Says(None), turn, Ends::OnceProved, LONGEST);
        assert_eq!(ended, (Outcome::Winner(winner), 0), "the first to move says {value}");
        let reply = play(
            &game,
            &start,
            &mut Says(Some(value)),
            &mut Says(None),
            turn.opponent(),
            Ends::OnceProved,
            LONGEST,
        );
        assert_eq!(reply, (Outcome::Winner(winner.opponent()), 1), "the second to move says {value}");
    }
}

#[test]
fn a_player_who_claims_every_game_gets_both_of_a_pair() {
    let (game, start) = Squish::parse("b1w/1wb1/wb1wb/1wb1/b1w w").expect("a position");
    let points = |mut ours: Says, ends| pair(&game, &start, &mut ours, &mut Says(None), ends, LONGEST);
    assert_eq!(points(Says(Some(Value::Win)), Ends::OnceProved), 4);
    assert_eq!(points(Says(Some(Value::Loss)), Ends::OnceProved), 0);
    // Without a proof two that play alike share the points, whoever moves first.
    assert_eq!(points(Says(None), Ends::OnceProved), 2);
    assert_eq!(points(Says(Some(Value::Win)), Ends::ByRules), 2);
    assert_eq!(halves(Outcome::Draw, Player::First), 1);
}

/// Two who may not play on share the points.
#[test]
fn a_game_is_a_draw_after_the_plies_that_are_said_and_not_before() {
    let (game, start) = Squish::parse("b1w/1wb1/wb1wb/1wb1/b1w w").expect("a position");
    let turn = game.turn(&start);
    let ended = |longest| play(&game, &start, &mut Says(None), &mut Says(None), turn, Ends::ByRules, longest);
    let (outcome, plies) = ended(LONGEST);
    assert_ne!(outcome, Outcome::Draw, "after {plies} plies");
    assert_eq!(ended(plies), (outcome, plies));
    assert_eq!(ended(plies - 1), (Outcome::Draw, plies - 1));
}
