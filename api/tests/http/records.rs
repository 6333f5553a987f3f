//! Records of games over HTTP.

use std::time::Instant;

use actix_web::http::header::ContentType;
use actix_web::test::TestRequest;
use serde_json::{Value, json};

use crate::service::{IN_TIME, Reply, post, ready, send, settings};

async fn read(game: &str, text: &str) -> Reply {
    post(&ready(settings()), &format!("/v1/{game}/record"), &json!({ "record": text })).await
}

/// The moves of a line.
fn moves(line: &Value) -> Vec<&str> {
    line["moves"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn a_record_is_answered_with_every_position_and_its_variations() {
    let text = "[First \"A\"]\n[Position \"start:3\"]\n1. c4-c3 {so} (1. b2-c3 {or}) c5-c4";
    let reply = read("squish", text).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let game = reply.json();
    assert_eq!((&game["game"], &game["turn"]), (&json!("squish"), &json!("w")));
    assert_eq!(game["position"], "b1w/1wb1/wb1wb/1wb1/b1w w");
    assert_eq!(moves(&game), ["c4-c3", "c5-c4"]);
    let first = &game["moves"][0];
    assert_eq!((&first["ply"], &first["turn"], &first["comment"]), (&json!(1), &json!("w"), &json!("so")));
    let after = first["position"].as_str().unwrap();
    assert!(after.ends_with(" b"), "{after}");
    assert_eq!((&game["variations"][0]["of"], moves(&game["variations"][0])), (&json!(0), vec!["b2-c3"]));
    assert_eq!((&game["result"], &game["over"]), (&Value::Null, &Value::Null));
    // The text in the response reads as the same game.
    let again = read("squish", game["record"].as_str().unwrap()).await.json();
    assert_eq!(again, game);
}

#[actix_web::test]
async fn what_is_answered_can_be_sent_again_or_is_refused() {
    let text = |headers: usize| {
        let others: String = (0..headers).map(|number| format!("[H{number} \"x\"]\n")).collect();
        format!("{others}[Result \"*\"]\n\n1. a2-b3 *")
    };
    // With the game and the position there are 64 headers.
    let told = read("squish", &text(62)).await;
    let again = read("squish", told.json()["record"].as_str().unwrap()).await;
    assert_eq!((told.status.as_u16(), again.json()), (200, told.json()), "{}", again.text);
    let reply = read("squish", &text(64)).await;
    let place = json!("the record with its headers Game and Position");
    assert_eq!((reply.status.as_u16(), &reply.json()["place"]), (400, &place), "{}", reply.text);
}

#[actix_web::test]
async fn throws_stand_beside_their_moves() {
    let game = read("senet", "1. 2:8-10").await;
    assert_eq!((game.status.as_u16(), &game.json()["moves"][0]["throw"]), (200, &json!(2)), "{}", game.text);
    assert_eq!(game.json()["moves"][0]["move"], "8-10");
    let refused = read("senet", "1. 8-10").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["place"]), (400, &json!("ply 1 (move 1)")));
}

#[actix_web::test]
async fn what_is_no_record_is_refused_with_its_place() {
    for (text, place) in [
        ("1. c4-c3 {cut", "line 1, column 14"),
        ("", "line 1, column 1"),
        ("[Game \"senet\"] 1. c4-c3", "header Game"),
        ("[Position \"start:99\"] 1. c4-c3", "header Position: start"),
        ("[Pie \"marquisian\"] 1. c4-c3", "header Pie"),
        ("[Position \"start:3\"] 1. c4-c3 c4-c3", "ply 2 (move 1)"),
        ("[Position \"start:3\"] 1. c4-c3 (1. b2-c3 2. x-y) *", "line 1, column 41"),
        ("[Position \"start:3\"] 1. c4-c3 (1. b2-c3 x-y) *", "ply 2 (move 1) of variation 1"),
    ] {
        let reply = read("squish", text).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["place"]), (400, &json!(place)), "{}", reply.text);
        assert!(reply.text.len() < 1_000, "{}", reply.text);
    }
    let reply = read("squish", &"c4-c3 ".repeat(200_000)).await;
    assert_eq!(reply.status, 400, "a megabyte");
    assert!(reply.json()["expected"].as_str().unwrap().contains("1048576 bytes"), "{}", reply.text);
}

/// A complete game with every feature of a record.
const RICH: &str = "[First \"A \\\"b\\\" é\"]\n[Position \"start:3\"]\n\n1. c4-c3 {so} (1. b2-c3 {or} (1. d2-c3 b3xc3)) c5-c4 *\n";

#[actix_web::test]
async fn bombs_of_variations_are_refused_with_their_place_and_soon() {
    let start = "[Position \"start:3\"] 1. c4-c3";
    let deep = format!("{start} {}", "(1. b2-c3 ".repeat(90_000));
    let closed = format!("{start} {}{}", "(1. b2-c3 ".repeat(40_000), ")".repeat(40_000));
    let wide = format!("{start} {}", "(1. b2-c3) ".repeat(90_000));
    let long = format!("{start} {}{}", "(1. b2-c3 c5-c4) ".repeat(900), "x1-x2 ".repeat(9_000));
    let comments = format!("{start} {}", "{so} ".repeat(190_000));
    let headers: String = (0..70_000).map(|number| format!("[S{number} \"x\"]\n")).collect();
    let headers = format!("{headers} 1. c4-c3");
    for (name, text, expected) in [
        ("deep", deep, "variations inside each other"),
        ("deep and closed", closed, "variations inside each other"),
        ("wide", wide, "variations; leave some out"),
        ("long", long, "plies with those of all variations"),
        ("headers", headers, "headers"),
    ] {
        assert!(text.len() < 1 << 20, "{name}: the size alone is not what is refused");
        let began = Instant::now();
        let reply = read("squish", &text).await;
        assert_eq!(reply.status, 400, "{name}: {}", reply.text);
        let problem = reply.json();
        assert!(problem["expected"].as_str().unwrap().contains(expected), "{name}: {}", reply.text);
        assert!(problem["place"].as_str().unwrap().starts_with("line "), "{name}: {}", reply.text);
        assert!(reply.text.len() < 1_000, "{name}");
        assert!(began.elapsed() < IN_TIME, "{name}: {:?}", began.elapsed());
    }
    // A megabyte of words about one move is a valid record.
    let reply = read("squish", &comments).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let commented = format!("{start} {{{}}} *", "so ".repeat(300_000));
    assert_eq!(read("squish", &commented).await.status, 200);
}

#[actix_web::test]
async fn a_record_in_another_encoding_is_read_where_it_can_be_and_refused_otherwise() {
    let state = ready(settings());
    let body = |record: &[u8]| [&br#"{"record": ""#[..], record, br#""}"#].concat();
    // Latin-1 and UTF-16 are not UTF-8, which JSON requires.
    let latin = body(b"[First \\\"\xe9\\\"] 1. c4-c3");
    let utf_16: Vec<u8> = "{\"record\": \"1. c4-c3\"}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in
        [("latin-1", latin), ("utf-16", utf_16), ("half a surrogate", body(br"\ud83d c4-c3"))]
    {
        let request = TestRequest::post().uri("/v1/squish/record").insert_header(ContentType::json());
        let reply = send(&state, request.set_payload(bytes)).await;
        assert_eq!(reply.status, 400, "{name}: {}", reply.text);
        assert_eq!(reply.header("content-type"), "application/problem+json", "{name}");
    }
    // Such texts after a wrong conversion: now valid UTF-8, but not records.
    for (name, text) in [
        ("utf-16 as it is", "1\u{0}.\u{0} \u{0}c\u{0}4\u{0}-\u{0}c\u{0}3\u{0}"),
        ("replaced", "\u{fffd}\u{fffd}1. c4-c3"),
        ("wide digits", "１. ｃ４-ｃ３"),
        ("another dash", "1. c4\u{2013}c3"),
    ] {
        let reply = read("squish", text).await;
        assert_eq!(reply.status, 400, "{name}: {}", reply.text);
        let problem = reply.json();
        assert!(problem["place"].is_string() && problem["expected"].is_string(), "{name}: {}", reply.text);
    }
    // A byte order mark and Windows line ends do no harm.
    let text = format!("\u{feff}{}", RICH.replace('\n', "\r\n"));
    let reply = read("squish", &text).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(moves(&reply.json()), ["c4-c3", "c5-c4"]);
}

#[actix_web::test]
async fn a_record_cut_short_anywhere_is_a_shorter_game_or_refused_with_its_place() {
    let whole = read("squish", RICH).await;
    assert_eq!(whole.status, 200, "{}", whole.text);
    let mut refused = 0;
    for (end, _) in RICH.char_indices() {
        let reply = read("squish", &RICH[..end]).await;
        match reply.status.as_u16() {
            // The header with the start position may be cut off, and moves after it.
            200 => assert!(moves(&reply.json()).len() <= 2, "{end}: {}", reply.text),
            400 => {
                let place = &reply.json()["place"];
                assert!(place.as_str().is_some_and(|place| !place.is_empty()), "{end}: {}", reply.text);
                refused += 1;
            }
            other => panic!("{end}: {other} {}", reply.text),
        }
    }
    assert!(refused > RICH.len() / 2, "{refused}");
}
