//! `GET /v1/studies`, `GET /v1/studies/{study}`

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{self, Data, Path};
use marquis_engine::EngineError;
use marquis_engine::study::{StudyFolder, studies_in, study_status, study_tree};
use marquis_wire::study::{StudyHelpers, StudyReport, StudyTree};
use serde::Serialize;

#[cfg(test)]
use crate::handlers::schema::*;
use crate::helpers::Helpers;
use crate::problem::Problem;
use crate::state::AppState;

/// Studies grow while they are shown.
const NEW: (actix_web::http::header::HeaderName, &str) = (CACHE_CONTROL, "no-cache");

/// The studies that the operator shows.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Studies {
    studies: Vec<Study>,
}

/// The state of a study.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct Study {
    /// Its name; for a set-up with the letter of the colour that moves first.
    name: String,
    /// Whether it takes helpers now, such as `marquis work`.
    helpers: StudyHelpers,
    #[serde(flatten)]
    report: StudyReport,
}

/// The state of a study, and its search tree.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct StudyWithTree {
    #[serde(flatten)]
    study: Study,
    /// The part of its tree with most of its effort; null before there is one.
    tree: Option<StudyTree>,
}

impl Study {
    /// Reads the folder of a study; `None` if it cannot be read.
    fn of(StudyFolder { name, folder }: StudyFolder, helpers: &Helpers) -> Option<Self> {
        let told = study_status(&folder).inspect_err(|error| {
            tracing::warn!(study = name, %error, "a study is left out");
        });
        // The path of the folder is private to the operator.
        let report = StudyReport { state: None, ..told.ok()? };
        Some(Self { name, helpers: helpers.of_study(&folder), report })
    }
}

/// The studies that the operator shows: proofs that take days, each with its progress and its results so far.
#[cfg_attr(test, utoipa::path(get, path = "/v1/studies", operation_id = "listStudies", tag = "studies",
    responses(
        (status = 200, description = "The studies; empty if none are shown", body = Studies,
            content_type = "application/json"),
        Later,
    )))]
pub(super) async fn list(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let shown = state.clone();
    let read = move |place| Study::of(place, shown.helpers());
    let studies = on_disk(state, move |folders| folders.into_iter().filter_map(read).collect()).await?;
    Ok(HttpResponse::Ok().insert_header(NEW).json(Studies { studies }))
}

/// A study with the positions that take most of its effort; it grows while a process works on it.
#[cfg_attr(test, utoipa::path(get, path = "/v1/studies/{study}", operation_id = "readStudy", tag = "studies",
    params(("study" = String, Path, description = "A study, as the list names it", example = "flowish-5")),
    responses(
        (status = 200, description = "The study", body = StudyWithTree, content_type = "application/json"),
        UnknownStudy, Later,
    )))]
pub(super) async fn show(state: Data<AppState>, name: Path<String>) -> Result<HttpResponse, Problem> {
    let wanted = name.into_inner();
    let unknown = Problem::unknown_study(&wanted);
    let shown = state.clone();
    // The name is looked up in the list, so it cannot lead to another folder.
    let found = on_disk(state, move |folders| {
        let place = folders.into_iter().find(|place| place.name == wanted)?;
        let tree = study_tree(&place.folder).ok();
        Study::of(place, shown.helpers()).map(|study| StudyWithTree { study, tree })
    });
    let study = found.await?.ok_or(unknown)?;
    Ok(HttpResponse::Ok().insert_header(NEW).json(study))
}

/// Runs `make` on the studies in the operator's folder, outside the threads that serve clients; the list is empty if
/// no folder is configured.
pub(super) async fn on_disk<T: Send + 'static>(
    state: Data<AppState>,
    make: impl FnOnce(Vec<StudyFolder>) -> T + Send + 'static,
) -> Result<T, Problem> {
    let work = move || {
        let folder = state.config().studies.as_deref();
        let folders = folder.map_or_else(|| Ok(Vec::new()), studies_in)?;
        Ok::<T, EngineError>(make(folders))
    };
    let done = web::block(work).await.map_err(|_| Problem::internal())?;
    done.map_err(|error| {
        tracing::warn!(%error, "the folder of studies cannot be read");
        Problem::internal()
    })
}
