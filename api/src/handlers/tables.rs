//! `GET /v1/tables`, `GET /v1/tables/{folder}/{file}`

use actix_files::NamedFile;
use actix_web::HttpResponse;
use actix_web::http::header::{ContentEncoding, ContentType};
use actix_web::web::{Data, Path};
use marquis_engine::reports::TableInfo;
use serde::Serialize;
use utoipa::ToSchema;

use crate::handlers::refusals::{Later, UnknownTable};
use crate::problem::Problem;
use crate::state::AppState;

#[derive(Serialize, ToSchema)]
pub(super) struct Tables {
    tables: Vec<TableInfo>,
}

/// What tables are loaded.
#[utoipa::path(get, path = "/v1/tables", operation_id = "listTables", tag = "service",
    responses(
        (status = 200, description = "Every table", body = Tables, content_type = "application/json"),
        Later,
    ))]
pub(super) async fn list(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::Ok().json(Tables { tables: state.engine()?.tables() }))
}

/// A file of a table as it lies on the disk, or the ranges of it that are asked for.
#[utoipa::path(get, path = "/v1/tables/{folder}/{file}", operation_id = "downloadTable", tag = "service",
    params(
        ("folder" = String, Path, description = "The folder of the variant", example = "squish-s3"),
        ("file" = String, Path, description = "The file of the layer", example = "03v02.mqt"),
    ),
    responses(
        (status = 200, description = "The file", body = [u8], content_type = "application/octet-stream"),
        (status = 206, description = "The ranges that `Range` asks for", body = [u8],
            content_type = "application/octet-stream"),
        (status = 304, description = "The client has it already"),
        (status = 416, description = "There is no such range", content_type = "application/octet-stream"),
        UnknownTable, Later,
    ))]
pub(super) async fn file(state: Data<AppState>, name: Path<(String, String)>) -> Result<NamedFile, Problem> {
    let name = format!("{}/{}", name.0, name.1);
    // Only what is loaded is sent: a name is looked up, and leads to no other file.
    let file = state.engine()?.table_file(&name).ok_or_else(|| Problem::unknown_table(&name))?;
    let opened = NamedFile::open_async(&file).await.map_err(|error| {
        tracing::warn!(table = name, %error, "a table that is loaded cannot be sent");
        Problem::unknown_table(&name)
    })?;
    // Blocks are packed already, and ranges are those of the file.
    let plain = opened.set_content_encoding(ContentEncoding::Identity).prefer_utf8(false);
    Ok(plain.set_content_type(ContentType::octet_stream().0))
}
