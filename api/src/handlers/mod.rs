//! One file per call; this one has the routes and the response to unknown addresses.

mod answer;
mod balance;
mod batch;
mod begun;
mod body;
mod book;
mod bundle;
mod description;
mod design;
mod gallery;
mod games;
mod generate;
mod guide;
mod health;
mod helpers;
mod job_status;
mod legal;
mod metrics;
mod offline;
mod page;
#[cfg(test)]
mod path;
mod perft;
mod record;
#[cfg(test)]
mod refusals;
mod review;
mod rules;
#[cfg(test)]
mod schema;
mod sent_file;
mod solve;
mod studies;
mod tables;
mod token;

use actix_web::http::Method;
use actix_web::middleware::Condition;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, Resource, Route, guard, middleware};

use crate::conditional;
use crate::cross_origin::cross_origin;
use crate::problem::Problem;
use crate::request_id;
use crate::routes::{self, CallRoute};
use crate::state::AppState;

/// Adds the calls of the service to an application.
pub fn configure(cfg: &mut ServiceConfig, state: Data<AppState>) {
    let cross_origin = Condition::new(!state.config().cors.is_empty(), cross_origin(state.config()));
    let scope = web::scope("")
        .app_data(state)
        .wrap(middleware::from_fn(conditional::answer))
        .wrap(middleware::from_fn(request_id::stamp))
        .wrap(cross_origin)
        .service(reads(routes::INDEX, page::index))
        .service(reads(routes::DOCS, page::docs))
        .service(web::redirect("/docs", "/docs/"))
        .service(reads(routes::STUDIES_PAGE, page::studies))
        .service(web::redirect("/studies", "/studies/"))
        .service(reads(routes::GUIDE, guide::index))
        .service(web::redirect("/guide", "/guide/"))
        .service(reads(routes::OPENAPI, description::openapi))
        .service(reads(routes::METRICS, metrics::show))
        .service(reads(routes::LIVE, health::live))
        .service(reads(routes::READY, health::ready))
        .service(reads(routes::HEALTH, health::healthy))
        .service(reads(routes::GAMES, games::list))
        .service(reads(routes::TABLES, tables::list))
        .service(reads(routes::JOBS, job_status::list))
        .service(reads(routes::STUDIES, studies::list))
        .service(reads(routes::STUDY, studies::show))
        .service(only(routes::HELPERS).route(web::post().to(helpers::join)))
        .service(
            only(routes::HELPER)
                .route(read().to(helpers::turn))
                .route(web::post().to(helpers::deliver))
                .route(web::delete().to(helpers::leave)),
        )
        .service(reads(routes::TABLE_FILE, tables::file))
        // Patterns are tried in this order, and this one is requested most.
        .service(only(routes::POSITIONS).route(read().to(answer::ask)).route(web::post().to(batch::ask)))
        .service(reads(routes::ASSET, page::asset))
        .service(reads(routes::GUIDE_FILE, guide::file))
        .service(reads(routes::GUIDE_PAGE, guide::page))
        .service(reads(routes::OFFLINE, offline::list))
        .service(reads(routes::OFFLINE_FILE, offline::file))
        .service(reads(routes::OFFLINE_PROOF, offline::proof))
        .service(
            only(routes::JOB).route(read().to(job_status::show)).route(web::delete().to(job_status::cancel)),
        )
        .service(reads(routes::EVENTS, job_status::events))
        .service(reads(routes::PROOF, job_status::proof))
        .service(reads(routes::RULES, rules::document))
        .service(reads(routes::MOVES, legal::moves))
        .service(reads(routes::NORMAL, legal::normal))
        .service(reads(routes::PERFT, perft::count))
        .service(reads(routes::BOOK, book::list))
        .service(reads(routes::GALLERY, gallery::list))
        .service(reads(routes::GALLERY_PROOF, gallery::file))
        .service(reads(routes::RULES_PAGE, rules::page))
        .service(only(routes::RECORD).route(web::post().to(record::read)))
        .service(only(routes::REVIEW).route(web::post().to(review::ask)))
        .service(only(routes::DESIGN).route(web::post().to(design::ask)))
        .service(only(routes::SOLVE).route(web::post().to(solve::ask)))
        .service(only(routes::GENERATE).route(web::post().to(generate::ask)))
        .service(only(routes::BALANCE).route(web::post().to(balance::ask)))
        .default_service(web::to(nothing_here));
    cfg.service(scope);
}

/// A route for GET and HEAD.
fn read() -> Route {
    web::route().guard(guard::fn_guard(|context| matches!(context.head().method, Method::GET | Method::HEAD)))
}

/// A read-only address.
fn reads<F, Args>(address: CallRoute, handler: F) -> Resource
where
    F: actix_web::Handler<Args>,
    Args: actix_web::FromRequest + 'static,
    F::Output: actix_web::Responder + 'static,
{
    only(address).route(read().to(handler))
}

/// An address that refuses every method without a route.
fn only(address: CallRoute) -> Resource {
    let CallRoute { path, allow, .. } = address;
    let refuse = move || async move { Err::<&str, Problem>(Problem::method_not_allowed(allow)) };
    web::resource(path).default_service(web::to(refuse))
}

async fn nothing_here(request: HttpRequest) -> Result<&'static str, Problem> {
    Err(Problem::not_found(request.path()))
}
