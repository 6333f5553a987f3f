//! Conditional requests and ranges, case by case.
//!
//! Source: RFC 9110 §13 and §14.

use std::fs::File;
use std::ops::Range;
use std::time::{Duration, SystemTime};

use actix_web::App;
use actix_web::body::to_bytes;
use actix_web::http::Method;
use actix_web::http::header::{HeaderMap, HttpDate};
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::Data;
use marquis_api::{AppState, Config, configure};
use marquis_core::GameId;
use marquis_engine::{Engine, EngineOptions};
use marquis_registry::official;
use serde_json::json;

use crate::service::{generated, get, post, ready, settings};

/// A response.
struct Sent {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Sent {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn sent(state: &Data<AppState>, method: &Method, uri: &str, headers: &[(&str, String)]) -> Sent {
    let app = init_service(App::new().configure(|cfg| configure(cfg, state.clone()))).await;
    let mut request = TestRequest::with_uri(uri).method(method.clone());
    for (name, value) in headers {
        request = request.append_header((*name, value.as_str()));
    }
    let response = call_service(&app, request.to_request()).await;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Sent { status, headers, body: to_bytes(response.into_body()).await.ok().unwrap().to_vec() }
}

/// A case: the headers, and the expected status and ranges.
///
/// In values `TAG` stands for the tag of the response, `WEAK` for its weak form, `DATE` for the date of its last
/// change, `EARLIER` and `LATER` for an hour before and after that, `END` for its length, `TEN` for ten less. A range
/// is its first byte and the one after its last; a number below 1 counts from the end.
type Case = (&'static [(&'static str, &'static str)], u16, &'static [(isize, isize)]);

const WHOLE: &[(isize, isize)] = &[];
const FIRST: &[(isize, isize)] = &[(0, 21)];

/// RFC 9110 §13: for every resource with a tag.
const CONDITIONS: &[Case] = &[
    (&[], 200, WHOLE),
    (&[("if-none-match", "TAG")], 304, WHOLE),
    (&[("if-none-match", "WEAK")], 304, WHOLE),
    (&[("if-none-match", "*")], 304, WHOLE),
    (&[("if-none-match", "\"other\", TAG")], 304, WHOLE),
    (&[("if-none-match", "\"other\""), ("if-none-match", "TAG")], 304, WHOLE),
    (&[("if-none-match", "\"other\"")], 200, WHOLE),
    (&[("if-none-match", "no tag")], 200, WHOLE),
    (&[("if-match", "*")], 200, WHOLE),
    (&[("if-match", "\"other\"")], 412, WHOLE),
    (&[("if-match", "WEAK")], 412, WHOLE),
    (&[("if-match", "no tag")], 412, WHOLE),
    // A failed precondition takes precedence over "not modified".
    (&[("if-match", "\"other\""), ("if-none-match", "TAG")], 412, WHOLE),
    // Invalid dates are ignored.
    (&[("if-modified-since", "yesterday")], 200, WHOLE),
    (&[("if-unmodified-since", "yesterday")], 200, WHOLE),
];

/// For every resource with a strong tag and a date.
const DATES: &[Case] = &[
    (&[("if-match", "TAG")], 200, WHOLE),
    (&[("if-match", "\"other\", TAG")], 200, WHOLE),
    (&[("if-unmodified-since", "DATE")], 200, WHOLE),
    (&[("if-unmodified-since", "LATER")], 200, WHOLE),
    (&[("if-unmodified-since", "EARLIER")], 412, WHOLE),
    (&[("if-modified-since", "DATE")], 304, WHOLE),
    (&[("if-modified-since", "LATER")], 304, WHOLE),
    (&[("if-modified-since", "EARLIER")], 200, WHOLE),
    // Tags take precedence over dates.
    (&[("if-match", "TAG"), ("if-unmodified-since", "EARLIER")], 200, WHOLE),
    (&[("if-match", "\"other\""), ("if-unmodified-since", "LATER")], 412, WHOLE),
    (&[("if-none-match", "\"other\""), ("if-modified-since", "DATE")], 200, WHOLE),
    (&[("if-none-match", "TAG"), ("if-modified-since", "EARLIER")], 304, WHOLE),
];

/// RFC 9110 §14: for files.
const RANGES: &[Case] = &[
    (&[("range", "bytes=0-20")], 206, FIRST),
    (&[("range", "Bytes=0-20")], 206, FIRST),
    (&[("range", "bytes=30-39")], 206, &[(30, 40)]),
    (&[("range", "bytes=7-7")], 206, &[(7, 8)]),
    (&[("range", "bytes=0-")], 206, &[(0, 0)]),
    (&[("range", "bytes=TEN-")], 206, &[(-10, 0)]),
    (&[("range", "bytes=TEN-5000000")], 206, &[(-10, 0)]),
    (&[("range", "bytes=-10")], 206, &[(-10, 0)]),
    (&[("range", "bytes=-5000000")], 206, &[(0, 0)]),
    // Unsatisfiable ranges.
    (&[("range", "bytes=END-")], 416, WHOLE),
    (&[("range", "bytes=5000000-6000000")], 416, WHOLE),
    (&[("range", "bytes=-0")], 416, WHOLE),
    (&[("range", "bytes=END-,5000000-")], 416, WHOLE),
    // Several ranges.
    (&[("range", "bytes=0-4,10-14")], 206, &[(0, 5), (10, 15)]),
    (&[("range", "bytes=-5, 0-4 ,50-50")], 206, &[(-5, 0), (0, 5), (50, 51)]),
    (&[("range", "bytes=END-,0-20")], 206, FIRST),
    // Overlapping or numerous ranges cost more than the whole file.
    (&[("range", "bytes=0-50,40-60")], 200, WHOLE),
    (
        &[(
            "range",
            "bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16,18-18,20-20,22-22,24-24,26-26,28-28,30-30,32-32",
        )],
        200,
        WHOLE,
    ),
    // Invalid ranges and other units are ignored.
    (&[("range", "bytes=5-4")], 200, WHOLE),
    (&[("range", "bytes=a-b")], 200, WHOLE),
    (&[("range", "bytes=")], 200, WHOLE),
    (&[("range", "bytes")], 200, WHOLE),
    (&[("range", "bytes=é")], 200, WHOLE),
    (&[("range", "rows=0-20")], 200, WHOLE),
    (&[("range", "bytes=0-20"), ("range", "bytes=30-40")], 200, WHOLE),
    // Only if the client has the same version.
    (&[("range", "bytes=0-20"), ("if-range", "TAG")], 206, FIRST),
    (&[("range", "bytes=0-20"), ("if-range", "\"stale\"")], 200, WHOLE),
    (&[("range", "bytes=0-20"), ("if-range", "WEAK")], 200, WHOLE),
    (&[("range", "bytes=0-20"), ("if-range", "DATE")], 206, FIRST),
    (&[("range", "bytes=0-20"), ("if-range", "EARLIER")], 200, WHOLE),
    (&[("range", "bytes=0-20"), ("if-range", "LATER")], 200, WHOLE),
    (&[("range", "bytes=0-20"), ("if-range", "*")], 200, WHOLE),
    (&[("range", "bytes=0-20"), ("if-range", "no tag")], 200, WHOLE),
    (&[("range", "bytes=END-"), ("if-range", "\"stale\"")], 200, WHOLE),
    (&[("range", "bytes=END-"), ("if-range", "TAG")], 416, WHOLE),
    (&[("if-range", "TAG")], 200, WHOLE),
    // The other conditions take precedence.
    (&[("range", "bytes=0-20"), ("if-match", "TAG")], 206, FIRST),
    (&[("range", "bytes=0-20"), ("if-match", "\"other\"")], 412, WHOLE),
    (&[("range", "bytes=0-20"), ("if-none-match", "\"other\"")], 206, FIRST),
    (&[("range", "bytes=0-20"), ("if-none-match", "TAG")], 304, WHOLE),
    (&[("range", "bytes=END-"), ("if-none-match", "TAG")], 304, WHOLE),
    (&[("range", "bytes=END-"), ("if-match", "\"other\"")], 412, WHOLE),
    (&[("range", "bytes=0-20"), ("if-modified-since", "DATE")], 304, WHOLE),
    (&[("range", "bytes=0-20"), ("if-unmodified-since", "EARLIER")], 412, WHOLE),
];

/// Runs all of these cases on an address, with GET and HEAD.
async fn assert_cases(state: &Data<AppState>, uri: &str, cases: &[Case]) {
    let whole = sent(state, &Method::GET, uri, &[]).await;
    assert_eq!(whole.status, 200, "{uri}");
    let tag = whole.header("etag");
    let length = whole.body.len();
    let strong = tag.trim_start_matches("W/");
    let date = whole.header("last-modified").parse::<HttpDate>().map_or(SystemTime::UNIX_EPOCH, Into::into);
    let hour = Duration::from_secs(3600);
    let at = |time: SystemTime| HttpDate::from(time).to_string();
    let dates = [
        at(date),
        at(date - hour.min(date.duration_since(SystemTime::UNIX_EPOCH).unwrap())),
        at(date + hour),
    ];
    let filled = |value: &str| match value {
        "DATE" => dates[0].clone(),
        "EARLIER" => dates[1].clone(),
        "LATER" => dates[2].clone(),
        value => {
            let value = value.replace("TAG", tag).replace("WEAK", &format!("W/{strong}"));
            value.replace("END", &length.to_string()).replace("TEN", &(length.saturating_sub(10)).to_string())
        }
    };
    for (headers, status, ranges) in cases {
        let asked: Vec<_> = headers.iter().map(|(name, value)| (*name, filled(value))).collect();
        let reply = sent(state, &Method::GET, uri, &asked).await;
        let case = format!("{uri} {asked:?}: {}", String::from_utf8_lossy(&reply.body));
        assert_eq!(reply.status, *status, "{case}");
        match status {
            200 => assert!(reply.body == whole.body && reply.header("content-range").is_empty(), "{case}"),
            206 => assert_parts(&reply, ranges, &whole.body, &case),
            304 => assert!(reply.body.is_empty() && reply.header("etag") == tag, "{case}"),
            _ => assert_eq!(reply.header("content-type"), "application/problem+json", "{case}"),
        }
        if *status == 416 {
            assert_eq!(reply.header("content-range"), format!("bytes */{}", whole.body.len()), "{case}");
        }
        // HEAD has no ranges.
        let head = sent(state, &Method::HEAD, uri, &asked).await;
        let expected = if [206, 416].contains(status) { 200 } else { *status };
        assert_eq!(head.status, expected, "HEAD {case}");
    }
}

/// Asserts that the reply has these ranges of the whole.
fn assert_parts(reply: &Sent, ranges: &[(isize, isize)], whole: &[u8], case: &str) {
    let of = |range: &Range<usize>| format!("bytes {}-{}/{}", range.start, range.end - 1, whole.len());
    let slice = |range: &Range<usize>| &whole[range.clone()];
    let at = |place: isize, is_end: bool| {
        let from_end = place < 0 || place == 0 && is_end;
        if from_end { whole.len() - place.unsigned_abs() } else { place.unsigned_abs() }
    };
    let ranges: Vec<Range<usize>> = ranges.iter().map(|(from, to)| at(*from, false)..at(*to, true)).collect();
    if let [range] = &ranges[..] {
        assert_eq!(reply.header("content-range"), of(range), "{case}");
        assert_eq!(reply.body, slice(range), "{case}");
        return;
    }
    assert_eq!(reply.header("content-range"), "", "{case}");
    let boundary = reply.header("content-type").strip_prefix("multipart/byteranges; boundary=").expect(case);
    let mut expected = Vec::new();
    for range in &ranges {
        let head = format!(
            "\r\n--{boundary}\r\nContent-Type: application/octet-stream\r\nContent-Range: {}\r\n\r\n",
            of(range)
        );
        expected.extend_from_slice(head.as_bytes());
        expected.extend_from_slice(slice(range));
    }
    expected.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    assert_eq!(String::from_utf8_lossy(&reply.body), String::from_utf8_lossy(&expected), "{case}");
}

/// A service with a table of more than a hundred bytes, and its address.
async fn with_table() -> (tempfile::TempDir, Data<AppState>, String) {
    let folder = tempfile::tempdir().unwrap();
    generated(folder.path(), GameId::new("squish"), |query| {
        (query.side, query.pieces) = (Some(2), Some("2v2".to_owned()));
    });
    let state = AppState::starting(official(), settings()).unwrap();
    let options = EngineOptions { tables: vec![folder.path().to_owned()], ..EngineOptions::default() };
    state.open(Engine::open(official(), options).unwrap().0);
    let state = Data::new(state);
    let listed = get(&state, "/v1/tables").await.json();
    let name = listed["tables"][0]["file"].as_str().unwrap().to_owned();
    // A file that has just changed may change again within the same second.
    let long_ago = SystemTime::now() - Duration::from_secs(86_400);
    File::options().write(true).open(folder.path().join(&name)).unwrap().set_modified(long_ago).unwrap();
    (folder, state, format!("/v1/tables/{name}"))
}

#[actix_web::test]
async fn a_table_is_sent_by_the_conditions_and_in_the_ranges_of_rfc_9110() {
    let (_folder, state, uri) = with_table().await;
    assert_cases(&state, &uri, CONDITIONS).await;
    assert_cases(&state, &uri, DATES).await;
    let whole = sent(&state, &Method::GET, &uri, &[]).await;
    assert_eq!(whole.header("accept-ranges"), "bytes");
    assert!(!whole.header("etag").starts_with("W/") && !whole.header("last-modified").is_empty());
    assert_cases(&state, &uri, RANGES).await;
}

#[actix_web::test]
async fn a_file_that_changed_a_moment_ago_is_not_known_by_its_date() {
    let (folder, state, uri) = with_table().await;
    let file = folder.path().join(uri.strip_prefix("/v1/tables/").unwrap());
    // In the future, so that the duration of the test does not matter.
    let now = SystemTime::now() + Duration::from_secs(3600);
    File::options().write(true).open(file).unwrap().set_modified(now).unwrap();
    let cases: &[Case] = &[
        (&[("range", "bytes=0-20"), ("if-range", "DATE")], 200, WHOLE),
        (&[("range", "bytes=0-20"), ("if-range", "TAG")], 206, FIRST),
    ];
    assert_cases(&state, &uri, cases).await;
}

#[actix_web::test]
async fn the_proof_of_a_job_is_sent_in_the_same_way() {
    let state = ready(settings());
    let body = json!({"board": "w1/1o1/1b", "budget_ms": 30000});
    assert_eq!(post(&state, "/v1/swish/balance", &body).await.status, 200);
    let uri = "/v1/jobs/swish-marquisian-0-1-loss-choice-w1.1o1.1b/proof";
    assert_cases(&state, uri, CONDITIONS).await;
    let cases: &[Case] = &[
        (&[("range", "bytes=0-20"), ("if-range", "TAG")], 206, FIRST),
        (&[("range", "bytes=0-20"), ("if-range", "\"stale\"")], 200, WHOLE),
        (&[("range", "bytes=99999999-")], 416, WHOLE),
    ];
    assert_cases(&state, uri, cases).await;
}

#[actix_web::test]
async fn what_has_a_tag_and_no_ranges_is_sent_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["marquis_web.js", "marquis_web_bg.wasm"] {
        std::fs::write(folder.path().join(name), "a script of some length").unwrap();
    }
    let built = Some(folder.path().to_owned());
    let state = ready(Config { offline: built.clone(), guide: built, ..settings() });
    let answer = "/v1/squish?position=3/4/2w2/b3/b1b_w";
    let addresses = [
        "/",
        "/docs/",
        "/studies/",
        "/assets/style.css",
        "/assets/app.js",
        "/offline/marquis_web.js",
        "/guide/marquis_web.js",
        answer,
    ];
    for uri in addresses {
        assert_cases(&state, uri, CONDITIONS).await;
        let ignored: &[Case] = &[
            (&[("range", "bytes=0-20")], 200, WHOLE),
            (&[("range", "bytes=99999999-"), ("if-range", "TAG")], 200, WHOLE),
            // The file may be compressed in transit: its tag identifies no bytes.
            (&[("if-match", "TAG")], 412, WHOLE),
        ];
        assert_cases(&state, uri, ignored).await;
    }
}
