//! Helpers of studies: joining, jobs and results, and their limits. A test plays the keeper of the study by writing its
//! files.

use std::fs;
use std::path::PathBuf;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use actix_web::web::Data;
use marquis_api::{AppState, Config};
use marquis_wire::MemorySize;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::service::{Reply, get, ready, send, settings, until};

const STUDY: &str = "/v1/studies/small";
const HELPERS: &str = "/v1/studies/small/helpers";

/// A service of one study with a keeper.
struct Kept {
    folder: TempDir,
    state: Data<AppState>,
}

/// The subject of the study.
fn about() -> Value {
    json!({"game": "flowish", "rules": "1234", "immobile": "loss", "position": "b2/4/5/4/2w w"})
}

impl Kept {
    fn new(config: Config) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("small/workers")).unwrap();
        let studies = Some(folder.path().to_owned());
        let kept = Self { state: ready(Config { studies, behind_proxy: true, ..config }), folder };
        kept.write_status();
        kept.keep(false);
        kept
    }

    /// A service that takes up to four helpers.
    fn open() -> Self {
        Self::new(Config { helpers: 4, ..settings() })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("small/workers").join(name)
    }

    fn write_status(&self) {
        let status = json!({
            "game": "flowish", "position": "b2/4/5/4/2w w", "turn": "w", "value": "unknown",
            "bounds": ["loss", "win"], "proof": "none", "ended": null, "jobs": 0, "nodes": 0, "positions": 1,
            "root_moves": null, "line": [], "seconds": 0.0, "written": 0,
        });
        fs::write(self.folder.path().join("small/status.json"), status.to_string()).unwrap();
    }

    fn keep(&self, is_answered: bool) {
        let keeper = json!({"format": 1, "about": about(), "run": 7, "beat": 1, "is_answered": is_answered});
        fs::write(self.file("keeper.json"), keeper.to_string()).unwrap();
    }

    fn give(&self, helper: &str, number: u64) {
        let job = json!({"run": 7, "number": number, "position": "b2/4/5/4/2w w", "nodes": 100});
        fs::write(self.file(&format!("{helper}.job.json")), job.to_string()).unwrap();
    }

    /// A request of a client.
    async fn call(&self, client: &str, method: Method, uri: &str, body: impl Into<Vec<u8>>) -> Reply {
        let body: Vec<u8> = body.into();
        let request = TestRequest::with_uri(uri).method(method).insert_header(("x-forwarded-for", client));
        let kind = if uri.ends_with("/helpers") { "application/json" } else { "application/octet-stream" };
        send(&self.state, request.insert_header(("content-type", kind)).set_payload(body)).await
    }

    async fn try_join(&self, client: &str) -> Reply {
        self.call(client, Method::POST, HELPERS, about().to_string()).await
    }

    /// The id of a new helper.
    async fn join(&self, client: &str) -> String {
        let reply = self.try_join(client).await;
        assert_eq!(reply.status, 201, "{}", reply.text);
        let id = reply.json()["helper"].as_str().unwrap().to_owned();
        assert_eq!(reply.header("location"), own(&id));
        id
    }

    async fn turn(&self, client: &str, id: &str) -> Reply {
        self.call(client, Method::GET, &own(id), "").await
    }

    async fn deliver(&self, client: &str, id: &str, result: impl Into<Vec<u8>>) -> Reply {
        self.call(client, Method::POST, &own(id), result).await
    }
}

fn own(id: &str) -> String {
    format!("{HELPERS}/{id}")
}

/// A result without a proof.
fn result(number: u64) -> String {
    let head =
        json!({"run": 7, "number": number, "nodes": 3, "numbers": [1, 1, 1, 1], "strategies": [], "sum": 0});
    format!("{head}\n")
}

fn assert_refused(reply: &Reply, status: u16, kind: &str) {
    assert_eq!(reply.status, status, "{}", reply.text);
    assert_eq!(reply.json()["type"], format!("urn:marquis:problem:{kind}"), "{}", reply.text);
}

#[actix_web::test]
async fn without_the_operators_leave_there_are_no_helpers() {
    let kept = Kept::new(settings());
    assert_eq!(get(&kept.state, STUDY).await.json()["helpers"], "forbidden");
    assert_refused(&kept.try_join("10.0.0.1").await, 403, "not-allowed");
    assert_refused(&kept.turn("10.0.0.1", "1").await, 403, "not-allowed");
    assert_refused(&kept.deliver("10.0.0.1", "1", "").await, 403, "not-allowed");
}

#[actix_web::test]
async fn a_helper_gets_its_job_and_delivers_its_result() {
    let kept = Kept::open();
    assert_eq!(get(&kept.state, STUDY).await.json()["helpers"], "wanted");
    let id = kept.join("10.0.0.1").await;
    let life: Value =
        serde_json::from_slice(&fs::read(kept.file(&format!("{id}.worker.json"))).unwrap()).unwrap();
    assert_eq!(life, json!({"run": 7, "beat": 1, "is_leaving": false}));
    assert_eq!(kept.turn("10.0.0.1", &id).await.json(), json!({"state": "waiting", "job": null}));
    kept.give(&id, 1);
    let turn = kept.turn("10.0.0.1", &id).await.json();
    assert_eq!((&turn["state"], &turn["job"]["number"]), (&json!("job"), &json!(1)));
    assert_refused(&kept.deliver("10.0.0.1", &id, result(2)).await, 409, "not-current");
    assert_eq!(kept.deliver("10.0.0.1", &id, result(1)).await.status, 204);
    assert_eq!(fs::read_to_string(kept.file(&format!("{id}.done"))).unwrap(), result(1));
    // A second result for the same job, and the same job again.
    assert_refused(&kept.deliver("10.0.0.1", &id, result(1)).await, 409, "not-current");
    assert_eq!(kept.turn("10.0.0.1", &id).await.json()["state"], "waiting");
    fs::remove_file(kept.file(&format!("{id}.done"))).unwrap();
    let left = kept.call("10.0.0.1", Method::DELETE, &own(&id), "").await;
    assert_eq!(left.status, 204, "{}", left.text);
    let life = fs::read_to_string(kept.file(&format!("{id}.worker.json"))).unwrap();
    assert!(life.contains("\"is_leaving\":true"), "{life}");
    assert_refused(&kept.turn("10.0.0.1", &id).await, 404, "unknown-helper");
}

#[actix_web::test]
async fn a_request_for_a_job_waits_for_it() {
    let kept = Kept::open();
    let id = kept.join("10.0.0.1").await;
    let patient = format!("{}?wait_ms=5000", own(&id));
    let waiting = kept.call("10.0.0.1", Method::GET, &patient, "");
    let giving = async {
        actix_web::rt::time::sleep(std::time::Duration::from_millis(300)).await;
        kept.give(&id, 1);
    };
    let (turn, ()) = futures_util::future::join(waiting, giving).await;
    assert_eq!(turn.json()["state"], "job", "{}", turn.text);
}

#[actix_web::test]
async fn what_is_no_request_of_a_helper_is_refused() {
    let kept = Kept::new(Config { helpers: 4, helper_bytes: MemorySize(500), ..settings() });
    let id = kept.join("10.0.0.1").await;
    for wrong in ["wait_ms=5001", "wait_ms=-1", "wait_ms=soon", "wait=1"] {
        let reply = kept.call("10.0.0.1", Method::GET, &format!("{}?{wrong}", own(&id)), "").await;
        assert_refused(&reply, 400, "bad-input");
    }
    for wrong in ["17", "..%2F..%2Fkeeper", "keeper", "%00"] {
        assert_refused(&kept.turn("10.0.0.1", wrong).await, 404, "unknown-helper");
    }
    let other = format!("/v1/studies/other/helpers/{id}");
    assert_refused(&kept.call("10.0.0.1", Method::GET, &other, "").await, 404, "unknown-helper");
    for wrong in ["", "{", "[]", "{\"game\": \"flowish\"}"] {
        let reply = kept.call("10.0.0.1", Method::POST, HELPERS, wrong).await;
        assert_refused(&reply, 400, "bad-input");
    }
    kept.give(&id, 1);
    assert_refused(&kept.deliver("10.0.0.1", &id, vec![b'x'; 501]).await, 413, "body-too-large");
    let packed = TestRequest::post().uri(&own(&id)).insert_header(("x-forwarded-for", "10.0.0.1"));
    let packed = packed.insert_header(("content-encoding", "gzip")).set_payload(result(1));
    assert_refused(&send(&kept.state, packed).await, 415, "unsupported-media-type");
    assert_eq!(kept.turn("10.0.0.1", &id).await.json()["state"], "job", "neither is a lie");
    let unknown = kept.call("10.0.0.1", Method::POST, "/v1/studies/other/helpers", about().to_string());
    assert_refused(&unknown.await, 404, "not-found");
    let mut foreign = about();
    foreign["rules"] = json!("9");
    let reply = kept.call("10.0.0.1", Method::POST, HELPERS, foreign.to_string()).await;
    assert_refused(&reply, 409, "other-study");
    kept.keep(true);
    assert_refused(&kept.try_join("10.0.0.1").await, 409, "study-closed");
    assert_eq!(kept.turn("10.0.0.1", &id).await.json()["state"], "answered");
    fs::remove_file(kept.file("keeper.json")).unwrap();
    assert_refused(&kept.try_join("10.0.0.1").await, 409, "study-closed");
    assert_eq!(kept.turn("10.0.0.1", &id).await.json()["state"], "unattended");
}

#[actix_web::test]
async fn helpers_are_limited_by_client_and_in_all() {
    let kept = Kept::new(Config { helpers: 3, client_helpers: 2, ..settings() });
    let first = kept.join("10.0.0.1").await;
    kept.join("10.0.0.1").await;
    assert_refused(&kept.try_join("10.0.0.1").await, 429, "too-many-requests");
    kept.join("10.0.0.2").await;
    let full = kept.try_join("10.0.0.3").await;
    assert_refused(&full, 429, "queue-full");
    assert!(!full.header("retry-after").is_empty());
    assert_eq!(kept.call("10.0.0.1", Method::DELETE, &own(&first), "").await.status, 204);
    kept.join("10.0.0.3").await;
}

#[actix_web::test]
async fn a_client_with_a_malformed_result_is_refused_for_some_time() {
    let kept = Kept::new(Config { helpers: 4, helper_refusal_seconds: 1, ..settings() });
    for wrong in ["", "garbage", "{}\n", "\n", "{\"run\": 7}\n", &format!("{}more", result(1))] {
        let (id, other) = (kept.join("10.0.0.1").await, kept.join("10.0.0.1").await);
        kept.give(&id, 1);
        assert_refused(&kept.deliver("10.0.0.1", &id, wrong).await, 400, "bad-input");
        for refused in [kept.try_join("10.0.0.1").await, kept.turn("10.0.0.1", &other).await] {
            assert_refused(&refused, 403, "helper-refused");
            assert_eq!(refused.header("retry-after"), "1");
        }
        assert!(!kept.file(&format!("{id}.done")).exists());
        kept.join("10.0.0.2").await;
        until(|| kept.try_join("10.0.0.1"), |reply| reply.status != 403).await;
        for file in fs::read_dir(kept.file("")).unwrap().flatten() {
            let name = file.file_name().into_string().unwrap();
            if let Some(id) = name.strip_suffix(".worker.json") {
                for client in ["10.0.0.1", "10.0.0.2"] {
                    kept.call(client, Method::DELETE, &own(id), "").await;
                }
            }
        }
    }
}

#[actix_web::test]
async fn a_client_whose_result_does_not_hold_is_refused_even_if_it_leaves() {
    let kept = Kept::open();
    let id = kept.join("10.0.0.1").await;
    kept.give(&id, 1);
    assert_eq!(kept.deliver("10.0.0.1", &id, result(1)).await.status, 204);
    assert_eq!(kept.call("10.0.0.1", Method::DELETE, &own(&id), "").await.status, 204);
    // The keeper refuses it, as `JobFolder::refuse` does.
    refuse(&kept, &id);
    assert_refused(&kept.try_join("10.0.0.1").await, 403, "helper-refused");
    let honest = kept.join("10.0.0.2").await;
    assert_eq!(kept.turn("10.0.0.2", &honest).await.status, 200);
    refuse(&kept, &honest);
    assert_refused(&kept.turn("10.0.0.2", &honest).await, 403, "helper-refused");
}

fn refuse(kept: &Kept, id: &str) {
    for what in ["worker.json", "job.json", "done"] {
        // The file may be gone already.
        let _ = fs::remove_file(kept.file(&format!("{id}.{what}")));
    }
    fs::write(kept.file(&format!("{id}.refused")), "null").unwrap();
}
