//! Games of a match end by the rules or, on request, as soon as a player has proved the winner.

use marquis_core::{Game, Outcome, Player, Plies, Value};
use marquis_games::Squish;
use marquis_games::steps::Step;
use marquis_games::unification::Position;
use marquis_play::Proved;
use marquis_play::arena::{AGREEING, Choice, Contestant, Ends, LONGEST, Pentanomial, halves, pair, play};

/// Takes the first legal move and claims the given value.
struct Says(Option<Value>);

impl Contestant<Squish> for Says {
    fn new_game(&mut self) {}

    fn choose(&mut self, game: &Squish, _: &[Position], position: &Position) -> Choice<Step> {
        let mut legal = Vec::new();
        game.moves(position, &mut legal);
        let proved = self.0.map(|value| Proved { value, within: Plies(5) });
        Choice { mv: legal[0], proved, expected: None }
    }
}

/// Takes the first legal move and expects the given result for White.
struct Expects(f64);

impl Contestant<Squish> for Expects {
    fn new_game(&mut self) {}

    fn choose(&mut self, game: &Squish, past: &[Position], position: &Position) -> Choice<Step> {
        let expected = if game.turn(position) == Player::First { self.0 } else { 1.0 - self.0 };
        Choice { expected: Some(expected), ..Says(None).choose(game, past, position) }
    }
}

#[test]
fn a_game_ends_once_both_players_have_expected_the_same_winner_for_some_plies() {
    let (game, start) = Squish::parse("b1w/1wb1/wb1wb/1wb1/b1w w").expect("a position");
    let turn = game.turn(&start);
    let ended = |ours, theirs, ends| {
        play(&game, &start, &mut Expects(ours), &mut Expects(theirs), turn, ends, LONGEST)
    };
    let by_rules = ended(0.5, 0.5, Ends::ByRules);
    let agreed = |ours, theirs| ended(ours, theirs, Ends::OnceAgreed(0.97));
    assert!(by_rules.1 >= AGREEING, "{by_rules:?}");
    assert_eq!(agreed(0.97, 0.98), (Outcome::Winner(Player::First), AGREEING - 1));
    assert_eq!(agreed(0.01, 0.03), (Outcome::Winner(Player::Second), AGREEING - 1));
    for (ours, theirs) in [(0.96, 0.99), (0.99, 0.01), (0.5, 0.5)] {
        assert_eq!(agreed(ours, theirs), by_rules, "{ours} and {theirs}");
    }
    assert_eq!(ended(0.99, 0.99, Ends::OnceProved), by_rules);
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
    // Without a proof two equal players share the points.
    assert_eq!(points(Says(None), Ends::OnceProved), 2);
    assert_eq!(points(Says(Some(Value::Win)), Ends::ByRules), 2);
    assert_eq!(halves(Outcome::Draw, Player::First), 1);
}

/// A game that reaches the limit is a draw.
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

/// All results of up to `most` pairs.
fn results(most: u64) -> Vec<Pentanomial> {
    let mut all = vec![[0; 5]];
    for kind in 0..5 {
        let more = |pairs: [u64; 5]| {
            (0..=most - pairs.iter().sum::<u64>()).map(move |n| {
                let mut pairs = pairs;
                pairs[kind] = n;
                pairs
            })
        };
        all = all.into_iter().flat_map(more).collect();
    }
    all.into_iter().map(|pairs| Pentanomial { pairs }).filter(|result| !result.is_empty()).collect()
}

#[test]
fn few_or_equal_results_are_never_certain() {
    for result in results(6) {
        let [low, high] = result.interval();
        let score = result.score();
        assert!(0.0 <= low && low <= score && score <= high && high <= 1.0, "{result:?} {low} {high}");
        assert!(high - low > 0.1, "{result:?}: {low} to {high}");
        assert_eq!(result.elo().is_none(), score == 0.0 || score == 1.0, "{result:?}");
        let elo = result.elo_interval();
        assert_eq!(elo.map(|end| end.is_none()), [score == 0.0, score == 1.0], "{result:?}");
        if let Some([elo, off]) = result.elo() {
            assert!(elo.is_finite() && off.is_finite() && off > 30.0, "{result:?}: {elo} {off}");
        }
    }
}

#[test]
fn a_difference_without_a_bound_is_said_to_be_more_or_less() {
    let words = |pairs| Pentanomial { pairs }.elo_in_words();
    assert_eq!(words([0, 0, 0, 0, 2]), "more than -113 Elo");
    assert_eq!(words([10, 0, 0, 0, 0]), "less than -166 Elo");
    assert_eq!(words([0, 0, 50, 0, 0]), "+0 ± 13 Elo");
    assert_eq!(words([0; 5]), "Elo difference unknown");
}

#[test]
fn an_interval_is_that_of_the_score_and_its_mirror_that_of_the_others() {
    for result in results(4) {
        let mut mirrored = result;
        mirrored.pairs.reverse();
        let ([low, high], [other_low, other_high]) = (result.interval(), mirrored.interval());
        assert!((low + other_high - 1.0).abs() < 1e-9 && (high + other_low - 1.0).abs() < 1e-9, "{result:?}");
    }
}

#[test]
fn with_many_pairs_the_interval_is_that_of_their_spread() {
    let result = Pentanomial { pairs: [100, 200, 400, 250, 150] };
    let (mean, count) = (result.score(), 1100.0);
    let square = |(kind, n): (i32, &u64)| *n as f64 * (f64::from(kind) / 4.0 - mean).powi(2);
    let variance: f64 = (0..).zip(&result.pairs).map(square).sum::<f64>() / count;
    let off = 1.96 * (variance / count).sqrt();
    let [low, high] = result.interval();
    assert!((mean - off - low).abs() < 1e-3 && (mean + off - high).abs() < 1e-3, "{low} {high} {off}");
}

#[test]
fn a_test_of_two_differences_needs_more_than_two_pairs() {
    let ratio = |pairs| Pentanomial { pairs }.log_likelihood_ratio([0.0, 100.0]);
    let bound = 19.0_f64.ln();
    assert!(ratio([0, 0, 0, 0, 2]) < bound && ratio([0, 0, 0, 0, 10]) > bound);
    assert!(ratio([10, 0, 0, 0, 0]) < -bound);
    assert!(ratio([0, 0, 1, 0, 0]).abs() < 1.0);
}
