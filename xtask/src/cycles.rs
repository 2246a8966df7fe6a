//! Files of one package that use each other in a circle: `cargo xtask cycles`.
//!
//! It reads lines and not syntax: a path after `crate::` or `super::` names a file where one of that
//! name is there. What a macro writes, and what comes through a name that was imported before, is
//! not seen. Tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::steps::root;

/// A module: its names below the crate's root.
type Module = Vec<String>;

/// The modules of a source folder, each with its file.
fn modules(source: &Path) -> Result<BTreeMap<Module, PathBuf>> {
    let mut found = BTreeMap::new();
    let mut open = vec![source.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            if path.file_name().is_none_or(|n| n != "bin" && n != "tests") {
                for entry in std::fs::read_dir(&path)? {
                    open.push(entry?.path());
                }
            }
            continue;
        }
        let inside = path.strip_prefix(source)?.with_extension("");
        let mut module: Module =
            inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if path.extension().is_none_or(|e| e != "rs") || module.last().is_some_and(|m| m == "main")
        {
            continue;
        }
        if module.last().is_some_and(|m| m == "mod" || m == "lib") {
            module.pop();
        }
        found.insert(module, path);
    }
    Ok(found)
}

/// The names of a path as far as they are letters: `a::b::{C, d}` gives `a`, `b`.
fn names(path: &str) -> Module {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let parts = path.split("::");
    let mut names = Vec::new();
    for part in parts {
        let name: String = part.chars().take_while(|c| is_name(*c)).collect();
        let is_whole = name.len() == part.len();
        if name.is_empty() {
            break;
        }
        names.push(name);
        if !is_whole {
            break;
        }
    }
    names
}

/// Whole `use` lines with their lists opened, and other paths of a source, as written.
fn paths(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let code: String = text
        .lines()
        .take_while(|line| !line.starts_with("mod tests {"))
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            if code[..at].ends_with("::") || code[..at].ends_with(char::is_alphanumeric) {
                continue;
            }
            let rest = &code[at..];
            let list = rest.find('{').filter(|open| {
                rest[..*open].chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':')
            });
            let Some(open) = list else {
                found.push(rest.chars().take(200).collect());
                continue;
            };
            let close = rest.find(';').unwrap_or(rest.len());
            let before = &rest[..open];
            for item in rest[open + 1..close.max(open + 1)].split([',', '{', '}', '\n']) {
                found.push(format!("{before}{}", item.trim()));
            }
        }
    }
    found
}

/// Which modules each uses.
fn edges(files: &BTreeMap<Module, PathBuf>) -> Result<BTreeMap<&Module, BTreeSet<&Module>>> {
    let mut edges = BTreeMap::new();
    for (module, path) in files {
        let text = std::fs::read_to_string(path)?;
        let mut uses = BTreeSet::new();
        for path in paths(&text) {
            let mut at = module.clone();
            let mut rest = names(&path);
            if rest.first().is_some_and(|n| n == "crate") {
                at.clear();
                rest.remove(0);
            }
            while rest.first().is_some_and(|n| n == "super") {
                at.pop();
                rest.remove(0);
            }
            at.extend(rest);
            // The longest beginning that is a module.
            while !at.is_empty() && !files.contains_key(&at) {
                at.pop();
            }
            if let Some((used, _)) = files.get_key_value(&at)
                && used != module
                && !used.is_empty()
            {
                uses.insert(used);
            }
        }
        edges.insert(module, uses);
    }
    Ok(edges)
}

/// Everything that can be reached.
fn reached<'a>(
    from: &'a Module,
    edges: &BTreeMap<&'a Module, BTreeSet<&'a Module>>,
) -> BTreeSet<&'a Module> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&Module> = edges.get(from).into_iter().flatten().copied().collect();
    while let Some(next) = open.pop() {
        if seen.insert(next) {
            open.extend(edges.get(next).into_iter().flatten());
        }
    }
    seen
}

/// The circles of a source folder: the files that reach each other. A folder's own file and the
/// files in the folder count as one another's parts where the circle has nothing else: a list and
/// its entries.
fn circles(source: &Path) -> Result<Vec<Vec<String>>> {
    let files = modules(source)?;
    let edges = edges(&files)?;
    let reach: BTreeMap<&Module, BTreeSet<&Module>> =
        edges.keys().map(|m| (*m, reached(m, &edges))).collect();
    let mut done = BTreeSet::new();
    let mut found = Vec::new();
    for (module, all) in &reach {
        if !all.contains(module) || done.contains(module) {
            continue;
        }
        let circle: Vec<&Module> =
            all.iter().filter(|m| reach[**m].contains(*module)).copied().collect();
        done.extend(circle.iter().copied());
        let is_list = circle.iter().any(|top| circle.iter().all(|m| m.starts_with(top)));
        if !is_list {
            found.push(circle.iter().map(|m| m.join("::")).collect());
        }
    }
    Ok(found)
}

/// The circles of every package, each with its package's folder of sources.
pub fn all(root: &Path) -> Result<Vec<(String, Vec<String>)>> {
    let mut sources =
        vec![root.join("src"), root.join("companion/src"), root.join("companion/lab/src")];
    for entry in std::fs::read_dir(root.join("crates"))? {
        sources.push(entry?.path().join("src"));
    }
    sources.sort();
    let mut found = Vec::new();
    for source in sources.into_iter().filter(|source| source.is_dir()) {
        let place = source.strip_prefix(root)?.display().to_string();
        found.extend(circles(&source)?.into_iter().map(|circle| (place.clone(), circle)));
    }
    Ok(found)
}

/// Prints the circles and how many there are; of another checkout where one is named.
pub fn run(at: Option<&Path>) -> Result<()> {
    let all = all(&at.map_or_else(root, Path::to_path_buf))?;
    for (place, circle) in &all {
        println!("{place}: {} files: {}", circle.len(), circle.join(", "));
    }
    println!("{} circles of files", all.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_found_and_a_list_with_its_entries_is_none() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("circles-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("d"))?;
        for (name, text) in [
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "use crate::{\n    b::B,\n    c::C,\n};"),
            ("b.rs", "fn f() { super::c::g() }"),
            ("c.rs", "use super::a::A;\nmod tests {\nuse crate::d;"),
            ("d/mod.rs", "mod e; use self::e::E; const LIST: E = crate::d::e::E;"),
            ("d/e.rs", "use super::Entry;"),
        ] {
            std::fs::write(folder.join(name), text)?;
        }
        let found = circles(&folder)?;
        std::fs::remove_dir_all(&folder)?;
        assert_eq!(found, [["a", "b", "c"].map(str::to_owned)]);
        Ok(())
    }
}
