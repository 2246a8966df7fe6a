//! Holds the texts of the project to the words of its field, and each public type to one meaning.
//!
//! The list is `xtask/words.txt`; its head says what stands in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use regex::{Regex, RegexBuilder};

use crate::steps::{root, say};

/// Where Rust is whose comments are read. Its strings are read only where people meet them.
pub const RUST: [&str; 8] = [
    "crates",
    "companion",
    "src",
    "xtask/src",
    "fuzz/src",
    "benches/src",
    "tests/browser",
    "examples",
];

/// Texts that are read whole.
const TEXTS: [&str; 8] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "docs",
    "assets",
    "www",
];

/// What a word is replaced by.
struct Retired {
    pattern: Regex,
    instead: String,
}

/// A file, or `*` for all of them, where a retired word must stay.
struct Allowed {
    path: String,
    text: String,
}

/// `xtask/words.txt`, read.
struct List {
    retired: Vec<Retired>,
    empty: Vec<String>,
    allowed: Vec<Allowed>,
    shared: Vec<String>,
}

impl List {
    /// # Errors
    ///
    /// The line that is no row of its section.
    fn read(text: &str) -> Result<Self> {
        let mut list = Self {
            retired: Vec::new(),
            empty: Vec::new(),
            allowed: Vec::new(),
            shared: Vec::new(),
        };
        let mut section = "";
        for (i, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if line.starts_with('[') {
                section = line;
                continue;
            }
            let cells: Vec<&str> = line.split('\t').collect();
            match (section, cells.as_slice()) {
                ("[retired]", [pattern, instead]) => list.retired.push(Retired {
                    pattern: whole_words(pattern).with_context(|| format!("line {}", i + 1))?,
                    instead: (*instead).into(),
                }),
                ("[says nothing]", [comment]) => list.empty.push((*comment).into()),
                ("[allowed]", [path, text, _why]) => {
                    list.allowed.push(Allowed { path: (*path).into(), text: (*text).into() });
                }
                ("[shared names]", [name, _why]) => list.shared.push((*name).into()),
                _ => bail!("xtask/words.txt, line {}: this is no row of {section:?}", i + 1),
            }
        }
        ensure!(!list.retired.is_empty(), "xtask/words.txt has no retired words");
        Ok(list)
    }
}

/// A pattern that takes any case, whole words alone, and words on two lines.
fn whole_words(pattern: &str) -> Result<Regex> {
    let spaced = pattern.replace(' ', r"\s+");
    let whole = format!(r"\b{{start-half}}(?:{spaced})\b{{end-half}}");
    Ok(RegexBuilder::new(&whole).case_insensitive(true).build()?)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Comment,
    Doc,
    Text,
}

/// A comment with the lines that belong to it, or a string.
#[derive(PartialEq, Eq, Debug)]
pub struct Piece {
    pub kind: Kind,
    line: usize,
    pub text: String,
}

/// The comments and strings of a Rust file.
pub fn pieces(source: &str) -> Vec<Piece> {
    let bytes = source.as_bytes();
    let (mut at, mut line) = (0, 1);
    let mut found: Vec<Piece> = Vec::new();
    // Where the last line comment ended, so that the next line goes on with it.
    let mut open: Option<(usize, Kind)> = None;
    while at < bytes.len() {
        let rest = &source[at..];
        let first = bytes[at];
        let before = at.checked_sub(1).map_or(b' ', |i| bytes[i]);
        if first == b'\n' {
            line += 1;
            at += 1;
        } else if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            let words = &rest[..end];
            let is_doc = words.starts_with("//!")
                || (words.starts_with("///") && !words.starts_with("////"));
            let kind = if is_doc { Kind::Doc } else { Kind::Comment };
            let text = words.trim_start_matches(['/', '!']);
            match found.last_mut() {
                Some(last) if open == Some((line - 1, kind)) => {
                    last.text.push('\n');
                    last.text.push_str(text);
                }
                _ => found.push(Piece { kind, line, text: text.into() }),
            }
            open = Some((line, kind));
            at += end;
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").map_or(rest.len(), |i| i + 2);
            found.push(Piece { kind: Kind::Comment, line, text: rest[..end].into() });
            line += rest[..end].matches('\n').count();
            at += end;
        } else if let Some((skipped, inner)) = raw_string(rest).filter(|_| !is_name(before)) {
            found.push(Piece { kind: Kind::Text, line, text: inner.into() });
            line += rest[..skipped].matches('\n').count();
            at += skipped;
        } else if first == b'"' {
            let end = string_end(rest);
            // The id of an element is no text.
            if !source[..at].ends_with("testid=") {
                found.push(Piece { kind: Kind::Text, line, text: unescaped(&rest[1..end]) });
            }
            line += rest[..end].matches('\n').count();
            at += end + 1;
        } else if first == b'\'' {
            at += character_end(rest);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Of a raw string at the beginning: how long it is, and what is in it.
fn raw_string(rest: &str) -> Option<(usize, &str)> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let n_marks = after.bytes().take_while(|b| *b == b'#').count();
    let inner = after[n_marks..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(n_marks));
    let end = inner.find(&close)?;
    Some((rest.len() - inner.len() + end + close.len(), &inner[..end]))
}

/// Where the string that begins here has its closing mark.
fn string_end(rest: &str) -> usize {
    let mut is_escaped = false;
    for (i, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return i,
            _ => {}
        }
    }
    rest.len() - 1
}

/// Escapes give way to as many spaces, so that no letter of theirs joins a word.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match letters.next() {
            Some('\n') => out.push('\n'),
            _ => out.push_str("  "),
        }
    }
    out
}

/// How far a character goes, or only its mark, where a lifetime begins.
fn character_end(rest: &str) -> usize {
    let mut letters = rest.char_indices().skip(1);
    match (letters.next(), letters.next()) {
        (Some((_, '\\')), Some((second, _))) => {
            rest[second + 1..].find('\'').map_or(rest.len(), |i| second + 1 + i + 1)
        }
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 1,
    }
}

/// Every file under a folder with one of these endings, or the file itself.
pub fn files(at: &Path, endings: &[&str], found: &mut Vec<PathBuf>) -> Result<()> {
    if at.is_dir() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(at)?
            .map(|entry| entry.map(|e| e.path()))
            .collect::<std::io::Result<_>>()?;
        entries.sort();
        for entry in entries {
            if entry.file_name().is_some_and(|name| name != "target" && name != "cassettes") {
                files(&entry, endings, found)?;
            }
        }
    } else if at.is_file()
        && at.extension().is_some_and(|e| endings.iter().any(|known| e == *known))
    {
        found.push(at.into());
    }
    Ok(())
}

/// The path of a file in the workspace, with strokes as in the list.
pub fn name_of(root: &Path, file: &Path) -> String {
    let parts: Vec<_> =
        file.strip_prefix(root).unwrap_or(file).iter().map(|p| p.to_string_lossy()).collect();
    parts.join("/")
}

/// Whether people meet the strings of this file: a page, a program, or an error of a crate.
fn shows_strings(name: &str) -> bool {
    let of_a_crate = name.split_once("/src/").is_some_and(|(head, _)| {
        head.starts_with("crates/") || head == "companion" || head == "xtask"
    });
    (of_a_crate || name.starts_with("src/")) && !name.ends_with("tests.rs")
}

/// Retired words and comments that say nothing, as `file:line: …`; and exceptions of which there
/// is no use.
fn retired(root: &Path, list: &List) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut used = vec![false; list.allowed.len()];
    let mut hold = |name: &str, first: usize, text: &str, found: &mut Vec<String>| {
        for word in &list.retired {
            for hit in word.pattern.find_iter(text) {
                let mut is_allowed = false;
                for (allowed, used) in list.allowed.iter().zip(&mut used) {
                    let covers =
                        |at: usize| at <= hit.start() && hit.end() <= at + allowed.text.len();
                    if ["*", name].contains(&allowed.path.as_str())
                        && text.match_indices(&allowed.text).any(|(at, _)| covers(at))
                    {
                        *used = true;
                        is_allowed = true;
                    }
                }
                if !is_allowed {
                    let line = first + text[..hit.start()].matches('\n').count();
                    let words: Vec<&str> = hit.as_str().split_whitespace().collect();
                    found.push(format!(
                        "{name}:{line}: {:?} is retired, say: {}",
                        words.join(" "),
                        word.instead
                    ));
                }
            }
        }
    };
    let mut sources = Vec::new();
    for folder in RUST {
        files(&root.join(folder), &["rs"], &mut sources)?;
    }
    for file in sources {
        let name = name_of(root, &file);
        // It has samples of what is refused.
        if name == "xtask/src/words.rs" {
            continue;
        }
        let has_strings = shows_strings(&name);
        for piece in pieces(&std::fs::read_to_string(&file)?) {
            if piece.kind == Kind::Text && !has_strings {
                continue;
            }
            hold(&name, piece.line, &piece.text, &mut found);
            let comment = piece.text.trim();
            if piece.kind == Kind::Doc && list.empty.iter().any(|empty| empty == comment) {
                found.push(format!("{name}:{}: {comment:?} says nothing", piece.line));
            }
        }
    }
    let mut texts = Vec::new();
    for place in TEXTS {
        files(&root.join(place), &["md", "html", "css", "js"], &mut texts)?;
    }
    for place in ["crates", "src"] {
        files(&root.join(place), &["md"], &mut texts)?;
    }
    for file in texts {
        let name = name_of(root, &file);
        // Written by a command, from strings that are held above.
        if name != "docs/example.html" {
            hold(&name, 1, &std::fs::read_to_string(&file)?, &mut found);
        }
    }
    for (allowed, _) in list.allowed.iter().zip(used).filter(|(_, used)| !used) {
        found.push(format!(
            "xtask/words.txt: the exception {:?} in {} is of no use any more",
            allowed.text, allowed.path
        ));
    }
    Ok(found)
}

/// Names of public types that stand for several, with where they are; and names of the list that
/// no longer do.
fn ambiguous(root: &Path, list: &List) -> Result<Vec<String>> {
    let mut sources = Vec::new();
    for folder in ["crates", "companion/src", "companion/lab/src", "src"] {
        files(&root.join(folder), &["rs"], &mut sources)?;
    }
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in sources {
        let name = name_of(root, &file);
        if name.starts_with("crates/") && !name.contains("/src/") {
            continue;
        }
        for line in std::fs::read_to_string(&file)?.lines() {
            let mut words = line.split_whitespace();
            if words.next() != Some("pub") {
                continue;
            }
            if words.next().is_none_or(|w| !["struct", "enum", "trait", "type"].contains(&w)) {
                continue;
            }
            let declared = words.next().unwrap_or_default();
            let end = declared.find(|c: char| !c.is_alphanumeric() && c != '_');
            let declared = &declared[..end.unwrap_or(declared.len())];
            types.entry(declared.into()).or_default().push(name.clone());
        }
    }
    let mut found = Vec::new();
    for (name, places) in &types {
        if places.len() > 1 && !list.shared.contains(name) {
            found.push(format!("{name}: {}", places.join(", ")));
        }
    }
    for name in &list.shared {
        if types.get(name).is_none_or(|places| places.len() < 2) {
            found.push(format!("{name}: xtask/words.txt explains why it is shared, and it is not"));
        }
    }
    Ok(found)
}

/// Checks this workspace.
///
/// # Errors
///
/// Every retired word with its place, and every type name with several meanings.
pub fn run() -> Result<()> {
    let root = root();
    let list = List::read(&std::fs::read_to_string(root.join("xtask/words.txt"))?)?;
    let found = retired(&root, &list)?;
    if !found.is_empty() {
        bail!("xtask/words.txt retires these words:\n  {}", found.join("\n  "));
    }
    let found = ambiguous(&root, &list)?;
    if !found.is_empty() {
        bail!(
            "a public type name has one meaning; rename these, or say in xtask/words.txt why they \
             are one:\n  {}",
            found.join("\n  ")
        );
    }
    say("words: no retired word, and every public type name has one meaning");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "[retired]\nlikeness\tsimilarity\nput aside\tvalidation\n(?-i:ToolFormer)\tGraph-ToolFormer\n\
        [says nothing]\nIts name.\n\
        [allowed]\ncompanion/src/a.rs\t--likeness\tan old option\n*\tGraph-ToolFormer\tthe whole name\n\
        [shared names]\nArgs\tone for each function\n";

    fn workspace(name: &str, contents: &[(&str, &str)]) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("graphground-words-{name}-{}", std::process::id()));
        for (path, text) in contents {
            let file = folder.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        folder
    }

    #[test]
    fn comments_and_strings_are_told_from_code() {
        let source = "//! One\n//! two.\nfn f<'a>(c: char) { // three\n    let x = ('\"', '\\'', \"fo\\\"ur\\n\");\n    r#\"fi\"ve\"#; /* six */ br\"seven\" }\n";
        let kinds: Vec<(Kind, usize, String)> = pieces(source)
            .into_iter()
            .map(|p| (p.kind, p.line, p.text.trim().to_owned()))
            .collect();
        assert_eq!(
            kinds,
            [
                (Kind::Doc, 1, "One\n two.".into()),
                (Kind::Comment, 3, "three".into()),
                (Kind::Text, 4, "fo  ur".into()),
                (Kind::Text, 5, "fi\"ve".into()),
                (Kind::Comment, 5, "/* six */".into()),
                (Kind::Text, 5, "seven".into()),
            ]
        );
    }

    #[test]
    fn a_retired_word_is_found_where_it_stands() {
        let list = List::read(LIST).unwrap();
        let folder = workspace(
            "retired",
            &[
                (
                    "crates/x/src/lib.rs",
                    "/// How Likeness is put\n/// aside: put\n/// aside.\nfn likeness() {}\n",
                ),
                ("companion/src/a.rs", "const OLD: &str = \"--likeness\";\n"),
                (
                    "src/b.rs",
                    "/// Its name.\nfn f() { view(\"A likeness\", testid=\"likeness\") }\n/// likenesses\n",
                ),
                ("docs/c.md", "Graph-ToolFormer, toolformer.\nToolFormer.\n"),
                ("crates/x/tests/t.rs", "f(\"likeness\");\n"),
            ],
        );
        let found = retired(&folder, &list).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let heads: Vec<&str> = found.iter().map(|f| f.split(": ").next().unwrap()).collect();
        assert_eq!(
            heads,
            [
                "crates/x/src/lib.rs:1",
                "crates/x/src/lib.rs:1",
                "crates/x/src/lib.rs:2",
                "src/b.rs:1",
                "src/b.rs:2",
                "docs/c.md:2",
            ],
            "{found:?}"
        );
    }

    #[test]
    fn an_exception_without_use_is_refused() {
        let list = List::read(LIST).unwrap();
        let folder =
            workspace("unused", &[("companion/src/a.rs", "/// Graph-ToolFormer\nfn f() {}\n")]);
        let found = retired(&folder, &list).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("of no use"), "{found:?}");
    }

    #[test]
    fn a_type_name_with_two_meanings_is_refused() {
        let list = List::read(LIST).unwrap();
        let folder = workspace(
            "types",
            &[
                (
                    "crates/x/src/a.rs",
                    "pub struct Plan<'a> {}\npub struct Args;\npub(crate) struct Own;\n",
                ),
                (
                    "crates/y/src/b.rs",
                    "pub enum Plan {\n}\npub struct Args {}\nstruct Own;\npub type Own = u8;\n",
                ),
                ("crates/y/tests/t.rs", "pub struct Own;\n"),
            ],
        );
        let found = ambiguous(&folder, &list).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, ["Plan: crates/x/src/a.rs, crates/y/src/b.rs"]);
    }

    #[test]
    fn a_row_of_no_section_is_refused() {
        assert!(List::read("[retired]\nlikeness\n").is_err());
    }

    #[test]
    fn this_workspace_keeps_to_its_words() {
        run().unwrap();
    }
}
