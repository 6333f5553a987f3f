//! The API description, derived from the handlers and the shapes of their requests and responses.
//!
//! Only the tests compile it; the program sends the derived file, `api/openapi.json`.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use marquis_engine::Registry;
use utoipa::openapi::content::Content;
use utoipa::openapi::link::Link;
use utoipa::openapi::schema::{SchemaType, Type};
use utoipa::openapi::{self, ObjectBuilder, Ref, RefOr, Response, ResponseBuilder, Schema};
use utoipa::{IntoResponses, OpenApi};

// The names that the descriptions of the calls use.
pub(super) use marquis_wire::answer::{Answer, Balance};
pub(super) use marquis_wire::book::BookReport;
pub(super) use marquis_wire::reports::Legal;
pub(super) use marquis_wire::review::Review;

pub(super) use crate::answered::AnsweredShape;
pub(super) use crate::batch_answers::Item;
pub(super) use crate::handlers::begun::Begun;
pub(super) use crate::handlers::path;
pub(super) use crate::handlers::refusals::*;
pub(super) use crate::handlers::token;
use crate::handlers::{
    answer, balance, batch, book, description, design, gallery, games, generate, guide, health, helpers,
    job_status, legal, metrics, offline, page, perft, record, review, rules, solve, studies, tables,
};
pub(super) use crate::kinds::Designs;
pub(super) use crate::problem::ProblemDocument;
pub(super) use crate::times::Cut;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Marquis",
        description = "Values, best moves and balances of abstract games for two. Every value is a proof or an honest `unknown`. A refused request gets a problem \
            document (RFC 9457) that carries the id of the request."
    ),
    paths(
        games::list, answer::ask, batch::ask, balance::ask, job_status::list, job_status::show, job_status::events, job_status::cancel, job_status::proof, record::read,
        review::ask, design::ask, solve::ask, generate::ask, tables::list, tables::file, legal::moves, legal::normal, perft::count,
        health::live, health::ready, health::healthy, metrics::show, description::openapi, page::index, page::docs, page::studies, page::asset,
        guide::index, guide::file, guide::page, offline::list, offline::file, offline::proof, studies::list, studies::show,
        helpers::join, helpers::turn, helpers::deliver, helpers::leave,
        book::list, gallery::list, gallery::file, rules::document, rules::page,
    ),
    components(schemas(path::Game, Begun)),
    tags(
        (name = "positions", description = "Values and moves of positions"),
        (name = "set-ups", description = "The choice of Player Two, and the jobs that search for it"),
        (name = "studies", description = "Proofs that take days"),
        (name = "records", description = "Records of games, and their reviews"),
        (name = "service", description = "The service itself"),
    )
)]
struct Description;

/// The derived description of a service with these games.
fn derived(registry: &Registry) -> openapi::OpenApi {
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

/// The 202 response in the API description of every call that may start a job.
pub(super) struct Continues;

impl IntoResponses for Continues {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let own = |operation: &str| {
            Link::builder().operation_id(operation).parameter("id", "$response.body#/id").build()
        };
        let response = ResponseBuilder::new()
            .description("The job continues; `Location` is its address")
            .content("application/json", Content::new(Some(Ref::from_schema_name("Begun"))))
            .link("job", own("showJob"))
            .link("events", own("followJob"))
            .link("cancel", own("cancelJob"));
        BTreeMap::from([("202".to_owned(), response.build().into())])
    }
}

#[test]
fn the_file_is_the_derived_description() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let derived = derived(&marquis_registry::official()).to_pretty_json().unwrap() + "\n";
    if env::var_os("MARQUIS_DESCRIBE").is_some() {
        fs::write(&file, &derived).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap();
    let write = "MARQUIS_DESCRIBE=1 cargo test --release -p marquis-api --lib schema";
    assert!(kept == derived, "{} is not the derived description; `{write}` writes it", file.display());
}
