//! `GET /v1/tables`, `GET /v1/tables/{folder}/{file}`

use std::io;

use actix_files::NamedFile;
use actix_web::http::header::{ContentEncoding, ContentType, LOCATION};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use marquis_wire::reports::{TableInfo, TablePlace};
use serde::Serialize;

#[cfg(test)]
use crate::handlers::schema::*;
use crate::problem::Problem;
use crate::ranges;
use crate::state::AppState;

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Tables {
    tables: Vec<TableInfo>,
}

/// The loaded tables.
#[cfg_attr(test, utoipa::path(get, path = "/v1/tables", operation_id = "listTables", tag = "service",
    responses(
        (status = 200, description = "Every table", body = Tables, content_type = "application/json"),
        Later,
    )))]
pub(super) async fn list(state: Data<AppState>) -> Result<HttpResponse, Problem> {
    let engine = state.engine()?;
    state.complete()?;
    Ok(HttpResponse::Ok().json(Tables { tables: engine.tables() }))
}

/// A table file as stored on the disk, or a redirect to its server if it is remote; also in ranges.
#[cfg_attr(test, utoipa::path(get, path = "/v1/tables/{folder}/{file}", operation_id = "downloadTable", tag = "service",
    params(
        ("folder" = String, Path, description = "The folder of the variant", example = "squish-s3"),
        ("file" = String, Path, description = "The file of the layer", example = "03v02.mqt"),
    ),
    responses(
        (status = 200, description = "The file", body = [u8], content_type = "application/octet-stream"),
        (status = 206, description = "The requested ranges; several form one multipart body", content(
            ([u8] = "application/octet-stream"), ([u8] = "multipart/byteranges"),
        )),
        (status = 304, description = "The client has the current version"),
        (status = 307, description = "The table is remote, at the address in `Location`"),
        Changed, NoSuchRange, UnknownTable, Later,
    )))]
pub(super) async fn file(
    request: HttpRequest,
    state: Data<AppState>,
    name: Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let name = format!("{}/{}", name.0, name.1);
    // Only loaded files are sent: the name is looked up, so it cannot lead to another file.
    let engine = state.engine()?;
    state.complete()?;
    let place = engine.table_place(&name).ok_or_else(|| Problem::unknown_table(&name))?;
    let file = match place {
        TablePlace::Here(file) => file,
        TablePlace::Elsewhere(address) => return elsewhere(&name, &address),
    };
    let lost = |error: io::Error| {
        tracing::warn!(table = name, %error, "a table that is loaded cannot be sent");
        Problem::unknown_table(&name)
    };
    let opened = NamedFile::open_async(&file).await.map_err(lost)?;
    // Blocks are already compressed, and ranges refer to the file.
    let plain = opened.set_content_encoding(ContentEncoding::Identity).prefer_utf8(false);
    ranges::file(plain.set_content_type(ContentType::octet_stream().0), &request).map_err(lost)
}

/// Redirects a client to a web server that has the file; a bucket needs credentials that the client may not have.
fn elsewhere(name: &str, address: &str) -> Result<HttpResponse, Problem> {
    if address.starts_with("http://") || address.starts_with("https://") {
        return Ok(HttpResponse::TemporaryRedirect().insert_header((LOCATION, address)).finish());
    }
    Err(Problem::lies_elsewhere(name, address))
}
