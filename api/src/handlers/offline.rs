//! `GET /offline/`, `GET /offline/{file}`: the in-browser search, if it comes with the program.

use std::path::PathBuf;

use actix_web::http::header::{CACHE_CONTROL, ETag, X_CONTENT_TYPE_OPTIONS};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use marquis_engine::ShippedProof;
use serde::Serialize;

use crate::handlers::page::tag_of;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::handlers::sent_file::sent;
use crate::problem::Problem;
use crate::state::AppState;

/// The output of `.ci/web`: the engine, and the script that calls it. No other file of the folder is sent.
const FILES: [&str; 2] = ["marquis_web.js", "marquis_web_bg.wasm"];

/// The search for browsers.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Offline {
    /// Its files; empty if it does not come with the program.
    files: Vec<OfflineFile>,
}

/// A file of the search for browsers.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct OfflineFile {
    name: &'static str,
    bytes: u64,
}

/// The files that a browser needs to run the search; empty if they do not come with the program.
#[cfg_attr(test, utoipa::path(get, path = "/offline/", operation_id = "listOfflineFiles", tag = "service",
    responses((status = 200, description = "The files", body = Offline, content_type = "application/json"))))]
pub(super) async fn list(state: Data<AppState>) -> HttpResponse {
    let size = |name: &'static str| {
        let about = path_of(&state, name)?.metadata().ok()?;
        about.is_file().then_some(OfflineFile { name, bytes: about.len() })
    };
    let files: Option<Vec<OfflineFile>> = FILES.into_iter().map(size).collect();
    let offline = Offline { files: files.unwrap_or_default() };
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-cache")).json(offline)
}

/// The WebAssembly of the search, or the script that calls it.
#[cfg_attr(test, utoipa::path(get, path = "/offline/{file}", operation_id = "readOfflineFile", tag = "service",
    params(("file" = String, Path, description = "A file of the search for browsers", example = "marquis_web.js")),
    responses(
        (status = 200, description = "The file", content(
            ([u8] = "application/wasm"), (String = "text/javascript"),
        )),
        (status = 304, description = "The client has the current version"),
        Changed,
        (status = 404, description = "There is no such file", body = ProblemDocument,
            content_type = "application/problem+json"),
    )))]
pub(super) async fn file(
    request: HttpRequest,
    state: Data<AppState>,
    name: Path<String>,
) -> Result<HttpResponse, Problem> {
    let missing = || Problem::not_found(&format!("/offline/{name}"));
    let known = FILES.into_iter().find(|known| *known == *name).ok_or_else(missing)?;
    let path = path_of(&state, known).ok_or_else(missing)?;
    sent(&request, &path).await.ok_or_else(missing)
}

/// A built-in proof, for the search in the browser.
#[cfg_attr(test, utoipa::path(get, path = "/offline/proofs/{file}", operation_id = "readOfflineProof", tag = "service",
    params(("file" = String, Path, description = "Its name in the book, with `:` in place of `/`", example = "squish-4.proof")),
    responses(
        (status = 200, description = "The file", body = [u8], content_type = "application/octet-stream"),
        (status = 304, description = "The client has the current version"),
        Changed,
        (status = 404, description = "There is no such file, or it is too large for a browser", body = ProblemDocument,
            content_type = "application/problem+json"),
    )))]
pub(super) async fn proof(state: Data<AppState>, name: Path<String>) -> Result<HttpResponse, Problem> {
    let shipped = state.engine()?.registry().shipped();
    let wanted = |file: &&ShippedProof| file.is_small() && file.name.replace('/', ":") == *name;
    let file =
        shipped.iter().find(wanted).ok_or_else(|| Problem::not_found(&format!("/offline/proofs/{name}")))?;
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header(ETag(tag_of(file.bytes)))
        .content_type("application/octet-stream")
        .body(file.bytes))
}

fn path_of(state: &AppState, name: &str) -> Option<PathBuf> {
    Some(state.config().offline.as_ref()?.join(name))
}
