//! `/` and `/assets/…`: the web page, from the binary.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::LazyLock;

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETag, EntityTag, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};

use crate::handlers::bundle::bundle;
use crate::handlers::games::Games;
#[cfg(test)]
use crate::handlers::schema::*;
use crate::problem::Problem;
use crate::state::AppState;
use crate::texts::{own, text};

/// No content from other hosts, no inline scripts, no framing.
pub(super) const POLICY: &str =
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/// The same for the worker with the in-browser search, which may compile WebAssembly, but not evaluate text.
const SEARCH_POLICY: &str = "default-src 'self' 'wasm-unsafe-eval'; frame-ancestors 'none'; base-uri 'none'";
/// The service worker handles all addresses of the page.
const SCOPE: (&str, &str) = ("Service-Worker-Allowed", "/");

/// The place of the link to the guide in a page, and the link.
const GUIDE_LINK: (&str, &str) = ("<!--guide-->", " · <a href=\"/guide/\">Guide</a>");

/// The place of the games in the page.
const GAMES: &str = "<!--games-->";

pub(super) const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const IMAGE: &str = "image/svg+xml";

/// The scripts of the pages, each with its modules.
static SCRIPTS: LazyLock<[(&str, String); 3]> =
    LazyLock::new(|| ["app.js", "docs.js", "studies.js"].map(|name| (name, bundle(name, &text))));

/// The media type of a script, a style or a picture.
fn kind_of(name: &str) -> Option<&'static str> {
    match name.rsplit_once('.')?.1 {
        "css" => Some(CSS),
        "js" => Some(SCRIPT),
        "svg" => Some(IMAGE),
        _ => None,
    }
}

/// The page.
#[cfg_attr(test, utoipa::path(get, path = "/", operation_id = "openPage", tag = "service",
    responses(
        (status = 200, description = "The page", body = String, content_type = "text/html"),
        (status = 304, description = "The client has the current version"),
        Changed,
    )))]
pub(super) async fn index(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let games = serde_json::to_string(&Games::of(state.registry())).map_err(|_| Problem::internal())?;
    // Inside an element of HTML; `<` stands in JSON within texts only.
    let games = games.replace('<', "\\u003c");
    Ok(send("index.html", HTML, linked("index.html", &state).replace(GAMES, &games).into()))
}

/// The description of the service for people, rendered from `/openapi.json`.
#[cfg_attr(test, utoipa::path(get, path = "/docs/", operation_id = "openDocs", tag = "service",
    responses(
        (status = 200, description = "This description as a web page", body = String, content_type = "text/html"),
        (status = 304, description = "The client has the current version"),
        Changed,
    )))]
pub(super) async fn docs(state: Data<AppState>) -> HttpResponse {
    send("docs.html", HTML, linked("docs.html", &state).into())
}

/// The studies that the operator shows, with their trees.
#[cfg_attr(test, utoipa::path(get, path = "/studies/", operation_id = "openStudies", tag = "studies",
    responses(
        (status = 200, description = "The studies as a web page", body = String, content_type = "text/html"),
        (status = 304, description = "The client has the current version"),
        Changed,
    )))]
pub(super) async fn studies() -> HttpResponse {
    send("studies.html", HTML, own("studies.html").into())
}

/// A script, a style or a picture of the page.
#[cfg_attr(test, utoipa::path(get, path = "/assets/{name}", operation_id = "readAsset", tag = "service",
    params(("name" = String, Path, description = "A file of the page", example = "style.css")),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/css"), (String = "text/javascript"), (String = "image/svg+xml"), (String = "text/plain"),
        )),
        (status = 304, description = "The client has the current version"),
        (status = 404, description = "There is no such file", body = ProblemDocument,
            content_type = "application/problem+json"),
        Changed,
    )))]
pub(super) async fn asset(request: HttpRequest, name: Path<String>) -> Result<HttpResponse, Problem> {
    let found = || {
        let kind = kind_of(&name)?;
        let bundled = SCRIPTS.iter().find(|(script, _)| *script == *name).map(|(_, bundled)| &**bundled);
        Some(send(&name, kind, bundled.or_else(|| text(&name))?.into()))
    };
    found().ok_or_else(|| Problem::not_found(request.path()))
}

/// A weak tag of the bytes, the same with and without compression in transit.
pub(super) fn tag_of(bytes: &[u8]) -> EntityTag {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    EntityTag::new_weak(format!("{:016x}", hasher.finish()))
}

/// A page with a link to the guide, if this service has one.
fn linked(page: &str, state: &AppState) -> String {
    let (mark, link) = GUIDE_LINK;
    let link = if state.config().guide.is_some() { link } else { "" };
    own(page).replace(mark, link)
}

fn send(name: &str, kind: &'static str, text: Cow<'static, str>) -> HttpResponse {
    let tag = tag_of(text.as_bytes());
    let mut response = HttpResponse::Ok();
    response
        // Revalidated on every visit, so that a new binary never meets an old script.
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_SECURITY_POLICY, if name == "worker.js" { SEARCH_POLICY } else { POLICY }))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((REFERRER_POLICY, "same-origin"))
        .insert_header(ETag(tag));
    if name == "sw.js" {
        response.insert_header(SCOPE);
    }
    response.content_type(kind).body(text)
}
