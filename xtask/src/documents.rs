//! What the documents name is there.

use std::path::{Path, PathBuf};

/// The folders of the workspace, by which a path in a document is known.
const FOLDERS: [&str; 9] =
    ["crates/", "src/", "xtask/", "companion/", "tests/", "www/", "docs/", "fuzz/", "benches/"];

/// The documents of a folder: its Markdown, that of `docs`, and the READMEs of the crates. What a
/// release had stays in the changelog, whether it is still there or not.
fn documents(root: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut folders = vec![root.to_owned(), root.join("docs"), root.join("src")];
    for entry in std::fs::read_dir(root.join("crates"))? {
        folders.push(entry?.path());
    }
    let mut found = Vec::new();
    for folder in folders.into_iter().filter(|f| f.is_dir()) {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let is_ours = path.extension().is_some_and(|e| e == "md")
                && path.file_name().is_some_and(|name| name != "CHANGELOG.md");
            if is_ours {
                found.push(path);
            }
        }
    }
    Ok(found)
}

/// Paths between backticks that are not there, as `document: path`.
fn missing(root: &Path) -> std::io::Result<Vec<String>> {
    let mut found = Vec::new();
    for document in documents(root)? {
        let text = std::fs::read_to_string(&document)?;
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("```")).collect();
        for path in lines.join("\n").split('`').skip(1).step_by(2) {
            let is_path = FOLDERS.iter().any(|folder| path.starts_with(folder));
            // `<name>.rs`, `*.md`, `NN-name.md` and the like stand for many.
            if !is_path
                || path.contains(['<', '*', '{', '…', '$', ' ', '\n'])
                || path.contains("NN")
            {
                continue;
            }
            let place = path.split(':').next().unwrap_or(path);
            if !root.join(place).exists() {
                found.push(format!("{}: {path}", document.display()));
            }
        }
    }
    Ok(found)
}

#[test]
fn every_path_in_a_document_is_there() -> std::io::Result<()> {
    assert_eq!(missing(&crate::steps::root())?, Vec::<String>::new());
    Ok(())
}

#[test]
fn a_path_that_is_not_there_is_found() -> std::io::Result<()> {
    let folder = std::env::temp_dir().join(format!("graphground-documents-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("crates/one"))?;
    let text = "`crates/one` is there, `crates/two/x.rs` is not, `crates/<name>` is any.\n";
    std::fs::write(folder.join("crates/one/README.md"), text)?;
    let found = missing(&folder)?;
    std::fs::remove_dir_all(&folder)?;
    assert_eq!(found.len(), 1);
    assert!(found[0].ends_with("crates/two/x.rs"), "{found:?}");
    Ok(())
}
