//! The built-in parts of the binary: the page, the description, the metrics.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::read_to_string;

use actix_web::test::TestRequest;
use serde_json::Value;

use crate::service::{Reply, get, ready, send, settings};

/// The quoted addresses in a text of the page.
fn addresses(text: &str) -> BTreeSet<String> {
    let quoted = text.split('"').filter(|part| !part.contains(char::is_whitespace));
    let local = |part: &&str| part.starts_with('/') && part.len() > 1 && !part.contains(['$', '{']);
    quoted.filter(local).map(str::to_owned).collect()
}

/// The scripts of pages.
const SCRIPTS: [&str; 3] = ["app.js", "docs.js", "studies.js"];

/// The modules that a script of the source imports, directly or not, and itself.
fn modules(script: &str) -> BTreeSet<String> {
    let (mut todo, mut seen) = (vec![script.to_owned()], BTreeSet::new());
    while let Some(name) = todo.pop() {
        let text =
            read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/").to_owned() + &name).unwrap();
        let imports = text.lines().filter(|line| line.starts_with("import "));
        let names = imports.map(|line| line.split("\"./").nth(1).unwrap().split('"').next().unwrap());
        todo.extend(names.filter(|name| !seen.contains(*name)).map(str::to_owned));
        seen.insert(name);
    }
    seen
}

fn assert_guarded(reply: &Reply) {
    assert!(reply.header("content-security-policy").starts_with("default-src 'self'"), "{:?}", reply.headers);
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
}

#[actix_web::test]
async fn everything_that_the_page_asks_for_is_there() {
    let state = ready(settings());
    for page in ["/", "/docs/", "/studies/"] {
        let reply = get(&state, page).await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "text/html; charset=utf-8"));
        assert_guarded(&reply);
        for address in addresses(&reply.text) {
            assert_eq!(get(&state, &address).await.status, 200, "{page} names {address}");
        }
    }
    let size = async |address: String| get(&state, &address).await.text.len();
    let mut bytes = size("/".to_owned()).await;
    for name in ["app.js", "style.css", "theme.js"] {
        bytes += size(format!("/assets/{name}")).await;
    }
    assert!(bytes < 215_000, "the page has {bytes} bytes");
}

#[actix_web::test]
async fn the_page_has_the_games_of_the_service() {
    let state = ready(settings());
    let page = get(&state, "/").await.text;
    let listed = page.split_once("<script id=\"listed\" type=\"application/json\">").unwrap().1;
    let (listed, _) = listed.split_once("</script>").unwrap();
    let listed: Value = serde_json::from_str(listed).unwrap();
    assert_eq!(listed, get(&state, "/v1/games").await.json());
}

#[actix_web::test]
async fn the_script_of_a_page_has_every_module_once_and_imports_none() {
    let state = ready(settings());
    for script in SCRIPTS {
        let reply = get(&state, &format!("/assets/{script}")).await;
        assert_eq!(reply.header("content-type"), "text/javascript; charset=utf-8");
        let heads = reply.text.lines().filter_map(|line| line.strip_prefix("// ")?.strip_suffix(".js"));
        let mut found: Vec<String> = heads.map(|name| format!("{name}.js")).collect();
        assert_eq!(found.last().map(String::as_str), Some(script), "{found:?}");
        found.sort();
        let needed: Vec<String> = modules(script).into_iter().collect();
        assert!(needed.contains(&"dom.js".to_owned()), "{script}: {needed:?}");
        assert_eq!(found, needed, "{script}");
        let left = reply.text.lines().find(|line| line.starts_with("import ") || line.starts_with("export "));
        assert_eq!(left, None, "{script}");
    }
}

#[actix_web::test]
async fn the_page_asks_no_other_host_and_runs_nothing_inline() {
    let state = ready(settings());
    let index = get(&state, "/").await.text;
    for forbidden in ["http://", "https://", "<style", " style=", " onclick="] {
        assert!(!index.contains(forbidden), "{forbidden}");
    }
    assert!(!index.contains("<script>"));
    for script in ["app", "play", "board", "editor", "balance", "layouts", "docs", "api"] {
        let text =
            get(&state, &format!("/assets/{script}.js")).await.text.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !text.contains("http://") && !text.contains("https://") && !text.contains("innerHTML"),
            "{script}"
        );
    }
}

#[actix_web::test]
async fn of_the_starts_of_a_game_the_one_that_people_play_from_is_marked() {
    let games = get(&ready(settings()), "/v1/games").await.json();
    let usual = |game: &Value| {
        let starts = game["starts"].as_array().unwrap().iter();
        let usual = starts
            .filter(|start| start["usual"] == true)
            .map(|start| start["name"].as_str().unwrap().to_owned());
        (game["id"].as_str().unwrap().to_owned(), usual.collect::<Vec<_>>().join(" "))
    };
    let found: BTreeMap<String, String> = games["games"].as_array().unwrap().iter().map(usual).collect();
    // The boards that RULES.md and the published games name; Swish and Squeeze start with a set-up.
    let known = [
        ("squish", "start:4"),
        ("flowish", "start:5"),
        ("swish", ""),
        ("squeeze", ""),
        ("squinch", "start:8x8x3"),
        ("senet", "start:5"),
    ];
    for (game, start) in known {
        assert_eq!(found.get(game).map(String::as_str), Some(start), "{game}");
    }
    for (game, start) in found.iter().filter(|(game, _)| known.iter().all(|(own, _)| own != game)) {
        assert!(
            start.starts_with("start:") && !start.contains(' '),
            "{game}: one usual start, not {start:?}"
        );
    }
}

#[actix_web::test]
async fn the_rules_of_every_game_are_served_to_people_and_to_programs() {
    let state = ready(settings());
    let games = get(&state, "/v1/games").await.json();
    for game in games["games"].as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        let document = get(&state, game["rules"].as_str().unwrap()).await.json();
        assert_eq!(document["game"], id);
        assert!(document["rules"].as_str().unwrap().starts_with("# "), "{id}");
        assert!(document["diagram"].as_str().unwrap().starts_with("<svg"), "{id}");
        let page = get(&state, &format!("/rules/{id}")).await;
        assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
        assert_guarded(&page);
        let diagrams = document["diagrams"].as_array().unwrap().len();
        assert_eq!(page.text.matches("<figure><svg").count(), diagrams, "{id}");
        for forbidden in
            ["<style", " style=", "<script>", ".md", "<!--", "{rules}", "{links}", "{game}", "![", "| ---"]
        {
            assert!(!page.text.contains(forbidden), "{id}: {forbidden}");
        }
        for address in addresses(&page.text) {
            assert_eq!(get(&state, &address).await.status, 200, "the rules of {id} name {address}");
        }
    }
    for unknown in ["/rules/chess", "/v1/chess/rules"] {
        assert_eq!(get(&state, unknown).await.status, 404, "{unknown}");
    }
}

#[actix_web::test]
async fn a_file_of_the_page_is_sent_once_and_one_that_is_not_there_never() {
    let state = ready(settings());
    let first = get(&state, "/assets/style.css").await;
    let tag = first.header("etag").to_owned();
    let request = TestRequest::get().uri("/assets/style.css").insert_header(("if-none-match", tag));
    assert_eq!(send(&state, request).await.status, 304);
    for missing in
        ["none.js", "..%2fCargo.toml", "", "index.html", "openapi.json"].map(|name| format!("/assets/{name}"))
    {
        assert_eq!(get(&state, &missing).await.status, 404, "{missing}");
    }
}

#[actix_web::test]
async fn a_request_counts_for_its_address_and_no_other() {
    for (path, route) in [
        ("/v1/games", "/v1/games"),
        ("/v1/squish", "/v1/{game}"),
        ("/v1/swish/balance", "/v1/{game}/balance"),
        ("/v1/swish/rules", "/v1/{game}/rules"),
        ("/v1/jobs/17", "/v1/jobs/{id}"),
        ("/v1/jobs/17/events", "/v1/jobs/{id}/events"),
        ("/", "/"),
        ("/v1/", "other"),
        ("/v2/squish", "other"),
        ("/v1/squish/balance/more", "other"),
    ] {
        let state = ready(settings());
        get(&state, path).await;
        let text = get(&state, "/metrics").await.text;
        let figure = format!("marquis_http_request_duration_seconds_count{{route=\"{route}\"}} 1");
        assert!(text.contains(&figure), "{path}: {figure} is not in\n{text}");
    }
}

#[actix_web::test]
async fn what_was_asked_is_counted_by_address_and_source() {
    let state = ready(settings());
    for _ in 0..3 {
        get(&state, "/v1/squish?position=3/4/2w2/b3/b1b_w").await;
    }
    get(&state, "/v1/chess?position=start").await;
    get(&state, "/wherever/17").await;
    let text = get(&state, "/metrics").await.text;
    for line in [
        r#"marquis_http_requests_total{route="/v1/{game}",method="GET",status="200"} 3"#,
        r#"marquis_http_requests_total{route="/v1/{game}",method="GET",status="404"} 1"#,
        r#"marquis_http_requests_total{route="other",method="GET",status="404"} 1"#,
        r#"marquis_answers_total{source="rules"} 1"#,
        r#"marquis_answers_total{source="cache"} 2"#,
        r#"marquis_http_request_duration_seconds_count{route="/v1/{game}"} 4"#,
        "marquis_tables 0",
        "marquis_sub_tables 0",
        "marquis_sub_tables_bytes 0",
        "# EOF",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}
