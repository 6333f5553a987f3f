//! A state folder whose files are damaged, truncated or missing: no job is lost silently.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use actix_web::rt::time::sleep;
use actix_web::web::Data;
use marquis_api::{AppState, Config};
use marquis_engine::{Engine, EngineOptions};
use marquis_registry::official;
use serde_json::json;

use crate::service::{PATIENCE, Reply, get, post, ready, settings, until};

fn kept_in(folder: &Path) -> Config {
    Config { state: Some(folder.to_owned()), ..settings() }
}

/// A state folder with two finished jobs, and their addresses.
async fn with_jobs(folder: &Path) -> Vec<String> {
    let state = ready(kept_in(folder));
    let mut jobs = Vec::new();
    // Small enough to be balanced at once.
    for board in ["w2/1oo1/5/4/b2", "w2/1o2/1o3/4/b2"] {
        let reply = post(&state, "/v1/swish/balance", &json!({"board": board, "budget_ms": 0})).await;
        let job = reply.header("location").to_owned();
        let began = Instant::now();
        while get(&state, &job).await.json()["state"] != "done" {
            assert!(began.elapsed() < PATIENCE, "{}", reply.text);
            sleep(Duration::from_millis(20)).await;
        }
        jobs.push(job);
    }
    state.stop();
    jobs
}

/// Waits until the threads of a stopped service have released its folder.
async fn started(folder: &Path) -> Result<Data<AppState>, String> {
    let began = Instant::now();
    loop {
        match AppState::starting(official(), kept_in(folder)) {
            Ok(state) => {
                state.open(Engine::open(official(), EngineOptions::default()).unwrap().0);
                return Ok(Data::new(state));
            }
            Err(error) if error.to_string().contains("lready open") => {
                assert!(began.elapsed() < PATIENCE, "{error}");
                sleep(Duration::from_millis(20)).await;
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// Opens the folder in a new run of the service: every job is there, or a fault is reported.
///
/// * Returns whether a fault was reported.
async fn nothing_is_lost_without_a_word(folder: &Path, damaged: &[u8], jobs: &[String], what: &str) -> bool {
    let copy = tempfile::tempdir().unwrap();
    fs::create_dir(copy.path().join("proofs")).unwrap();
    let file = copy.path().join("jobs.redb");
    fs::write(&file, damaged).unwrap();
    let state = match started(copy.path()).await {
        Ok(state) => state,
        Err(error) => {
            assert!(error.contains("jobs.redb") && error.contains("damaged"), "{what}: {error}");
            assert_eq!(fs::read(&file).unwrap(), damaged, "{what}: it is left as it was");
            return true;
        }
    };
    let health = get(&state, "/healthz").await.json();
    let said = !health["damaged"].as_array().unwrap().is_empty();
    let mut missing = 0;
    for job in jobs {
        let reply = get(&state, job).await;
        missing += usize::from(reply.status != 200 || reply.json()["result"].is_null());
    }
    assert!(said || missing == 0, "{what}: {missing} jobs are missing from {}", folder.display());
    if said {
        let aside = copy.path().join("jobs.redb.damaged-1");
        assert_eq!(fs::read(aside).unwrap(), damaged, "{what}: it is kept aside as it was");
    }
    state.stop();
    said
}

#[actix_web::test]
async fn a_file_of_jobs_that_is_cut_short_or_altered_anywhere_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = with_jobs(folder.path()).await;
    // Reopened and closed: no write is under way.
    drop(started(folder.path()).await.unwrap());
    let sound = fs::read(folder.path().join("jobs.redb")).unwrap();
    assert!(!nothing_is_lost_without_a_word(folder.path(), &sound, &jobs, "sound").await, "it is sound");
    let mut named = 0;
    for part in 0..16 {
        let cut = &sound[..sound.len() * part / 16];
        let what = format!("cut to {} of {}", cut.len(), sound.len());
        assert!(nothing_is_lost_without_a_word(folder.path(), cut, &jobs, &what).await, "{what}");
    }
    // Only non-zero bytes: most of the file is spare.
    let written: Vec<usize> = (0..sound.len()).filter(|&at| sound[at] != 0).collect();
    for at in written.iter().step_by((written.len() / 60).max(1)) {
        let mut bytes = sound.clone();
        bytes[*at] ^= 0x10;
        let what = format!("byte {at}");
        named += u32::from(nothing_is_lost_without_a_word(folder.path(), &bytes, &jobs, &what).await);
    }
    assert!(named > 8, "{named} of them were noticed");
}

#[actix_web::test]
async fn a_file_of_jobs_that_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    with_jobs(folder.path()).await;
    drop(started(folder.path()).await.unwrap());
    fs::remove_file(folder.path().join("jobs.redb")).unwrap();
    let state = started(folder.path()).await.unwrap();
    let damaged = get(&state, "/healthz").await.json()["damaged"].clone();
    assert_eq!(
        (&damaged[0]["thing"], &damaged[0]["name"]),
        (&json!("jobs"), &json!("jobs.redb")),
        "{damaged}"
    );
    let fresh = tempfile::tempdir().unwrap();
    let state = started(fresh.path()).await.unwrap();
    assert_eq!(get(&state, "/readyz").await.json()["damaged"], json!([]), "a first start is no fault");
}

#[actix_web::test]
async fn a_proof_that_is_damaged_is_kept_aside_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let proofs = folder.path().join("proofs");
    fs::create_dir_all(&proofs).unwrap();
    drop(started(folder.path()).await.unwrap());
    fs::write(proofs.join("one.proof"), "no proof").unwrap();
    let state = started(folder.path()).await.unwrap();
    let began = Instant::now();
    while !proofs.join("one.proof.damaged").exists() {
        assert!(began.elapsed() < PATIENCE, "it is not kept aside");
        sleep(Duration::from_millis(20)).await;
    }
    let named = |reply: &Reply| reply.text.contains("one.proof");
    let damaged = until(|| get(&state, "/healthz"), named).await.json()["damaged"].clone();
    let proof = damaged.as_array().unwrap().iter().find(|fault| fault["thing"] == "proof");
    assert_eq!(proof.unwrap()["name"], "one.proof", "{damaged}");
}
