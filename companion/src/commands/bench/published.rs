//! Tasks that others published, as files for Knowledge Graph of Thoughts: GAIA's folder, SimpleQA's
//! table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use tasks::kgot::read_gaia;

use crate::{input, limits};

/// The file of GAIA that has the questions.
const METADATA: &str = "metadata.jsonl";

/// Reads a file of tasks, or GAIA's folder: names with texts, as the experiment takes them.
pub(super) fn read(path: &Path) -> Result<Vec<(String, String)>> {
    let path: PathBuf = if path.is_dir() { path.join(METADATA) } else { path.to_owned() };
    let text = input::text(&path, limits::TEXT)?;
    let name = path.to_string_lossy();
    // What was packed is a text by now.
    let name = name.strip_suffix(".gz").unwrap_or(&name).to_owned();
    if !name.to_ascii_lowercase().ends_with(".jsonl") {
        return Ok(vec![(name, text)]);
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = files_of(&text, folder).with_context(|| path.display().to_string())?;
    let cases = read_gaia(&text, &files).whole().map_err(|why| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let place = path.display();
        anyhow::anyhow!("{place}: {why} (files are looked for in {})", folder.display())
    })?;
    let mut made = Vec::new();
    for one in cases {
        if one.id.contains(['/', '\\']) {
            bail!("{}: the id {:?} has a slash in it", path.display(), one.id);
        }
        made.push((format!("{}.json", one.id), serde_json::to_string(&one.case)?));
    }
    Ok(made)
}

/// Whether a file is SimpleQA's table, by its name.
pub(super) fn is_table(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    name.trim_end_matches(".gz").ends_with(".csv")
}

/// The files that lines of GAIA name, as far as they are there. A name leads to a file beside the
/// metadata and nowhere else: whoever wrote it does not choose what a model reads of this machine.
fn files_of(metadata: &str, folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut n_bytes = 0;
    for (number, line) in (1..).zip(metadata.trim_start_matches('\u{feff}').lines()) {
        // What is wrong with a line is told when its task is read.
        let task: Value = serde_json::from_str(line).unwrap_or_default();
        let name = task["file_name"].as_str().unwrap_or_default().trim();
        if name.is_empty() || files.contains_key(name) {
            continue;
        }
        let is_plain = Path::new(name).file_name().is_some_and(|plain| plain == name);
        if !is_plain || name.contains(['/', '\\', ':']) {
            bail!(
                "line {number}: the file name {name:?} leads elsewhere; GAIA's files are in the folder \
                 of {METADATA}"
            );
        }
        let path = folder.join(name);
        if !path.exists() {
            continue;
        }
        let bytes = input::bytes(&path, limits::ATTACHED)?;
        n_bytes += bytes.len();
        if n_bytes > limits::ATTACHED_ALL {
            bail!(
                "line {number}: the files of these tasks have more than {} bytes in all; give part of \
                 the lines",
                limits::ATTACHED_ALL
            );
        }
        files.insert(name.to_owned(), bytes);
    }
    Ok(files.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use test_support::Folder;

    use super::*;

    fn line(id: &str, file: &str) -> String {
        format!(
            "{{\"task_id\":{id:?},\"Question\":\"How many?\",\"Level\":1,\"Final answer\":\"3\",\
             \"file_name\":{file:?}}}\n"
        )
    }

    #[test]
    fn a_folder_is_read_with_the_files_that_its_tasks_name() {
        let metadata = line("a", "a.txt") + &line("b", "") + &line("c", "a.txt");
        let folder = Folder::new().with(METADATA, &metadata);
        folder.write("a.txt", "abc");
        folder.write("other.txt", "nobody asks");
        for path in [folder.to_path_buf(), folder.join(METADATA)] {
            let cases = read(&path).unwrap();
            let names: Vec<&str> = cases.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["a.json", "b.json", "c.json"]);
            assert!(cases[0].1.contains("YWJj") && !cases[1].1.contains("attached"));
            assert!(!cases.iter().any(|(_, text)| text.contains("other")));
        }
    }

    #[test]
    fn what_is_missing_and_what_leads_elsewhere_is_told_with_its_line() {
        let folder = Folder::new().with(METADATA, &(line("a", "") + &line("b", "b.pdf")));
        let error = format!("{:#}", read(&folder).unwrap_err());
        for words in ["metadata.jsonl: line 2: the file \"b.pdf\" is not there", "looked for in /"]
        {
            assert!(error.contains(words), "{error}");
        }
        folder.write("secret.txt", "mine");
        for name in ["../secret.txt", "/etc/passwd", "..", "a/b", "a\\b", "C:x"] {
            folder.write(METADATA, line("a", name));
            let error = format!("{:#}", read(&folder).unwrap_err());
            assert!(
                error.contains("line 1: the file name") && error.contains("elsewhere"),
                "{error}"
            );
        }
        // A folder under the name of a file.
        std::fs::create_dir(folder.join("d")).unwrap();
        folder.write(METADATA, line("a", "d"));
        let error = format!("{:#}", read(&folder).unwrap_err());
        assert!(error.contains("is a folder"), "{error}");
        folder.write(METADATA, line("a/b", ""));
        assert!(format!("{:#}", read(&folder).unwrap_err()).contains("has a slash"));
    }

    #[test]
    fn a_file_that_no_line_of_a_runs_file_could_hold_is_refused() {
        let folder = Folder::new().with(METADATA, line("a", "a.bin"));
        let file = std::fs::File::create(folder.join("a.bin")).unwrap();
        file.set_len(limits::ATTACHED as u64 + 1).unwrap();
        let error = format!("{:#}", read(&folder).unwrap_err());
        assert!(error.contains("a.bin: more than"), "{error}");
        const { assert!(limits::ATTACHED / 3 * 4 + 2_000_000 < eval::MAX_LINE) };
    }
}
