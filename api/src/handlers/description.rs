//! `GET /openapi.json`

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Bytes, Data};
use marquis_engine::Registry;
use serde_json::Value;

use crate::problem::Problem;
use crate::state::AppState;
use crate::texts::own;

/// The description of a service with the games of this project, derived by [`schema`](super::schema).
const DESCRIPTION: &str = "openapi.json";

/// The description of a service with these games; `None` if the file is not JSON, which a test excludes.
fn described(registry: &Registry) -> Option<Bytes> {
    let mut description: Value = serde_json::from_str(own(DESCRIPTION)).ok()?;
    let names: Vec<&str> = registry.games().map(|game| game.id().name()).collect();
    *description.pointer_mut("/components/schemas/Game/enum")? = names.into();
    serde_json::to_vec(&description).ok().map(Bytes::from)
}

/// The machine-readable description of the service.
#[cfg_attr(test, utoipa::path(get, path = "/openapi.json", operation_id = "describe", tag = "service",
    responses((status = 200, description = "This document", content_type = "application/json", body = Object))))]
pub(super) async fn openapi(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let text = state.description(|| described(state.registry())).ok_or_else(Problem::internal)?;
    let mut response = HttpResponse::Ok();
    Ok(response.content_type("application/json").insert_header((CACHE_CONTROL, "no-cache")).body(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::ALL;

    fn description() -> Value {
        serde_json::from_str(own(DESCRIPTION)).unwrap()
    }

    #[test]
    fn every_address_is_described_with_its_methods_and_nothing_else_is() {
        let described = description();
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
        let described = description();
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
        let text = description().to_string();
        let described = description();
        let shapes = described["components"]["schemas"].as_object().unwrap();
        for name in text.split("#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(shapes.contains_key(name), "{name}");
        }
        assert!(shapes.contains_key("Balance") && shapes.contains_key("ExactAnswer"), "{:?}", shapes.keys());
    }
}
