//! Clients for Python and TypeScript are generated from the description of a running service, compiled, and used.
//!
//! `.ci/run` installs the generators.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::client::json;
use crate::shared::{Server, skip};

/// Whether these programs are installed; reports a skip otherwise.
fn are_here(programs: &[&str]) -> bool {
    let missing = |program: &&&str| Command::new(program).arg("--version").output().is_err();
    let missing: Vec<_> = programs.iter().filter(missing).collect();
    if !missing.is_empty() {
        skip(&format!("these are missing here: {missing:?}"));
    }
    missing.is_empty()
}

/// The output of a program, which must succeed.
fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let ran = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    let said = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(ran.status.success(), "{program} {arguments:?}: {said}");
    said
}

#[test]
fn a_generated_python_client_is_whole_and_asks() {
    if !are_here(&["openapi-python-client", "python3"]) {
        return;
    }
    let running = Server::start(|_| {});
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    fs::write(place.join("openapi.json"), json(&running.address, "/openapi.json").to_string()).unwrap();
    // The generator does not know the OpenMetrics type, which is text.
    let settings = "content_type_overrides:\n  application/openmetrics-text: text/plain\npost_hooks: []\n";
    fs::write(place.join("settings.yaml"), settings).unwrap();
    let said = run(
        "openapi-python-client",
        &["generate", "--path", "openapi.json", "--config", "settings.yaml", "--output-path", "made"],
        place,
    );
    // The generator warns about parts that it leaves out.
    assert!(!said.contains("WARNING") && !said.contains("Unable"), "{said}");
    run("python3", &["-m", "compileall", "-q", "made"], place);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve/generated_client.py");
    let script = script.to_string_lossy();
    let said = run("python3", &[&script, "made", &format!("http://{}", running.address)], place);
    assert!(said.contains("OK"), "{said}");
}

#[test]
fn a_generated_typescript_client_is_whole_and_has_types_that_hold_together() {
    if !are_here(&["openapi-ts", "tsc"]) {
        return;
    }
    let running = Server::start(|_| {});
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let description = json(&running.address, "/openapi.json");
    fs::write(place.join("openapi.json"), description.to_string()).unwrap();
    run("openapi-ts", &["-i", "openapi.json", "-o", "made"], place);
    let made = fs::read_to_string(place.join("made/sdk.gen.ts")).unwrap();
    for calls in description["paths"].as_object().unwrap().values() {
        for call in calls.as_object().unwrap().values() {
            let name = call["operationId"].as_str().unwrap();
            assert!(made.contains(&format!("export const {name} = ")), "{name} is missing");
        }
    }
    fs::write(place.join("tsconfig.json"), COMPILED).unwrap();
    fs::write(place.join("use.ts"), USED).unwrap();
    run("tsc", &["-p", "tsconfig.json"], place);
    // The compiler does find errors.
    fs::write(place.join("use.ts"), USED.replace("\"squish\"", "17")).unwrap();
    assert!(!Command::new("tsc").args(["-p", "."]).current_dir(place).output().unwrap().status.success());
}

const COMPILED: &str = r#"{
  "compilerOptions": {
    "strict": true, "noEmit": true, "skipLibCheck": true, "target": "ES2022", "module": "ESNext",
    "moduleResolution": "bundler", "lib": ["ES2022", "DOM", "DOM.Iterable"]
  },
  "include": ["made", "use.ts"]
}"#;

const USED: &str = r#"
import { askPosition, designSetUps, solvePosition } from "./made";

export async function used(): Promise<number | undefined> {
  await askPosition({ path: { game: "squish" }, query: { position: "start:3" } });
  await solvePosition({ path: { game: "flowish" }, body: { position: "start:4", limit_ms: 1000 } });
  const { data } = await designSetUps({ path: { game: "swish" }, body: { tries: 3 } });
  return data && "designs" in data ? data.designs[0]?.score : undefined;
}
"#;
