//! `GET /v1/{game}/rules` for programs, `/rules/{game}` for people.

use actix_web::HttpResponse;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::web::{Data, Path};
use marquis_core::Part;
use marquis_engine::{GameEntry as Entry, Registry};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};
use serde::Serialize;

use crate::handlers::page::{HTML, POLICY};
#[cfg(test)]
use crate::handlers::schema::*;
use crate::params;
use crate::problem::Problem;
use crate::state::AppState;
use crate::texts::own;

/// The rules of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Rules {
    game: &'static str,
    /// The page, in Markdown.
    rules: &'static str,
    /// The diagram of the start, as SVG.
    diagram: &'static str,
    /// Every diagram of the page.
    diagrams: Vec<Diagram>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct Diagram {
    /// The file name on the page.
    file: &'static str,
    svg: &'static str,
}

/// The rules of a game in Markdown, with its diagrams as SVG.
#[cfg_attr(test, utoipa::path(get, path = "/v1/{game}/rules", operation_id = "readRules", tag = "positions",
    params(("game" = path::Game, Path, description = "Which game", example = "squish")),
    responses(
        (status = 200, description = "The rules", body = Rules, content_type = "application/json"),
        UnknownGame, Later,
    )))]
pub(super) async fn document(name: Path<String>, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let game = params::game(state.registry(), &name)?;
    let page = game.about().rules;
    let diagram = |diagram: &marquis_core::Diagram| Diagram { file: diagram.file, svg: diagram.svg };
    let diagrams: Vec<Diagram> = page.diagrams.iter().map(diagram).collect();
    let start = diagrams.first().map_or("", |first| first.svg);
    let rules = Rules { game: game.id().name(), rules: page.text, diagram: start, diagrams };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "public, max-age=3600")).json(rules))
}

/// The rules of a game for people.
#[cfg_attr(test, utoipa::path(get, path = "/rules/{game}", operation_id = "openRules", tag = "service",
    params(("game" = path::Game, Path, description = "Which game", example = "squish")),
    responses(
        (status = 200, description = "The rules, with diagrams", body = String, content_type = "text/html"),
        UnknownGame,
    )))]
pub(super) async fn page(name: Path<String>, state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let game = params::game(state.registry(), &name)?;
    let mut response = HttpResponse::Ok();
    response
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((REFERRER_POLICY, "same-origin"));
    Ok(response.content_type(HTML).body(rendered(state.registry(), game)))
}

fn rendered(registry: &Registry, game: &Entry) -> String {
    let mut body = String::new();
    for part in game.about().rules.parts() {
        match part {
            Part::Text(text) => {
                let events = Parser::new_ext(text, Options::ENABLE_TABLES).map(local);
                html::push_html(&mut body, events);
            }
            Part::Diagram { diagram, caption, .. } => {
                let mut words = String::new();
                html::push_html(&mut words, Parser::new(caption));
                body.push_str(&format!("<figure>{}<figcaption>{words}</figcaption></figure>\n", diagram.svg));
            }
        }
    }
    let link = |game: &Entry| format!("<li><a href=\"/rules/{0}\">{0}</a></li>", game.id());
    let links: String = registry.games().map(link).collect();
    own("rules.html").replace("{game}", game.id().name()).replace("{links}", &links).replace("{rules}", &body)
}

/// Redirects a link to the rules of another game to the address of that page.
fn local(event: Event<'_>) -> Event<'_> {
    let Event::Start(Tag::Link { link_type, dest_url, title, id }) = event else { return event };
    let there = dest_url.strip_prefix("../").and_then(|path| path.strip_suffix("/rules.md"));
    let dest_url = there.map(|game| CowStr::from(format!("/rules/{game}"))).unwrap_or(dest_url);
    Event::Start(Tag::Link { link_type, dest_url, title, id })
}
