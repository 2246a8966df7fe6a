//! Holds the crates' direct edges against the layers that ARCHITECTURE.md states.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::steps::{output, root, say};

/// Who may use whom. A crate that does not exist yet may stand here.
const ALLOWED: &[(&str, &[&str])] = &[
    ("graph", &[]),
    ("text", &[]),
    ("llm", &[]),
    ("decoding", &[]),
    ("trace", &["graph", "llm"]),
    ("kg", &["graph", "text"]),
    ("ml", &["text"]),
    ("gguf", &["decoding", "llm"]),
    ("modelfiles", &["llm"]),
    ("ownmodel", &["decoding", "llm"]),
    ("tasks", &["graph", "kg", "text"]),
    ("agent", &["llm", "trace", "text"]),
    ("draw", &["graph"]),
    ("cypher", &["kg"]),
    // Two layers down is allowed: arrows only go down.
    ("systems", &["agent", "cypher", "tasks", "kg", "maths", "trace", "graph", "llm", "text"]),
    // What runs can do without, and what takes longest to compile.
    ("backends", &["agent", "documents", "graph", "kg", "llm", "ml", "systems", "text"]),
    ("eval", &["systems", "draw", "tasks", "trace", "graph", "llm", "agent", "text"]),
    ("protocol", &["agent", "draw", "eval", "graph", "kg", "llm", "systems", "tasks", "trace"]),
    ("engine", ALL),
    ("messages", &[]),
    ("memory", &[]),
    ("maths", &[]),
    ("documents", &[]),
    // The page knows messages, and no engine.
    ("graphground-app", PAGE),
    (
        "graphground-worker",
        &["engine", "graph", "llm", "memory", "messages", "protocol", "systems"],
    ),
    ("graphground-whole-worker", &["backends", "engine", "graphground-worker", "protocol"]),
    // A model of a file needs none of an engine.
    ("graphground-model-worker", &["gguf", "llm", "memory", "messages", "modelfiles"]),
    ("graphground", COMPANION),
    ("graphground-lab", LABORATORY),
    ("xtask", &[]),
    ("pack", &[]),
    ("browser-tests", &[]),
    ("test-data", &[]),
    // Ships nothing; it plays models and endpoints to tests.
    ("test-support", &["agent", "llm"]),
    // Ships nothing; it throws mutated inputs at the readers of all of them.
    ("fuzz", FUZZED),
    // Ships nothing; it times these.
    ("bench-page", &["draw", "graph", "kg", "memory", "protocol", "tasks", "trace"]),
];

const ALL: &[&str] = &[
    "graph", "text", "llm", "trace", "kg", "cypher", "tasks", "agent", "draw", "systems", "eval",
    "protocol", "engine", "ownmodel",
];

/// The companion draws nothing and has no workers.
const COMPANION: &[&str] = &[
    "graph", "text", "llm", "trace", "kg", "cypher", "ml", "gguf", "ownmodel", "tasks", "agent",
    "systems", "eval", "backends",
];

/// What researchers need, on top of the companion.
const LABORATORY: &[&str] = &[
    "graph",
    "text",
    "llm",
    "trace",
    "kg",
    "cypher",
    "ml",
    "gguf",
    "decoding",
    "ownmodel",
    "tasks",
    "agent",
    "systems",
    "eval",
    "backends",
    "graphground",
];

const PAGE: &[&str] = &[
    "agent",
    "draw",
    "eval",
    "graph",
    "kg",
    "llm",
    "messages",
    "modelfiles",
    "protocol",
    "systems",
    "tasks",
    "trace",
];

const FUZZED: &[&str] = &[
    "backends",
    "gguf",
    "ownmodel",
    "graph",
    "text",
    "llm",
    "trace",
    "kg",
    "cypher",
    "documents",
    "ml",
    "tasks",
    "systems",
    "eval",
    "engine",
    "graphground-app",
    "protocol",
];

/// The crates of the library, lowest first, as ARCHITECTURE.md shows them.
fn table() -> String {
    let rows: Vec<(&str, &[&str])> =
        ALLOWED.iter().take_while(|(name, _)| *name != "graphground-app").copied().collect();
    let mut levels: Vec<(&str, usize)> = Vec::new();
    for (name, uses) in &rows {
        let of = |used: &&str| levels.iter().find(|(n, _)| n == used).map_or(0, |(_, l)| l + 1);
        let level = uses.iter().filter(|used| *used != name).map(of).max();
        levels.push((*name, level.unwrap_or_default()));
    }
    let top = levels.iter().map(|(_, level)| *level).max().unwrap_or_default();
    let mut text = String::from("| layer | crate | uses |\n|---|---|---|\n");
    text.push_str("| – | the app, the companion | every crate |\n");
    for level in (0..=top).rev() {
        for (name, _) in levels.iter().filter(|(_, l)| *l == level) {
            let uses = rows.iter().find(|(n, _)| n == name).map_or(&[][..], |(_, uses)| uses);
            let list: Vec<String> =
                uses.iter().filter(|u| *u != name).map(|used| format!("`{used}`")).collect();
            let list = if list.is_empty() { "–".to_owned() } else { list.join(", ") };
            text.push_str(&format!("| {level} | `{name}` | {list} |\n"));
        }
    }
    text
}

/// One edge that must not be.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    from: String,
    to: String,
}

/// Finds edges between crates of the workspace that the table does not allow. Edges for tests alone
/// do not count: they never ship.
pub fn faults(metadata: &Value) -> Vec<Fault> {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let ours: Vec<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let mut faults = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let allowed = ALLOWED.iter().find(|(n, _)| *n == name).map(|(_, a)| *a);
        for dependency in package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default()
        {
            let to = dependency["name"].as_str().unwrap_or_default();
            let for_tests = dependency["kind"].as_str() == Some("dev");
            if for_tests || dependency["path"].is_null() || !ours.contains(&to) {
                continue;
            }
            if !allowed.is_some_and(|a| a.contains(&to)) {
                faults.push(Fault { from: name.into(), to: to.into() });
            }
        }
        match allowed {
            None => faults.push(Fault { from: name.into(), to: "(no place in the table)".into() }),
            // Those on top may use everything, and need not.
            Some(allowed) if allowed != ALL => {
                let uses = |to: &str| {
                    let list = package["dependencies"].as_array().map(Vec::as_slice);
                    list.unwrap_or_default().iter().any(|d| {
                        d["name"].as_str() == Some(to) && d["kind"].as_str() != Some("dev")
                    })
                };
                for to in allowed.iter().filter(|to| ours.contains(to) && !uses(to)) {
                    faults
                        .push(Fault { from: name.into(), to: format!("{to} (allowed, not used)") });
                }
            }
            Some(_) => {}
        }
    }
    faults
}

/// Words that may not stand in the sources of a folder, and why.
const ABSENT: &[(&str, &str, &str)] = &[
    ("crates", "std::fs", "the core reads and writes no files; only the companion and xtask do"),
    ("crates", "std::net", "the core opens no socket"),
    ("crates", "web_sys", "the browser is the app's"),
    ("crates", "leptos", "views are the app's"),
    ("companion", "leptos", "views are the app's"),
    ("src/components", "use_context", "a component gets props and gives callbacks"),
    ("src/components", "crate::services", "a component does no IO"),
    ("src/components", "crate::workbench", "a component stands below what pages are built of"),
    ("src/state", "leptos", "state is plain structs"),
    ("crates/tasks/src/verify", "graph::functions", JUDGES),
    ("crates/tasks/src/verify", "crate::nlgraph", JUDGES),
    ("crates/tasks/src/verify", "solve(", JUDGES),
    ("crates/tasks/src/statements", "graph::functions", JUDGES),
    ("crates/tasks/src/statements", "crate::nlgraph", JUDGES),
    ("crates/tasks/src/statements", "solve(", JUDGES),
    ("crates/tasks/src/claims", "graph::functions", JUDGES),
    ("crates/tasks/src/claims", "crate::nlgraph", JUDGES),
    ("crates/tasks/src/claims", "solve(", JUDGES),
    ("src/components", "crate::pages", "pages use components, and not the other way round"),
    ("src/services", "crate::pages", "pages use services, and not the other way round"),
    ("src/workbench", "crate::pages", "pages are built of it, and not the other way round"),
];

const JUDGES: &str = "what judges calls nothing of what solves; the truth is in `tasks::oracle`";

/// Lines of a page that name another page. What pages share is a service or stands in the workbench;
/// what one opens on another goes through `services/open.rs`.
fn neighbours(root: &Path) -> Result<Vec<String>> {
    let pages = root.join("src/pages");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&pages)?.flatten() {
        if entry.path().is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    let mut found = Vec::new();
    for page in &names {
        let mut open = vec![pages.join(page)];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                for entry in std::fs::read_dir(&path)? {
                    open.push(entry?.path());
                }
                continue;
            }
            if path.extension().is_none_or(|e| e != "rs") {
                continue;
            }
            // From a page's own `mod.rs` another page is `super::other`, from the others one step more.
            let is_root = path.file_name().is_some_and(|n| n == "mod.rs");
            let up = if is_root { "super::" } else { "super::super::" };
            let text = std::fs::read_to_string(&path)?;
            for (i, line) in text.lines().enumerate() {
                let names_it = |other: &&String| {
                    let after = |before: &str| {
                        line.match_indices(&format!("{before}{other}")).any(|(at, word)| {
                            !line[at + word.len()..]
                                .starts_with(|c: char| c.is_alphanumeric() || c == '_')
                        })
                    };
                    after("pages::") || after(up)
                };
                let other = names.iter().filter(|n| *n != page).find(names_it);
                if let Some(other) = other.filter(|_| !line.trim_start().starts_with("//")) {
                    found.push(format!(
                        "{}:{}: the page {page:?} names the page {other:?}; pages know nothing of each \
                         other",
                        path.display(),
                        i + 1
                    ));
                }
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Calls that one module of a folder has and the others do not: the words, who may have them, and
/// why nobody else. Tests may.
const ALONE: &[(&str, &[&str], &[&str], &str)] = &[
    (
        "companion",
        &["fs::write(", "File::create(", "fs::rename(", "File::create_new("],
        // Who creates a lease has it: it is one write, under its own name from the start.
        &["output.rs", "leases.rs"],
        "`output::NewFile` writes files, so that what is cut off never passes for whole",
    ),
    (
        "companion",
        &["fs::read(", "fs::read_to_string(", "File::open("],
        // Packages are checked by their hashes; the others look at processes, or read a pipe.
        &["input.rs", "keys.rs", "packages.rs", "progress.rs", "watch.rs"],
        "`input` reads files, so that none is larger than memory and no device is taken for one",
    ),
    (
        "companion",
        &["io::stdout(", "io::stderr(", "println!(", "print!(", "eprintln!(", "eprint!("],
        // What the others say is read by programs: JSON, which escapes such characters.
        &["output.rs", "bounded.rs", "lines.rs"],
        "`output` writes to the terminal, so that no text of others moves its cursor",
    ),
];

/// Whether a line has a word that is not the end of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(char::is_alphanumeric))
}

/// Lines of a folder's sources, without those of tests, that have a word of [`ALONE`].
fn alone(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (folder, words, who, why) in ALONE {
        let mut open = vec![root.join(folder)];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                // Tests may fail as they may, whatever file they are in.
                if path.file_name().is_none_or(|n| n != "tests") {
                    for entry in std::fs::read_dir(&path)? {
                        open.push(entry?.path());
                    }
                }
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !name.ends_with(".rs") || name == "tests.rs" || who.contains(&name.as_str()) {
                continue;
            }
            let text = std::fs::read_to_string(&path)?;
            let lines = text.lines().take_while(|line| !line.starts_with("mod tests {"));
            for (i, line) in lines.enumerate() {
                let has = words.iter().any(|word| has_word(line, word));
                if has && !line.trim_start().starts_with("//") {
                    found.push(format!("{}:{}: {why}", path.display(), i + 1));
                }
            }
        }
    }
    Ok(found)
}

/// Lines of sources that say what they may not, as `file:line: why`.
fn strays(root: &Path) -> Result<Vec<String>> {
    let mut found = alone(root)?;
    found.extend(neighbours(root)?);
    for (folder, word, why) in ABSENT {
        let mut open = vec![root.join(folder)];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                // Tests may read the data that they test with.
                let is_tests = path.file_name().is_some_and(|n| n == "tests" || n == "examples");
                if !is_tests {
                    for entry in std::fs::read_dir(&path)? {
                        open.push(entry?.path());
                    }
                }
                continue;
            }
            if path.extension().is_none_or(|e| e != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path)?;
            // Tests of a judge hold it against what solves.
            let is_test = |line: &&str| *why == JUDGES && line.starts_with("mod tests {");
            for (i, line) in text.lines().take_while(|line| !is_test(line)).enumerate() {
                if line.contains(word) && !line.trim_start().starts_with("//") {
                    found.push(format!("{}:{}: {why}", path.display(), i + 1));
                }
            }
        }
    }
    Ok(found)
}

/// Checks this workspace.
pub fn run() -> Result<()> {
    let strays = strays(&root())?;
    if !strays.is_empty() {
        bail!("these lines are where they may not be:\n  {}", strays.join("\n  "));
    }
    let text = output(
        Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
            .args(["metadata", "--format-version", "1", "--no-deps"])
            .current_dir(root()),
    )
    .context("`cargo metadata` failed")?;
    let faults = faults(&serde_json::from_str(&text)?);
    if faults.is_empty() {
        let document = std::fs::read_to_string(root().join("ARCHITECTURE.md"))?;
        if !document.contains(&table()) {
            bail!("ARCHITECTURE.md has another table of layers; it should be:\n\n{}", table());
        }
        say("layers: every edge between crates goes down");
        return Ok(());
    }
    let list: Vec<String> = faults.iter().map(|f| format!("  {} -> {}", f.from, f.to)).collect();
    bail!(
        "these edges are not allowed:\n{}\nARCHITECTURE.md has the layers; a new edge is a change \
         of its own, made in ALLOWED in xtask/src/layers.rs",
        list.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn workspace(edges: &[(&str, &str, Option<&str>)]) -> Value {
        let names = ["graph", "llm", "agent", "trace"];
        let packages: Vec<Value> = names
            .iter()
            .map(|name| {
                let dependencies: Vec<Value> = edges
                    .iter()
                    .filter(|(from, ..)| from == name)
                    .map(|(_, to, kind)| json!({ "name": to, "path": "/x", "kind": kind }))
                    .collect();
                json!({ "name": name, "dependencies": dependencies })
            })
            .collect();
        json!({ "packages": packages })
    }

    /// Every edge that the table has between these crates.
    const WHOLE: [(&str, &str, Option<&str>); 4] = [
        ("agent", "llm", None),
        ("agent", "trace", None),
        ("trace", "graph", None),
        ("trace", "llm", None),
    ];

    #[test]
    fn an_edge_that_goes_down_passes() {
        assert_eq!(faults(&workspace(&WHOLE)), []);
    }

    #[test]
    fn an_edge_that_nobody_uses_is_taken_off_the_table() {
        let found = faults(&workspace(&WHOLE[1..]));
        assert_eq!(found, [Fault { from: "agent".into(), to: "llm (allowed, not used)".into() }]);
    }

    /// That the document has it, `this_workspace_keeps_the_layers` holds.
    #[test]
    fn the_table_has_a_row_for_every_crate_and_uses_go_down() {
        let table = table();
        let level = |name: &str| {
            let of = |line: &&str| {
                line.split('|').nth(2).is_some_and(|c| c.trim() == format!("`{name}`"))
            };
            let row = table.lines().find(of).unwrap();
            row.split('|').nth(1).unwrap().trim().parse::<usize>().unwrap()
        };
        for (name, uses) in ALLOWED.iter().take_while(|(name, _)| *name != "graphground-app") {
            for used in uses.iter().filter(|used| *used != name) {
                assert!(level(name) > level(used), "{name} -> {used}");
            }
        }
    }

    #[test]
    fn a_forbidden_edge_fails() {
        let with = |edge| faults(&workspace(&[&WHOLE[..], &[edge]].concat()));
        let found = with(("agent", "graph", None));
        assert_eq!(found, [Fault { from: "agent".into(), to: "graph".into() }]);
        assert_eq!(with(("graph", "trace", Some("build"))).len(), 1, "build scripts count");
    }

    #[test]
    fn an_edge_for_tests_does_not_ship() {
        assert_eq!(
            faults(&workspace(&[&WHOLE[..], &[("agent", "graph", Some("dev"))]].concat())),
            []
        );
    }

    #[test]
    fn a_crate_without_a_place_fails() {
        let metadata = json!({ "packages": [{ "name": "helpers", "dependencies": [] }] });
        assert_eq!(faults(&metadata).len(), 1);
    }

    #[test]
    fn a_forbidden_word_is_found_where_it_stands() {
        let folder =
            std::env::temp_dir().join(format!("graphground-layers-{}", std::process::id()));
        for (path, text) in [
            ("crates/x/src/lib.rs", "// std::fs in a comment\nuse std::fs;\n"),
            ("crates/x/tests/t.rs", "use std::fs;\n"),
            ("companion/src/main.rs", "use std::fs;\n"),
            ("companion/src/output.rs", "std::fs::write(path, text);\n"),
            (
                "companion/src/a.rs",
                "File::create(path);\nNewFile::create(b);\n#[cfg(test)]\nmod tests {\n  std::fs::write(a, b);\n}\n",
            ),
            ("src/components/a.rs", ""),
            ("src/services/engine_client.rs", ""),
            ("src/workbench/a.rs", ""),
            ("src/state/a.rs", ""),
            ("src/pages/kg/mod.rs", "use super::PageSpec;\nuse super::kgs::X;\n"),
            ("src/pages/solve/mod.rs", "use super::kg::Graph;\nmod kg;\n"),
            (
                "src/pages/solve/left.rs",
                "use super::kg::Own;\n// crate::pages::kg\nuse crate::pages::kg::Graph;\n",
            ),
        ] {
            let file = folder.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        let found = strays(&folder).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[0].contains("a.rs:1: `output::NewFile`"), "{found:?}");
        assert!(found[1].contains("left.rs:3: the page \"solve\" names"), "{found:?}");
        assert!(found[2].contains("mod.rs:1: the page \"solve\" names"), "{found:?}");
        assert!(found[3].contains("lib.rs:2:"), "{found:?}");
    }

    #[test]
    fn this_workspace_keeps_the_layers() {
        run().unwrap();
    }
}
