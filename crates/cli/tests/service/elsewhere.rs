//! The service on tables behind a web server that works, fails, recovers, or is down when the service starts.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::server::{Fault, Server};
use crate::{Service, until};

/// Five pieces each; in a table of many pieces.
const POSITION: &str = "/v1/squish?position=bbw/1b1b/w3b/1w1w/w2_w";
const OTHER: &str = "/v1/squish?position=b1w/1b1b/w3b/1w2/w1b_b";
const NOT_REACHED: &str = "urn:marquis:problem:tables-not-reached";

/// A set of tables and its server.
fn set() -> (TempDir, Server) {
    let folder = tempfile::tempdir().unwrap();
    let built = Command::new(env!("CARGO_BIN_EXE_marquis"))
        .args(["generate", "squish", "--side", "3", "--pieces", "5v5", "--out", "set"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let server = Server::start(&folder.path().join("set"));
    (folder, server)
}

/// A service on the tables at an address, with no cache for their pieces.
fn begin(folder: &TempDir, tables: &str, bind: &str) -> Service {
    let mut command = Service::command(folder.path());
    command.args(["--bind", bind, "--no-starter", "--tables-cache", "0"]);
    Service::begin(command.env("MARQUIS_TABLES", tables), bind)
}

/// For good, or until another fault is set.
fn for_good(fault: Fault) -> Vec<Fault> {
    vec![fault; 100_000]
}

fn answer(service: &Service, uri: &str) -> Value {
    let (status, answer) = service.get(uri);
    assert_eq!((status, &answer["proof"]), (200, &Value::from("table")), "{answer}");
    answer
}

#[test]
fn a_web_server_is_answered_from_missed_while_it_is_gone_and_taken_up_when_it_is_back() {
    let (folder, server) = set();
    let set: PathBuf = folder.path().join("set");
    let of_folder = begin(&folder, set.to_str().unwrap(), "127.0.0.1:0").ready();
    let expected = answer(&of_folder, POSITION);
    let other = answer(&of_folder, OTHER);
    of_folder.kill();
    let service = begin(&folder, server.address(), "127.0.0.1:0").ready();
    assert_eq!(answer(&service, POSITION), expected);
    let tables = service.get("/v1/tables").1["tables"].as_array().cloned().unwrap();
    assert!(
        tables.len() > 20 && tables.iter().all(|table| table["address"] == server.address()),
        "{tables:?}"
    );
    let head = service.head_of("/v1/tables/squish-s3/05v05.mqt");
    let place = format!("location: {}/squish-s3/05v05.mqt\r\n", server.address());
    assert!(head.starts_with("HTTP/1.1 307") && head.contains(&place), "{head}");

    server.fail("", &for_good(Fault::Gone));
    let (status, refused) = service.get(OTHER);
    assert_eq!((status, &refused["type"]), (503, &Value::from(NOT_REACHED)), "{refused}");
    assert!(service.head_of(OTHER).contains("retry-after: 10\r\n"));
    let (status, health) = service.get("/readyz");
    assert_eq!((status, &health["elsewhere"][0]["reached"]), (200, &Value::Bool(false)), "{health}");
    assert_eq!(service.get("/v1/swish?position=start:3&budget_ms=0").0, 400);
    // A cached answer needs no server.
    assert_eq!(answer(&service, POSITION), expected);
    server.fail("", &[]);
    until("it is taken up", || (service.get(OTHER).0 == 200).then_some(()));
    assert_eq!(answer(&service, OTHER), other);
    service.kill();
}

#[test]
fn wrong_bytes_are_no_answer_and_a_table_that_is_another_one_is_opened_anew() {
    let (folder, server) = set();
    let service = begin(&folder, server.address(), "127.0.0.1:0").ready();
    server.fail("mqt", &for_good(Fault::Wrong));
    let (status, refused) = service.get(POSITION);
    assert_eq!((status, &refused["type"]), (503, &Value::from(NOT_REACHED)), "{refused}");
    server.fail("mqt", &[]);
    let expected = answer(&service, POSITION);
    server.fail("mqt", &[Fault::Renewed]);
    let (status, refused) = service.get(OTHER);
    assert_eq!((status, &refused["type"]), (503, &Value::from(NOT_REACHED)), "{refused}");
    until("it is opened again", || (service.get(OTHER).0 == 200).then_some(()));
    assert_eq!(answer(&service, POSITION), expected);
    service.kill();
}

#[test]
fn a_service_whose_tables_are_away_at_the_start_waits_for_them_and_says_so() {
    let (folder, server) = set();
    server.fail("", &for_good(Fault::Gone));
    // It prints its address only once it is ready, so the port must be known before.
    let bind = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let service = begin(&folder, server.address(), &bind);
    let refused = until("it says what it waits for", || {
        let (status, refused) = service.try_get("/readyz")?;
        (status == 503 && refused["type"] == NOT_REACHED).then_some(refused)
    });
    assert!(refused["detail"].as_str().unwrap().contains(server.address()), "{refused}");
    assert_eq!((service.get("/livez").0, service.get(POSITION).0), (200, 503));
    server.fail("", &[]);
    let service = service.ready();
    answer(&service, POSITION);
    assert_eq!(service.get("/readyz").0, 200);
    service.kill();
}

/// Waits for a service on the tables at an address to fail, and returns its output.
fn refused(folder: &TempDir, tables: &str) -> String {
    let said = folder.path().join("said");
    let mut command = Service::command(folder.path());
    command.args(["--bind", "127.0.0.1:0", "--no-starter", "--tables-cache", "0"]);
    command.env("MARQUIS_TABLES", tables).stderr(File::create(&said).unwrap());
    let mut process = command.spawn().unwrap();
    let mut ended = None;
    until("it ends", || {
        ended = process.try_wait().unwrap();
        ended
    });
    assert_eq!(ended.unwrap().code(), Some(4));
    fs::read_to_string(said).unwrap()
}

#[test]
fn a_service_whose_tables_are_refused_does_not_wait_for_them() {
    let (folder, server) = set();
    server.fail("B3SUMS", &for_good(Fault::Status(403)));
    let said = refused(&folder, server.address());
    assert!(said.contains(&format!("{}/B3SUMS: refused", server.address())), "{said}");
    assert!(said.contains("credentials"), "{said}");
    server.fail("B3SUMS", &[]);
    server.fail("mqt", &for_good(Fault::Whole));
    let said = refused(&folder, server.address());
    assert!(said.contains(".mqt: refused") && said.contains("range requests"), "{said}");
}
