//! The service on a state folder, without a socket.

use std::io;
use std::path::Path;
use std::time::Duration;

use actix_web::body::to_bytes;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::Data;
use actix_web::{App, rt};
use marquis_api::{AppState, Config, configure};
use marquis_engine::{Engine, EngineOptions};
use marquis_wire::MemorySize;
use tempfile::TempDir;

use crate::folder;

/// Settings of a service with small limits.
fn settings(state: &Path) -> Config {
    Config {
        tables: Vec::new(),
        build_starter: false,
        state: Some(state.to_owned()),
        search_threads: 1,
        job_seconds: 1,
        memory: MemorySize(64 << 20),
        ..Config::default()
    }
}

/// Starts a service on a state folder, requests these jobs and stops it. Returns the status of each response; `None`
/// if the folder is rejected.
#[must_use]
pub fn visited(state: &Path, ids: &[String]) -> Option<Vec<u16>> {
    let service = Data::new(AppState::starting(marquis_registry::official(), settings(state)).ok()?);
    let (engine, _) = Engine::open(marquis_registry::official(), EngineOptions::default()).ok()?;
    service.open(engine);
    let statuses = rt::System::new().block_on(async {
        let app = init_service(App::new().configure(|cfg| configure(cfg, service.clone()))).await;
        let mut statuses = Vec::new();
        for id in ids {
            let request = TestRequest::get().uri(&format!("/v1/jobs/{}", encoded(id)));
            let reply = call_service(&app, request.to_request()).await;
            statuses.push(reply.status().as_u16());
            // Reads the whole body, so that it is really produced.
            let _ = to_bytes(reply.into_body()).await;
        }
        statuses
    });
    service.stop();
    Some(statuses)
}

/// The state folder of a service that finished one job and was stopped during another.
///
/// # Errors
/// The folder cannot be written, or the service does not answer.
pub fn left_behind() -> io::Result<TempDir> {
    let folder = folder::empty();
    let mut config = settings(folder.path());
    config.job_seconds = 60;
    let service = Data::new(AppState::starting(marquis_registry::official(), config)?);
    let (engine, _) =
        Engine::open(marquis_registry::official(), EngineOptions::default()).map_err(io::Error::other)?;
    service.open(engine);
    rt::System::new().block_on(async {
        let app = init_service(App::new().configure(|cfg| configure(cfg, service.clone()))).await;
        let long = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";
        for (game, board) in [("swish", "w1w/4/1ooo1/4/b1b"), ("squeeze", long)] {
            let body = format!(r#"{{"board":"{board}","budget_ms":300}}"#);
            let request = TestRequest::post()
                .uri(&format!("/v1/{game}/balance"))
                .insert_header(("content-type", "application/json"))
                .set_payload(body);
            let _ = call_service(&app, request.to_request()).await;
            // Otherwise the next job waits for the thread of this one.
            rt::time::sleep(Duration::from_millis(500)).await;
        }
    });
    service.stop();
    // The threads of the service write their state and release the folder.
    std::thread::sleep(Duration::from_secs(2));
    Ok(folder)
}

fn encoded(text: &str) -> String {
    let one = |b: u8| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") };
    text.bytes().map(one).collect()
}
