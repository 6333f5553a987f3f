//! The clients of `api/clients` use every call of a running server, and the API description is suitable for client
//! generators.

use std::fs;
use std::path::Path;
use std::process::Command;

use marquis_core::GameId;
use marquis_engine::tables::{CHECKPOINT_EVERY, generate};
use marquis_engine::{BuildQuery, Control, Limits};
use marquis_registry::official;
use serde_json::Value;

use crate::client::json;
use crate::shared::{Server, skip};

/// Runs the test of a client; skipped, with a printed line, if its language is not installed.
fn check(language: &str, script: &str) {
    if Command::new(language).arg("--version").output().is_err() {
        return skip(&format!("there is no {language} here"));
    }
    let folder = tempfile::tempdir().unwrap();
    let query = BuildQuery {
        side: Some(2),
        pieces: Some("2v2".to_owned()),
        ..BuildQuery::new(GameId::new("squish"))
    };
    generate(&official(), &query, folder.path(), CHECKPOINT_EVERY, &Limits::default(), &Control::none())
        .unwrap();
    let running = Server::start(|config| config.tables = vec![folder.path().to_owned()]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(script);
    let address = format!("http://{}", running.address);
    let ran = Command::new(language).arg(&script).arg(address).env("PYTHONDONTWRITEBYTECODE", "1").output();
    let ran = ran.unwrap();
    let said = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(ran.status.success() && said.contains("OK"), "{said}");
}

#[test]
fn the_python_client_does_all_that_it_says() {
    let has_httpx = Command::new("python3").args(["-c", "import httpx"]).output();
    if !has_httpx.is_ok_and(|ran| ran.status.success()) {
        return skip("there is no python3 with httpx here");
    }
    check("python3", "python/test_marquis.py");
}

#[test]
fn the_javascript_client_does_all_that_it_says() {
    check("node", "javascript/test_marquis.mjs");
}

#[test]
fn the_javascript_packages_have_the_version_and_the_licence_of_the_program() {
    for package in ["javascript", "engine"] {
        let manifest =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(package).join("package.json");
        let manifest: Value = serde_json::from_str(&fs::read_to_string(manifest).unwrap()).unwrap();
        let expected = [env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE")];
        assert_eq!([&manifest["version"], &manifest["license"]], expected, "{package}");
    }
}

/// `openapi-spec-validator`, which `.ci/run` installs.
#[test]
fn the_description_is_a_valid_one() {
    let validator = "openapi-spec-validator";
    if Command::new(validator).arg("--help").output().is_err() {
        return skip(&format!("there is no {validator} here"));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openapi.json");
    let validated = |description: &Value| {
        fs::write(&file, description.to_string()).unwrap();
        let ran = Command::new(validator).arg(&file).output().unwrap();
        (ran.status.success(), String::from_utf8_lossy(&ran.stdout).into_owned())
    };
    let running = Server::start(|_| {});
    let mut description = json(&running.address, "/openapi.json");
    let (valid, said) = validated(&description);
    assert!(valid, "{said}");
    // The validator does find errors.
    description["paths"]["/v1/games"]["get"]["responses"] = "none".into();
    assert!(!validated(&description).0);
}
