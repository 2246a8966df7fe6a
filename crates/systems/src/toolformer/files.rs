//! Files in the place of a dataset: `GL("graphs/roads.csv")`.
//!
//! A call is written by a model, so a path is taken for hostile: [`steps`] lets none out of the
//! folder that a person opened, whoever reads the folder holds links against it, and an address is
//! never followed. Paper: Graph-ToolFormer §4.3.1 loads local files and online repositories.

use std::rc::Rc;

use kg::{Kg, KgBuilder, formats as facts};

use super::data::Data;
use super::hubs::{DatasetKind, datasets};
use super::pack;

/// The most bytes of a path, and the most folders in it.
const MAX_PATH: usize = 300;
const MAX_STEPS: usize = 16;
/// The type that a format of facts gives to edges that have none.
const UNTYPED: &str = "related_to";

/// The files that calls may load. Whoever has files implements it; the core reads none.
pub trait CallFiles {
    /// The data of a file. Its path comes in steps from the folder on, none of them `..` or empty.
    /// What was read is kept for the next call: a file is asked for while its statement still
    /// streams, and again when the call runs.
    ///
    /// # Errors
    /// There is no such file in the folder, or it cannot be read: what is wrong and what would be
    /// right.
    fn load(&self, steps: &[&str]) -> Result<FileData, String>;

    /// Paths of files, at most so many, in a fixed order.
    fn paths(&self, most: usize) -> Vec<String>;
}

/// What a file has.
#[derive(Clone, Debug)]
pub struct FileData {
    /// The name of the data: that of a pack, else that of the file without its endings.
    pub name: String,
    /// What they are about.
    pub kind: DatasetKind,
    /// The data.
    pub data: Data,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

/// Whether a name is an address of the web.
pub fn is_address(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    name.contains("://")
        || ["www.", "//", "file:", "data:"].iter().any(|start| name.starts_with(start))
}

/// Whether a name that no dataset has means a file: it has folders, or the ending of a format.
pub fn is_path(name: &str) -> bool {
    let name = name.trim();
    !is_address(name) && (name.contains(['/', '\\']) || has_ending(name))
}

/// Whether a format has the ending of a name.
fn has_ending(name: &str) -> bool {
    let Some(ending) = ending(name) else { return false };
    endings().any(|known| known == ending)
}

fn endings() -> impl Iterator<Item = &'static str> {
    let networks = graph::formats::FORMATS.iter().flat_map(|f| f.extensions.iter().copied());
    networks.chain(facts::FORMATS.iter().flat_map(|f| f.endings.iter().copied()))
}

/// The ending of a name in small letters, without that of gzip.
fn ending(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let last = name.rsplit('/').next().unwrap_or(name);
    last.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, e)| e.to_owned())
}

/// The steps of a path from a folder on. A leading `./` is passed over.
///
/// # Errors
/// It begins at the root, at a drive or at a home; a step leads up or is hidden; a sign that some
/// systems read as the end of a step; it is too long.
pub fn steps(path: &str) -> Result<Vec<&str>, String> {
    let path = path.trim();
    let wrong = |why: &str| {
        Err(format!(
            "{why}; expected a path from the folder of --files on, such as graphs/roads.csv"
        ))
    };
    if path.len() > MAX_PATH {
        return wrong(&format!("the path has {} bytes, and at most {MAX_PATH} may be", path.len()));
    }
    if path.starts_with(['/', '\\', '~']) {
        return wrong("the path does not begin in the folder");
    }
    if let Some(c) = path.chars().find(|c| c.is_control() || matches!(c, '\\' | ':')) {
        return wrong(&format!("the path has the sign {c:?}"));
    }
    let path = path.strip_prefix("./").unwrap_or(path);
    let steps: Vec<&str> = path.split('/').collect();
    if steps.len() > MAX_STEPS {
        return wrong(&format!("the path has more than {MAX_STEPS} folders"));
    }
    if steps.iter().any(|step| step.trim() != *step || step.is_empty()) {
        return wrong("a step of the path is empty or has spaces at its ends");
    }
    // ".." leads out of the folder, and a hidden file was hardly put there to be loaded.
    if steps.iter().any(|step| step.starts_with('.')) {
        return wrong("a step of the path begins with a dot");
    }
    Ok(steps)
}

/// Reads the text of a file: a pack of `graphground data pack`, facts, or a network, by its first
/// line and its ending. What could be both is facts where it has relations.
///
/// # Errors
/// It is in no format that is read, or has mistakes: where, and what would be right.
///
/// # Complexity
/// O(size).
pub fn read(file_name: &str, text: &str) -> Result<FileData, String> {
    let head = text.lines().next().unwrap_or_default();
    if head.starts_with('{') && head.contains(pack::FORMAT) {
        let (head, data) = pack::read(text).map_err(|e| e.to_string())?;
        return Ok(FileData { name: head.name, kind: head.kind, data, notes: Vec::new() });
    }
    let mut notes = Vec::new();
    let data = match ending(file_name).as_deref() {
        Some("jsonl" | "ndjson" | "ttl" | "nt") => knowledge(file_name, text, &mut notes)?,
        Some("tsv" | "tab" | "sif" | "csv") if !has_relations(text) => network(text, &mut notes)?,
        Some("tsv" | "tab" | "sif" | "csv") => knowledge(file_name, text, &mut notes)?,
        Some("txt")
            if text.trim_start().starts_with("['") || text.trim_start().starts_with("[\"") =>
        {
            knowledge(file_name, text, &mut notes)?
        }
        Some("graphml" | "xml") => match knowledge(file_name, text, &mut notes) {
            Ok(Data::Knowledge(kg)) if !is_untyped(&kg) => Data::Knowledge(kg),
            _ => network(text, &mut notes)?,
        },
        // GRBench's files of facts have objects of nodes by their types.
        Some("json") => match network(text, &mut notes) {
            Ok(network) if network.profile().n_nodes > 0 => network,
            first => match knowledge(file_name, text, &mut notes) {
                Ok(facts) => facts,
                Err(_) => first?,
            },
        },
        None => network(text, &mut notes)?,
        Some(ending) if endings().any(|known| known == ending) => network(text, &mut notes)?,
        Some(ending) => {
            let mut known: Vec<&str> = endings().collect();
            known.sort_unstable();
            known.dedup();
            return Err(format!(
                "no format has the ending {ending:?}; expected one of {}",
                known.join(", ")
            ));
        }
    };
    if data.profile().n_nodes == 0 {
        return Err("there is no node in it; a graph has at least one".to_owned());
    }
    let name = stem(file_name);
    let kind = match &data {
        Data::Knowledge(_) => DatasetKind::Knowledge,
        _ => datasets::find(&name)
            .map(|d| d.kind)
            .filter(|kind| *kind != DatasetKind::Knowledge)
            .unwrap_or(DatasetKind::Properties),
    };
    Ok(FileData { name, kind, data, notes })
}

/// A file's name without its folders and endings, in small letters.
fn stem(file_name: &str) -> String {
    let last = file_name.rsplit('/').next().unwrap_or(file_name);
    last.split('.').next().unwrap_or(last).to_lowercase()
}

/// Whether rows of cells are facts: three cells or more, of which the second is no number, and the
/// third none either. A matrix begins with the names of its columns, and its corner is no relation.
fn has_relations(text: &str) -> bool {
    let mut rows = text.trim_start_matches('\u{feff}').lines().filter(|l| !l.trim().is_empty());
    let (Some(first), second) = (rows.next(), rows.next()) else { return false };
    let sign = if first.contains('\t') { '\t' } else { ',' };
    let cells = |row: &str| -> Vec<String> {
        row.split(sign).map(|c| c.trim().trim_matches('"').to_owned()).collect()
    };
    let probe = cells(second.unwrap_or(first));
    let is_number = |cell: &String| cell.is_empty() || cell.parse::<f64>().is_ok();
    let is_matrix = second.is_some() && probe[1..].iter().all(is_number);
    probe.len() >= 3 && !is_matrix && !is_number(&probe[2])
}

fn is_untyped(kg: &Kg) -> bool {
    kg.schema().edge_types().iter().all(|t| t.name == UNTYPED)
}

fn network(text: &str, notes: &mut Vec<String>) -> Result<Data, String> {
    let (_, read) = graph::formats::open(text).map_err(|e| e.to_string())?;
    notes.extend(read.notes.lines());
    Ok(Data::network(read.graph))
}

fn knowledge(file_name: &str, text: &str, notes: &mut Vec<String>) -> Result<Data, String> {
    let format = facts::sniff(file_name, text).ok_or("no format of facts has its ending")?;
    let mut builder = KgBuilder::new(stem(file_name));
    let faults = (format.read)(text, &mut builder);
    if let Some(why) = faults.refusal(format) {
        return Err(why);
    }
    if let Some(first) = faults.first.first() {
        let n = faults.n;
        notes.push(format!(
            "{n} line{} of the file could not be read, the first: {first}",
            if n == 1 { "" } else { "s" }
        ));
    }
    builder.build().map(|kg| Data::Knowledge(Rc::new(kg))).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_path_stays_in_its_folder() {
        assert_eq!(steps("./graphs/roads.csv").unwrap(), ["graphs", "roads.csv"]);
        for (path, why) in [
            ("/etc/passwd", "does not begin in the folder"),
            ("\\\\host\\share", "does not begin in the folder"),
            ("~/roads.csv", "does not begin in the folder"),
            ("C:/roads.csv", "has the sign ':'"),
            ("a\\..\\b.csv", "has the sign '\\\\'"),
            ("a/../../b.csv", "begins with a dot"),
            ("./../b.csv", "begins with a dot"),
            ("a/./b.csv", "begins with a dot"),
            (".ssh/config.txt", "begins with a dot"),
            ("a//b.csv", "is empty"),
            ("a/ ../b.csv", "spaces at its ends"),
            ("a\0.csv", "has the sign"),
            ("", "is empty"),
        ] {
            let told = steps(path).unwrap_err();
            assert!(told.contains(why), "{path:?}: {told}");
            assert!(told.contains("such as graphs/roads.csv"), "{told}");
        }
        assert!(steps(&"a/".repeat(40)).unwrap_err().contains("16 folders"));
        assert!(steps(&"a".repeat(400)).unwrap_err().contains("400 bytes"));
    }

    #[test]
    fn names_paths_and_addresses_are_told_apart() {
        for name in ["graphs/a", "a.csv", "a.TSV.gz", "./graphs/lollipop", "..\\a"] {
            assert!(is_path(name) && !is_address(name), "{name}");
        }
        for name in ["http://a.example/b.csv", "HTTPS://a", "file:///etc", "www.a.example/b.tsv"] {
            assert!(is_address(name) && !is_path(name), "{name}");
        }
        for name in ["cora", "Last.fm", "benzene-ring", "graph process", ".csv", "a.exe"] {
            assert!(!is_path(name) && !is_address(name), "{name}");
        }
    }

    #[test]
    fn files_are_facts_or_networks_by_what_is_in_them() {
        let shape = |name: &str, text: &str| {
            let file = read(name, text).unwrap_or_else(|e| panic!("{name}: {e}"));
            let profile = file.data.profile();
            let is_facts = matches!(file.data, Data::Knowledge(_));
            (file.name, is_facts, profile.n_nodes, profile.n_links)
        };
        let is = |name: &str, facts, nodes, links| (name.to_owned(), facts, nodes, links);
        let facts = "Ann\tknows\tBob\nBob\tlikes\tCid\n";
        assert_eq!(shape("a/People.tsv", facts), is("people", true, 3, 2));
        assert_eq!(shape("p.csv", "head,relation,tail\nAnn,knows,Bob\n"), is("p", true, 2, 1));
        assert_eq!(shape("roads.txt", "a b 3\nb c 4\n"), is("roads", false, 3, 2));
        assert_eq!(shape("m.csv", ",a,b\na,0,1\nb,1,0\n"), is("m", false, 2, 1));
        assert_eq!(shape("l.txt", "['Ann', 'knows', 'Bob']\n"), is("l", true, 2, 1));
        assert_eq!(shape("roads", "a b\n"), is("roads", false, 2, 1));
        let xml = "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/><edge \
                   source='a' target='b'/></graph></graphml>";
        assert_eq!(shape("g.graphml", xml), is("g", false, 2, 1));
        let json =
            r#"{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b"}]}"#;
        assert_eq!(shape("g.json", json), is("g", false, 2, 1));
        let line = r#"{"source": "Ann", "type": "knows", "target": "Bob"}"#;
        assert_eq!(shape("g.jsonl", line), is("g", true, 2, 1));
        assert_eq!(read("twitter.edges", "a b\n").unwrap().kind, DatasetKind::Social);
        assert_eq!(read("wordnet.edges", "a b\n").unwrap().kind, DatasetKind::Properties);
        let told = read("a.exe", "MZ").unwrap_err();
        assert!(told.contains("the ending \"exe\"") && told.contains("graphml"), "{told}");
        assert!(read("a.txt", "").unwrap_err().contains("no node"));
    }

    #[test]
    fn a_pack_keeps_its_name() {
        let text = pack::write(
            "roads",
            "Roads",
            DatasetKind::Properties,
            &Data::network(graph::generators::cycle(4).unwrap()),
            &pack::Card::default(),
        );
        let file = read("other.jsonl", &text).unwrap();
        assert_eq!((file.name.as_str(), file.data.profile().n_links), ("roads", 4));
    }

    proptest! {
        #[test]
        fn no_path_that_is_taken_leads_up(path in "[a./\\\\~: \u{0}]{0,12}") {
            if let Ok(steps) = steps(&path) {
                // The oracle walks: below the folder after every step.
                let mut depth = 0i32;
                for step in path.trim().split(['/', '\\']) {
                    depth += match step { ".." => -1, "." | "" => 0, _ => 1 };
                    prop_assert!(depth >= 0, "{path:?}");
                }
                prop_assert!(depth as usize == steps.len());
                let joined = std::path::Path::new("folder").join(steps.join("/"));
                prop_assert!(joined.starts_with("folder"), "{path:?}");
            }
        }

        #[test]
        fn no_text_makes_it_panic(
            name in "a\\.(csv|tsv|txt|json|graphml|ttl|g6|dot|jsonl)",
            text in "[a-c,\t\n<>{}\\[\\]\"'0-9:.= ]{0,80}",
        ) {
            let _ = read(&name, &text);
        }
    }
}
