//! Best moves over HTTP. The figures are from "Check numbers" in the rules of the games.

use actix_web::test::TestRequest;
use marquis_api::Config;
use marquis_core::GameId;
use marquis_engine::{Control, Engine, EngineOptions, Limits, Query};
use marquis_registry::official;
use serde_json::{Value, json};

use crate::service::{encoded, get, ready, send, settings};

/// The answer of a search with all the time that it needs, even on a busy machine.
async fn answer(game: &str, query: &str) -> Value {
    let patient = Config { budget_max_ms: 300_000, ..settings() };
    let reply = get(&ready(patient), &format!("/v1/{game}?budget_ms=300000&{query}")).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()
}

fn assert_value(answer: &Value, value: &str, plies: Option<u16>) {
    assert_eq!((&answer["value"], &answer["plies"]), (&json!(value), &json!(plies)), "{answer}");
    assert_eq!(answer["bounds"], json!([value, value]));
}

#[actix_web::test]
async fn the_squish_start_is_won_in_five() {
    let answer = answer("squish", "position=start:3").await;
    assert_value(&answer, "win", Some(5));
    assert_eq!(answer["position"], "b1w/1wb1/wb1wb/1wb1/b1w w");
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(
        (&moves[0]["value"], &moves[0]["plies"], &moves[0]["delta"]),
        (&json!("win"), &json!(5), &json!(0))
    );
    let known = moves.iter().find(|mv| mv["move"] == "a3xb3").unwrap();
    assert_eq!(known["position"], "b1w/1wb1/wb1wb/1ww1/b2 b");
    assert_eq!((&known["value"], &known["plies"]), (&json!("win"), &json!(5)));
}

#[actix_web::test]
async fn a_move_played_first_leads_to_the_position_after_it() {
    let answer = answer("squish", "position=start:3&play=a3xb3").await;
    assert_eq!(answer["position"], "b1w/1wb1/wb1wb/1ww1/b2 b");
    assert_value(&answer, "loss", Some(4));
}

#[actix_web::test]
async fn a_board_lost_in_swish_is_drawn_in_squeeze() {
    let board = "position=w1w/4/1ooo1/4/b1b_w_0-0_2";
    assert_value(&answer("swish", board).await, "loss", Some(12));
    assert_value(&answer("squeeze", board).await, "draw", None);
}

#[actix_web::test]
async fn a_squish_position_whose_play_can_return_is_lost_in_eight() {
    assert_value(&answer("squish", "position=2w1/5/bb2wb/2w4/b5/5/w3_w").await, "loss", Some(8));
}

#[actix_web::test]
async fn the_chance_of_senet_lies_within_the_error() {
    let answer = answer("senet", "position=wbwb6/10/10_b").await;
    let (chance, error) = (answer["chance"].as_f64().unwrap(), answer["error"].as_f64().unwrap());
    assert!(error < 1e-6, "{answer}");
    assert!((chance - 0.510_330_640).abs() <= error + 5e-10, "{chance} ± {error}");
    let weights: u64 =
        answer["throws"].as_array().unwrap().iter().map(|t| t["weight"].as_u64().unwrap()).sum();
    assert_eq!(weights, 16);
}

#[actix_web::test]
async fn a_throw_of_senet_is_answered_alone() {
    let answer = answer("senet", "position=wb8/10/10_b&throw=2").await;
    let throws = answer["throws"].as_array().unwrap();
    assert_eq!(throws.iter().map(|throw| &throw["throw"]).collect::<Vec<_>>(), [&json!(2)]);
}

#[actix_web::test]
async fn a_lone_piece_has_already_won_by_the_rules() {
    let over = answer("squish", "position=3/4/2w2/b3/b1b_w").await;
    assert_eq!((&over["over"], &over["proof"]), (&json!("unified"), &json!("rules")));
    assert_eq!(over["moves"], json!([]));
}

#[actix_web::test]
async fn a_proved_answer_is_not_sent_twice() {
    let state = ready(settings());
    let uri = format!("/v1/squish?position={}", encoded("3/4/2w2/b3/b1b w"));
    let first = get(&state, &uri).await;
    assert_eq!(first.header("cache-control"), "public, max-age=86400");
    let tag = first.header("etag").to_owned();
    assert!(!tag.is_empty());
    let again = send(&state, TestRequest::get().uri(&uri).insert_header(("if-none-match", tag))).await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    let other = send(&state, TestRequest::get().uri(&uri).insert_header(("if-none-match", "W/\"0\""))).await;
    assert_eq!(other.status, 200);
}

#[actix_web::test]
async fn all_games_are_listed_with_starts_that_are_accepted() {
    let state = ready(settings());
    let listed = get(&state, "/v1/games").await.json();
    let games = listed["games"].as_array().unwrap();
    let ids = games.iter().map(|game| game["id"].as_str().unwrap());
    assert!(ids.eq(official().games().map(|game| game.id().name())), "{listed}");
    for game in games {
        let id = game["id"].as_str().unwrap();
        for start in game["starts"].as_array().unwrap() {
            let position = encoded(start["position"].as_str().unwrap());
            let reply = get(&state, &format!("/v1/{id}?position={position}&budget_ms=0")).await;
            assert_eq!(reply.status, 200, "{}", reply.text);
            let answer = reply.json();
            assert_eq!(
                (&answer["game"], &answer["position"], &answer["over"]),
                (&json!(id), &start["position"], &Value::Null)
            );
            // The same moves as without an answer, each of them once; in Senet those of every throw.
            let legal = get(&state, &format!("/v1/{id}/moves?position={position}")).await.json();
            let sorted = |mut moves: Vec<(u64, String)>| {
                moves.sort();
                moves
            };
            let of = |moves: &Value, throw: &Value| -> Vec<(u64, String)> {
                let own = |mv: &Value| mv["throw"].as_u64().or(throw.as_u64()).unwrap_or_default();
                moves.as_array().unwrap().iter().map(|mv| (own(mv), mv["move"].to_string())).collect()
            };
            let listed = match answer["throws"].as_array() {
                None => of(&answer["moves"], &Value::Null),
                Some(throws) => throws.iter().flat_map(|own| of(&own["moves"], &own["throw"])).collect(),
            };
            let (listed, expected) = (sorted(listed), sorted(of(&legal["moves"], &Value::Null)));
            assert!(!listed.is_empty(), "{}", reply.text);
            assert_eq!(listed, expected, "{id} {position}");
        }
    }
}

#[actix_web::test]
async fn a_game_of_senet_is_solved_once_and_played_on_without_a_search() {
    let state = ready(settings());
    let uri =
        |position: &str, budget: u32| format!("/v1/senet?position={}&budget_ms={budget}", encoded(position));
    let mut answer = get(&state, &uri("wb8/10/10 b", 30_000)).await.json();
    for _ in 0..6 {
        let mv = answer["throws"][2]["moves"][0].clone();
        answer = get(&state, &uri(mv["position"].as_str().unwrap(), 0)).await.json();
        let same = answer["turn"] == "b";
        let (after, before) = (answer["chance"].as_f64().unwrap(), mv["chance"].as_f64().unwrap());
        // The chance after a move is for Black, who made it, or for White.
        assert!((after - before).abs() < 1e-6 || (1.0 - after - before).abs() < 1e-6, "{same} {mv} {answer}");
        if answer["over"].is_string() {
            break;
        }
    }
    let other = get(&state, &uri("wb1wb5/10/10 b", 0)).await.json();
    assert_eq!(other["source"], "estimate", "unsolved positions have estimates");
}

/// The start of each game, or a full set-up if it has none, too hard to solve in the time; for Squish, whose starts
/// are known, the position after two moves.
const OPEN: [(&str, &str); 5] = [
    ("squish", "start:4&play=a2-b3_c1-c2"),
    ("flowish", "start:5"),
    ("swish", "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b_w_0-0_19"),
    ("squeeze", "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b_w_0-0_10"),
    ("squinch", "start"),
];

#[actix_web::test]
async fn where_nothing_is_proved_every_move_has_chances_and_says_that_they_are_estimates() {
    let service = ready(settings());
    for (game, position) in OPEN {
        let reply = get(&service, &format!("/v1/{game}?budget_ms=200&position={position}")).await;
        let answer = reply.json();
        assert_eq!(
            (&answer["value"], &answer["source"]),
            (&json!("unknown"), &json!("estimate")),
            "{answer}"
        );
        let moves = answer["moves"].as_array().unwrap();
        for said in moves.iter().chain([&answer]) {
            let chance = |name: &str| said["wdl"][name].as_f64().unwrap();
            let [win, draw, loss] = ["win", "draw", "loss"].map(chance);
            assert!((win + draw + loss - 1.0).abs() < 1e-9 && win.min(draw).min(loss) >= 0.0, "{said}");
            if said["value"] == "unknown" {
                assert!((said["estimate"].as_f64().unwrap() - win - draw / 2.0).abs() < 1e-9, "{said}");
            }
        }
        // The line begins with the recommended move, and no other move is better.
        assert_eq!(answer["pv"][0], moves[0]["move"], "{answer}");
        assert_eq!(answer["estimate"], moves[0]["estimate"], "{answer}");
        assert!(moves.is_sorted_by(|a, b| a["estimate"].as_f64() >= b["estimate"].as_f64()), "{game}");
        assert!(answer["depth"].as_u64().unwrap() >= 1 && answer["nodes"].as_u64().unwrap() > 0, "{answer}");
        assert!(answer["pv_exact_from"].is_null() && answer["stability"].is_number(), "{answer}");
    }
}

#[actix_web::test]
async fn five_pieces_of_senet_have_chances_without_an_error() {
    let service = ready(settings());
    let answer = get(&service, "/v1/senet?budget_ms=200&position=start").await.json();
    assert_eq!((&answer["source"], &answer["error"]), (&json!("estimate"), &Value::Null), "{answer}");
    let chance = answer["chance"].as_f64().unwrap();
    assert!((0.3..0.7).contains(&chance), "{answer}");
    let throws = answer["throws"].as_array().unwrap();
    let mean: f64 = throws
        .iter()
        .map(|throw| throw["weight"].as_f64().unwrap() / 16.0 * throw["chance"].as_f64().unwrap())
        .sum();
    assert!((mean - chance).abs() < 1e-9, "{mean}: {answer}");
    for throw in throws {
        let moves = throw["moves"].as_array().unwrap();
        assert_eq!(throw["chance"], moves[0]["chance"]);
        assert!(moves.iter().all(|mv| mv["chance"].is_number() && mv["error"].is_null()), "{throw}");
    }
}

#[actix_web::test]
async fn certified_starts_of_senet_are_known_with_any_budget() {
    let service = ready(settings());
    for (start, chance) in
        [("start:2", 0.510_330_640), ("start:3", 0.511_044_404), ("start:4", 0.505_162_715)]
    {
        for limit in ["budget_ms=0", "budget_ms=50", "nodes=100", "nodes=30000", "budget_ms=0&until=value"] {
            let answer = get(&service, &format!("/v1/senet?position={start}&{limit}")).await.json();
            assert_eq!((&answer["chance"], &answer["source"]), (&json!(chance), &json!("exact")), "{answer}");
            assert_eq!(answer["proof"], "book", "{answer}");
            assert!(answer["error"].as_f64().is_some_and(|error| error < 1e-6), "{answer}");
            for own in answer["throws"].as_array().unwrap() {
                assert_eq!(
                    (&own["source"], &own["moves"][0]["source"]),
                    (&json!("estimate"), &json!("estimate"))
                );
            }
        }
    }
}

#[actix_web::test]
async fn positions_in_place_of_time_give_the_answer_of_the_library_in_senet_too() {
    let service = ready(settings());
    let engine = Engine::open(marquis_registry::official(), EngineOptions::default()).unwrap().0;
    for (position, nodes) in [("start:4", 100), ("start:5", 100), ("start:5", 30_000)] {
        let query = Query::new(GameId::new("senet"), position);
        let limits = Limits { nodes: Some(nodes), threads: Some(1), ..Limits::default() };
        let expected = engine.solve(&query, &limits, &Control::none()).unwrap();
        let answer = get(&service, &format!("/v1/senet?position={position}&nodes={nodes}")).await.json();
        assert_eq!(
            answer["throws"],
            serde_json::to_value(&expected).unwrap()["throws"],
            "{position} {nodes}"
        );
    }
}

#[actix_web::test]
async fn what_is_proved_has_certain_chances() {
    let answer = answer("squish", "position=start:3").await;
    assert_eq!(answer["source"], "exact");
    assert_eq!(answer["wdl"], json!({"win": 1.0, "draw": 0.0, "loss": 0.0}));
    assert!(answer.get("pv").is_none() && answer.get("estimate").is_none(), "{answer}");
}

#[actix_web::test]
async fn a_player_of_some_level_chooses_a_move() {
    let service = ready(settings());
    let chosen = |query: String| {
        let service = &service;
        async move { get(service, &query).await.json()["chosen"].clone() }
    };
    let asked = |level: u8, seed: u8| {
        format!("/v1/squish?position=b1w/1wb1/wb1wb/1wb1/b1w_w&level={level}&seed={seed}&budget_ms=300")
    };
    assert_eq!(chosen(asked(8, 1)).await["move"], "a3xb3");
    assert_eq!(chosen(asked(1, 5)).await, chosen(asked(1, 5)).await);
    let thrown = chosen("/v1/senet?position=start&throw=2&level=8&budget_ms=100".to_owned()).await;
    assert!(thrown["move"].is_string() && thrown["position"].is_string(), "{thrown}");
    assert!(
        thrown["chance"].is_f64() && thrown["over"].is_null() && thrown.get("value").is_none(),
        "{thrown}"
    );
    for (level, seed) in (1..=8).zip(1..) {
        let answer = get(&service, &asked(level, seed)).await.json();
        let (own, moves) = (&answer["chosen"], answer["moves"].as_array().expect("moves"));
        let listed = moves.iter().find(|listed| listed["move"] == own["move"]).expect("a listed move");
        assert!(own["over"].is_null(), "{own}");
        for field in ["position", "value", "plies", "bounds", "proof", "estimate", "wdl", "source"] {
            assert_eq!(own.get(field), listed.get(field), "{field}: {own}");
        }
    }
    let last = chosen("/v1/squish?position=3/b2w/bw1w1/1b2/3_w&level=8&budget_ms=100".to_owned()).await;
    assert_eq!(
        (&last["value"], &last["plies"], &last["over"]),
        (&json!("win"), &json!(1), &json!("unified"))
    );
    for (query, over) in [
        ("squish?position=3/wb2/1w3/3b/3_b&level=2", "unified"),
        ("senet?position=3b6/10/10_b&level=8", "borne-off"),
    ] {
        let reply = get(&service, &format!("/v1/{query}")).await;
        assert_eq!(reply.status, 200, "{query}: {}", reply.text);
        let answer = reply.json();
        assert_eq!((&answer["over"], answer.get("chosen")), (&json!(over), Some(&json!(null))), "{answer}");
    }
    for level in 1..=8 {
        let hurried = format!("/v1/squish?position=start:4&level={level}&seed=1&budget_ms=0");
        assert!(chosen(hurried).await["move"].is_string(), "level {level}");
    }
    for (query, words) in [
        ("squish?position=start:4&level=9", "a whole number from 1 to 8"),
        ("squish?position=start:4&level=2&seed=x", "a whole number"),
        ("senet?position=start&level=2", "the throw that the move is for"),
    ] {
        let reply = get(&service, &format!("/v1/{query}")).await;
        assert_eq!(reply.status, 400, "{query}: {}", reply.text);
        assert!(reply.text.contains(words), "{query}: {}", reply.text);
    }
}

#[actix_web::test]
async fn a_known_result_needs_no_budget_and_the_book_is_listed() {
    let service = ready(settings());
    let answer = get(&service, "/v1/flowish?position=start:4&budget_ms=0").await.json();
    assert_eq!((&answer["value"], &answer["proof"]), (&json!("win"), &json!("book")), "{answer}");
    assert_eq!(answer["book"]["proof_file"], "flowish-4.proof");
    let unknown = answer["moves"].as_array().unwrap().iter().filter(|own| own["value"] == "unknown").count();
    assert_eq!(unknown, 0, "{answer}");
    let book = get(&service, "/v1/flowish/book").await.json();
    assert_eq!((book["entries"].as_array().map(Vec::len), &book["left_out"]), (Some(32), &json!([])));
    assert_eq!(get(&service, "/v1/chess/book").await.status, 404);
}

#[actix_web::test]
async fn the_gallery_lists_set_ups_without_their_verdicts() {
    let service = ready(settings());
    let gallery = get(&service, "/v1/swish/gallery").await.json();
    let set_ups = gallery["set_ups"].as_array().unwrap();
    assert_eq!(set_ups.len(), 148);
    for set in set_ups {
        let mut told: Vec<&str> = set.as_object().unwrap().keys().map(String::as_str).collect();
        told.sort_unstable();
        assert_eq!(told, ["board", "pie", "proof", "rating"], "a verdict would spoil it");
        let href = set["proof"]["href"].as_str().unwrap();
        assert!(href.starts_with("/v1/swish/gallery/") && set["proof"]["bytes"].as_u64() > Some(0), "{set}");
    }
    assert_eq!(get(&service, "/v1/squish/gallery").await.json()["set_ups"], json!([]));
    // The third set-up belongs to the other game.
    for nowhere in ["/v1/swish/gallery/03.proof", "/v1/swish/gallery/999.proof", "/v1/chess/gallery"] {
        assert_eq!(get(&service, nowhere).await.status, 404, "{nowhere}");
    }
}
