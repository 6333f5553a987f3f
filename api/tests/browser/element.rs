//! `<marquis-board>` on a page of another site. Skipped, with a printed line, without node and python3.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::driver::Browser;
use crate::offline::built;
use crate::shared::{Server, first_after, skip, wait};
use crate::{ENTER, RIGHT};

/// A web server of files, without the service; stopped when dropped.
struct Site {
    process: Child,
    origin: String,
    folder: TempDir,
}

impl Site {
    /// `None`, with a printed line, if a program for it is missing.
    fn open() -> Option<Self> {
        for program in ["node", "python3"] {
            if Command::new(program).arg("--version").output().is_err() {
                skip(&format!("there is no {program} here"));
                return None;
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new("python3")
            .args(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory"])
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let port = first_after(&mut process, " port ").expect("a web server says its port");
        Some(Self { process, origin: format!("http://127.0.0.1:{port}"), folder })
    }

    /// Assembles a package of `api/clients` in the folder of this name, as npm packs it.
    fn install(&self, source: &str, name: &str, web: &Path) -> PathBuf {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(source);
        let folder = self.folder.path().join(name);
        fs::create_dir(&folder).unwrap();
        for file in fs::read_dir(&source).unwrap().map(Result::unwrap) {
            if file.file_type().unwrap().is_file() {
                fs::copy(file.path(), folder.join(file.file_name())).unwrap();
            }
        }
        let mut command = Command::new("node");
        let assembled =
            command.arg(source.join("assemble.mjs")).arg(&folder).env("MARQUIS_WEB", web).output().unwrap();
        assert!(assembled.status.success(), "{}", String::from_utf8_lossy(&assembled.stderr));
        source
    }

    /// Puts the example page there, with a service's address, and visits it.
    fn show(&self, browser: &Browser, address: &str) {
        let example = self.install("javascript", "marquis-client", Path::new("")).join("examples/board.html");
        let example = fs::read_to_string(example).unwrap();
        let (place, replaced) = ("http://127.0.0.1:8017", format!("http://{address}"));
        assert!(example.lines().count() == 3 && example.contains(place), "{example}");
        let pages = self.folder.path().join("marquis-client/examples");
        fs::create_dir(&pages).unwrap();
        fs::write(pages.join("board.html"), example.replace(place, &replaced)).unwrap();
        browser.visit_site(&format!("{}/marquis-client/examples/board.html", self.origin));
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The value of an expression about the element `board` and its shadow `root`.
fn look(browser: &Browser, expression: &str) -> Value {
    browser.run(&format!(
        "const board = document.querySelector('marquis-board'), root = board?.shadowRoot; return root && ({expression})"
    ))
}

/// Waits until the line below the board is this.
fn expect(browser: &Browser, says: &str) {
    let status = "root.querySelector('[role=status]').textContent";
    wait(&format!("the board says {says:?}"), || (look(browser, status) == says).then_some(()));
}

/// Clicks on a cell of the board.
fn click(browser: &Browser, cell: &str) {
    let middle = format!(
        "((box) => [box.left + box.width / 2, box.top + box.height / 2].map(Math.round))(root.querySelector('[data-cell={cell}]').getBoundingClientRect())"
    );
    browser.click_at(serde_json::from_value(look(browser, &middle)).unwrap());
}

#[test]
fn a_page_of_three_lines_shows_a_position_and_plays_moves_by_mouse_and_keys() {
    let Some(browser) = Browser::open(1280, 900) else { return };
    let Some(site) = Site::open() else { return };
    let service = Server::start(|settings| settings.cors = vec![site.origin.clone()]);
    site.show(&browser, &service.address);
    // "Check numbers" in `squish/rules.md`: the start of side 3 is won in five.
    expect(&browser, "White to move: wins in 5 plies");
    let label = look(&browser, "root.querySelector('svg').getAttribute('aria-label')");
    assert_eq!(label, "Squish: White to move: wins in 5 plies");
    let fill = look(&browser, "getComputedStyle(root.querySelector('.badge.win rect')).fill");
    assert_ne!(fill, "rgb(0, 0, 0)", "the mark of a win has no colour");
    browser.run(
        "window.told = [];
         for (const name of ['move', 'answer']) document.addEventListener(name, ({ detail }) => told.push([name, detail.move ?? detail.value]))",
    );
    click(&browser, "a3");
    click(&browser, "b3");
    expect(&browser, "Black to move: loses in 4 plies");
    assert_eq!(look(&browser, "board.position"), "b1w/1wb1/wb1wb/1ww1/b2 b");
    // The board asks twice about each position. The second answer about the start, a win, may come late.
    let told = browser.run("return told.slice(told.findIndex(([, detail]) => detail !== 'win')).slice(0, 2)");
    assert_eq!(told, json!([["move", "a3xb3"], ["answer", "loss"]]));

    look(&browser, "root.querySelector('[data-cell=c2]').focus()");
    browser.press(&[ENTER]);
    assert_eq!(look(&browser, "root.activeElement?.dataset.cell"), "c2", "the focus is lost");
    browser.press(&[RIGHT, ENTER]);
    expect(&browser, "White to move: wins in 3 plies");

    look(&browser, "board.removeAttribute('playable')");
    wait("no piece can be taken", || {
        (look(&browser, "root.querySelector('.mine')") == Value::Null).then_some(())
    });
    let before = look(&browser, "board.position");
    for cell in ["e3", "d3"] {
        click(&browser, cell);
    }
    assert_eq!(look(&browser, "board.position"), before, "a board that is not playable plays");
    let complaints = browser.complaints();
    assert!(complaints.iter().all(|line| line.contains("favicon")), "{complaints:?}");
}

#[test]
fn the_board_asks_the_engine_of_its_tab_without_a_service() {
    let Some(web) = built() else { return };
    let Some(browser) = Browser::open(1280, 900) else { return };
    let Some(site) = Site::open() else { return };
    site.install("engine", "marquis-engine", &web);
    // Nothing listens there.
    site.show(&browser, "127.0.0.1:1");
    expect(&browser, "Failed to fetch");
    look(&browser, "board.setAttribute('engine', '')");
    expect(&browser, "White to move: wins in 5 plies");
    look(&browser, "board.setAttribute('position', 'b1w/x w')");
    wait("the engine refuses a position", || {
        let status = look(&browser, "root.querySelector('[role=status]').textContent");
        status.as_str().is_some_and(|said| said.contains("expected")).then_some(())
    });
}
