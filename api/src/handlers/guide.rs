//! `GET /guide/…`: the guide as `.ci/guide` builds it, if it comes with the program.

use std::path::{Path as FilePath, PathBuf};

use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, REFERRER_POLICY};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};

use crate::handlers::page::POLICY;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::handlers::sent_file::sent;
use crate::problem::Problem;
use crate::state::AppState;

/// The first page of the guide.
#[cfg_attr(test, utoipa::path(get, path = "/guide/", operation_id = "openGuide", tag = "service",
    responses(
        (status = 200, description = "The first page", body = String, content_type = "text/html"),
        (status = 304, description = "The client has the current version"),
        Changed,
        (status = 404, description = "This service has no guide", body = ProblemDocument,
            content_type = "application/problem+json"),
    )))]
pub(super) async fn index(request: HttpRequest, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    answer(&request, &state, &["index.html"]).await
}

/// A page, a script, a style or the search index of the guide.
#[cfg_attr(test, utoipa::path(get, path = "/guide/{file}", operation_id = "readGuideFile", tag = "service",
    params(("file" = String, Path, description = "A file of the guide", example = "index.html")),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/html"), (String = "text/css"), (String = "text/javascript"), (String = "image/svg+xml"),
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
    answer(&request, &state, &[&name]).await
}

/// A page of a part of the guide, or a font or style.
#[cfg_attr(test, utoipa::path(get, path = "/guide/{part}/{file}", operation_id = "readGuidePage", tag = "service",
    params(
        ("part" = String, Path, description = "A part of the guide", example = "play"),
        ("file" = String, Path, description = "A page of it", example = "levels.html"),
    ),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/html"), (String = "text/css"), (String = "image/svg+xml"), ([u8] = "font/woff2"),
        )),
        (status = 304, description = "The client has the current version"),
        Changed,
        (status = 404, description = "There is no such file", body = ProblemDocument,
            content_type = "application/problem+json"),
    )))]
pub(super) async fn page(
    request: HttpRequest,
    state: Data<AppState>,
    names: Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    answer(&request, &state, &[&names.0, &names.1]).await
}

/// The file of the guide at this path, with the headers of the page.
async fn answer(request: &HttpRequest, state: &AppState, parts: &[&str]) -> Result<HttpResponse, Problem> {
    let missing = || Problem::not_found(request.path());
    let path = path_of(state.config().guide.as_deref(), parts).ok_or_else(missing)?;
    let mut response = sent(request, &path).await.ok_or_else(missing)?;
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    Ok(response)
}

/// A path below `folder`; `None` without a folder, or if a part is not the plain name of a file.
fn path_of(folder: Option<&FilePath>, parts: &[&str]) -> Option<PathBuf> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let is_plain = |part: &&str| !part.starts_with('.') && part.chars().all(is_letter);
    let folder = folder.filter(|_| parts.iter().all(is_plain))?;
    Some(parts.iter().fold(folder.to_owned(), |path, part| path.join(part)))
}
