//! `GET /openapi.json`, generated from the handlers and the shapes of their requests and responses.

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Bytes, Data};
use marquis_engine::Registry;
use utoipa::OpenApi;
use utoipa::openapi::schema::{SchemaType, Type};
use utoipa::openapi::{self, ObjectBuilder, RefOr, Schema};

use crate::handlers::begun::Begun;
use crate::handlers::path::Game;
use crate::handlers::{
    answer, balance, batch, book, design, gallery, games, generate, health, jobs, legal, metrics, offline,
    page, perft, record, review, rules, solve, studies, tables,
};
use crate::problem::Problem;
use crate::state::AppState;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Marquis",
        description = "Values, best moves and balances of abstract games for two. Every value is a proof or an honest `unknown`. Whatever is refused is refused with a problem \
            document (RFC 9457) that carries the id of the request."
    ),
    paths(
        games::list, answer::ask, batch::ask, balance::ask, jobs::list, jobs::show, jobs::events, jobs::cancel, jobs::proof, record::read,
        review::ask, design::ask, solve::ask, generate::ask, tables::list, tables::file, legal::moves, legal::normal, perft::count,
        health::live, health::ready, health::healthy, metrics::show, openapi, page::index, page::docs, page::studies, page::asset,
        offline::list, offline::file, offline::proof, studies::list, studies::show,
        book::list, gallery::list, gallery::file, rules::document, rules::page,
    ),
    components(schemas(Game, Begun)),
    tags(
        (name = "positions", description = "What positions are worth"),
        (name = "set-ups", description = "What Player Two should do, and the jobs that find it out"),
        (name = "studies", description = "Proofs that take days"),
        (name = "records", description = "Games that were played"),
        (name = "service", description = "The service itself"),
    )
)]
struct Description;

/// The description of a service with these games.
fn described(registry: &Registry) -> openapi::OpenApi {
    let mut description = Description::openapi();
    let names: Vec<&str> = registry.games().map(|game| game.id().name()).collect();
    let game = ObjectBuilder::new()
        .schema_type(SchemaType::Type(Type::String))
        .description(Some("The games, as paths name them."))
        .enum_values(Some(names));
    if let Some(components) = &mut description.components {
        components.schemas.insert("Game".to_owned(), game.into());
        // Its fields are part of an answer that was analysed, and omitted in others.
        if let Some(RefOr::T(Schema::Object(insight))) = components.schemas.get_mut("Insight") {
            insight.required.clear();
        }
    }
    description
}

/// The machine-readable description of the service.
#[utoipa::path(get, path = "/openapi.json", operation_id = "describe", tag = "service",
    responses((status = 200, description = "This document", content_type = "application/json", body = Object)))]
pub(super) async fn openapi(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let write = || described(state.registry()).to_json().ok().map(Bytes::from);
    let text = state.description(write).ok_or_else(Problem::internal)?;
    let mut response = HttpResponse::Ok();
    Ok(response.content_type("application/json").insert_header((CACHE_CONTROL, "no-cache")).body(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::ALL;

    #[test]
    fn every_address_is_described_with_its_methods_and_nothing_else_is() {
        let described = serde_json::to_value(Description::openapi()).unwrap();
        let paths = described["paths"].as_object().unwrap();
        let mut addresses: Vec<_> = ALL.iter().map(|address| address.path.to_owned()).collect();
        let mut known: Vec<_> = paths.keys().cloned().collect();
        addresses.sort();
        known.sort();
        assert_eq!(known, addresses);
        for address in ALL {
            let mut methods: Vec<_> =
                address.allow.split(", ").filter(|method| *method != "HEAD").map(str::to_lowercase).collect();
            let mut known: Vec<_> = paths[address.path].as_object().unwrap().keys().cloned().collect();
            methods.sort();
            known.sort();
            assert_eq!(known, methods, "{}", address.path);
        }
    }

    #[test]
    fn operations_have_names_of_their_own_and_links_lead_to_some() {
        let described = serde_json::to_value(Description::openapi()).unwrap();
        let paths = described["paths"].as_object().unwrap();
        let operations = || paths.values().flat_map(|path| path.as_object().unwrap().values());
        let mut names: Vec<_> = operations().map(|own| own["operationId"].as_str().unwrap()).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
        let responses = operations().flat_map(|own| own["responses"].as_object().unwrap().values());
        let links: Vec<_> = responses
            .filter_map(|response| response.get("links")?.as_object())
            .flat_map(|links| links.values().map(|link| link["operationId"].as_str().unwrap()))
            .collect();
        assert!(!links.is_empty() && links.iter().all(|link| names.contains(link)), "{links:?} {names:?}");
    }

    #[test]
    fn every_shape_that_is_named_is_described() {
        let text = Description::openapi().to_json().unwrap();
        let described = serde_json::to_value(Description::openapi()).unwrap();
        let shapes = described["components"]["schemas"].as_object().unwrap();
        for name in text.split("#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(shapes.contains_key(name), "{name}");
        }
        assert!(shapes.contains_key("Balance") && shapes.contains_key("ExactAnswer"), "{:?}", shapes.keys());
    }
}
