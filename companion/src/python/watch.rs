//! What a run of Python has beside its first process: other processes, and a folder.

use std::io;
use std::path::{Path, PathBuf};

use systems::kgot::{PythonFailure, PythonFault};
use tempfile::TempDir;

use super::{MAX_FOLDER, MAX_PROCESSES, MEMORY_KB, failure};

/// The variable by which the processes of a run are known, whatever session they moved to.
pub(super) const MARK: &str = "GRAPHGROUND_RUN";
/// How the folders of runs begin; the number of the process that made one follows.
const PREFIX: &str = "graphground-python-";
/// The most entries of a folder that are looked at.
const MAX_ENTRIES: usize = 100_000;

/// A folder for a run, which goes with this.
pub(super) fn folder() -> io::Result<TempDir> {
    tempfile::Builder::new().prefix(&format!("{PREFIX}{}-", std::process::id())).tempdir()
}

/// Removes the folders of companions that were killed.
pub(super) fn remove_left_folders() {
    for entry in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let maker = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next());
        let Some(Ok(maker)) = maker.map(str::parse::<u32>) else { continue };
        // Where there is no list of processes, nobody knows.
        if Path::new("/proc/self").exists() && !Path::new(&format!("/proc/{maker}")).exists() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// A run, as the system sees it.
pub(super) struct Run {
    folder: PathBuf,
}

/// A process of a run.
struct Process {
    id: String,
    kb: u64,
}

impl Run {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// No other run has this folder.
    pub(super) fn mark(&self) -> &Path {
        &self.folder
    }

    /// What the run has too much of.
    pub(super) fn fault(&self) -> Option<PythonFailure> {
        let bytes = size(&self.folder);
        if bytes > MAX_FOLDER {
            let words = format!("it wrote {bytes} bytes of files; {MAX_FOLDER} are the most");
            return Some(failure(PythonFault::TooLarge, words));
        }
        let processes = self.processes();
        if processes.len() > MAX_PROCESSES {
            let words =
                format!("it has {} processes; {MAX_PROCESSES} are the most", processes.len());
            return Some(failure(PythonFault::Memory, words));
        }
        let kb: u64 = processes.iter().map(|process| process.kb).sum();
        (kb > MEMORY_KB).then(|| {
            let words = format!("its processes need more than {} MB", MEMORY_KB / 1_000);
            failure(PythonFault::Memory, words)
        })
    }

    /// Ends every process that is left.
    pub(super) fn end(&self) {
        // One may start another while it is looked for.
        for _ in 0..20 {
            let processes = self.processes();
            if processes.is_empty() {
                return;
            }
            let ids = processes.into_iter().map(|process| process.id);
            let _ = std::process::Command::new("kill")
                .args(["-KILL", "--"])
                .args(ids)
                .stderr(std::process::Stdio::null())
                .status();
        }
    }

    /// Those that have the mark, where the system lists them.
    fn processes(&self) -> Vec<Process> {
        let mark = format!("{MARK}={}", self.folder.display());
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let id = entry.file_name().to_string_lossy().into_owned();
            if !id.bytes().all(|b| b.is_ascii_digit()) {
                continue;
            }
            let read = |name: &str| std::fs::read(entry.path().join(name)).unwrap_or_default();
            let environment = read("environ");
            if !environment.split(|b| *b == 0).any(|variable| variable == mark.as_bytes()) {
                continue;
            }
            // The memory that it has by itself, in pages of 4 KB: what was forked is shared.
            let pages = String::from_utf8_lossy(&read("statm")).into_owned();
            let mut pages = pages.split(' ').map(|n| n.parse::<u64>().unwrap_or_default());
            let (resident, shared) = (pages.nth(1).unwrap_or(0), pages.next().unwrap_or(0));
            found.push(Process { id, kb: 4 * resident.saturating_sub(shared) });
        }
        found
    }
}

/// Bytes of the files in a folder. What a link leads to is not in it.
fn size(folder: &Path) -> u64 {
    let (mut bytes, mut n_entries) = (0, 0);
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            n_entries += 1;
            if n_entries > MAX_ENTRIES {
                return u64::MAX;
            }
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() {
                open.push(entry.path());
            }
            // An empty file takes room, too.
            bytes += about.len().max(100);
        }
    }
    bytes
}
