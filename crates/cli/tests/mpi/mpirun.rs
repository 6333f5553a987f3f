//! Programs that `mpirun` starts, in a separate folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::RngExt as _;
use rand::rngs::SmallRng;

/// The result of a program.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A folder that is removed after the test.
pub(crate) struct Place(tempfile::TempDir);

/// How long the other ranks may take to end.
const PATIENCE: Duration = Duration::from_secs(60);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The files that one process writes.
    pub(crate) fn alone(&self, what: &[&str], out: &str) -> BTreeMap<String, Vec<u8>> {
        let mut command = Command::new(program());
        command.args(["generate"]).args(what).args(["--out", out]).current_dir(self.path());
        let ran = ended(command);
        assert_eq!(ran.code, Some(0), "{what:?}: {}", ran.err);
        files(&self.path().join(out))
    }

    /// `mpirun` for any user, root or not, and any number of cores.
    fn launcher(&self) -> Command {
        let mut command = Command::new("mpirun");
        let root = [("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")];
        command.envs(root).env("OMPI_MCA_rmaps_base_oversubscribe", "1").current_dir(self.path());
        command
    }

    pub(crate) fn mpirun(&self, ranks: &[&str], what: &[&str], more: &[&str]) -> Ran {
        let mut command = self.launcher();
        command.args(ranks).arg(program()).arg("generate").args(what).args(more);
        ended(command)
    }

    /// Ranks that share a study.
    pub(crate) fn study(&self, ranks: &str, what: &[&str]) -> Ran {
        ended(self.studying(ranks, what))
    }

    /// The same, still to be run.
    pub(crate) fn studying(&self, ranks: &str, what: &[&str]) -> Command {
        let mut command = self.launcher();
        command.args(["-n", ranks]).arg(program()).arg("study").args(what);
        command
    }

    /// Two ranks that would study different positions.
    pub(crate) fn both_study(&self, what: &[&str], other: &[&str]) -> Ran {
        let mut command = self.launcher();
        command.args(["-n", "1"]).arg(program()).arg("study").args(what);
        command.args([":", "-n", "1"]).arg(program()).arg("study").args(other);
        ended(command)
    }

    /// Two ranks with different requests.
    pub(crate) fn both(&self, what: &[&str], more: &[&str], other: &[&str], others: &[&str]) -> Ran {
        let mut command = self.launcher();
        command.args(["-n", "1"]).arg(program()).arg("generate").args(what).args(more);
        command.args([":", "-n", "1"]).arg(program()).arg("generate").args(other).args(others);
        ended(command)
    }

    /// Two ranks, of which the second can write only small files.
    pub(crate) fn second_with_small_files(&self, what: &[&str], more: &[&str]) -> Ran {
        let mut command = self.launcher();
        // Shared memory consists of files, too.
        command.env("OMPI_MCA_btl", "self,tcp");
        command.args(["-n", "1"]).arg(program()).arg("generate").args(what).args(more);
        command.args([":", "-n", "1", "sh", "-c", "ulimit -f 1; exec \"$0\" \"$@\""]);
        command.arg(program()).arg("generate").args(what).args(more);
        ended(command)
    }

    /// Starts ranks and kills one of them after some time. Returns their error output; `None` if they had finished by
    /// then.
    pub(crate) fn killed(
        &self,
        ranks: &str,
        what: &[&str],
        more: &[&str],
        after: Duration,
        random: &mut SmallRng,
    ) -> Option<String> {
        let mut command = self.launcher();
        command.args(["-n", ranks]).arg(program()).arg("generate").args(what).args(more);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut running = command.spawn().expect("mpirun is installed");
        std::thread::sleep(after);
        let started = children(&running);
        let is_killed = !started.is_empty() && {
            let one = &started[random.random_range(0..started.len())];
            Command::new("kill").args(["-9", one]).status().is_ok_and(|status| status.success())
        };
        let begun = Instant::now();
        while running.try_wait().expect("it can be waited for").is_none() {
            if begun.elapsed() > PATIENCE {
                let _ = running.kill();
                panic!("the others did not end when a rank was killed");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let ran = running.wait_with_output().expect("it has ended");
        let is_cut_off = is_killed && !ran.status.success();
        is_cut_off.then(|| String::from_utf8_lossy(&ran.stderr).into_owned())
    }
}

pub(crate) fn program() -> &'static Path {
    assert_cmd::cargo::cargo_bin!("marquis")
}

fn ended(mut command: Command) -> Ran {
    let ran = command.output().expect("the program and OpenMPI are installed");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: ran.status.code(), out: text(&ran.stdout), err: text(&ran.stderr) }
}

/// The process ids of the children of a process.
fn children(process: &Child) -> Vec<String> {
    let id = process.id();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    children.split_whitespace().map(str::to_owned).collect()
}

/// All files in a folder, by their paths in it.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(&here).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").display().to_string();
                files.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    files
}
