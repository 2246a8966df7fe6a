//! The facts of a valley's files, as queries.

use serde_json::Value;

use crate::kgot::KgotLanguage;

/// Somebody or something, with what a file says of it.
struct Fact {
    label: &'static str,
    /// The property by which it is known, and its value as a literal of both languages.
    key: (&'static str, String),
    properties: Vec<(&'static str, String)>,
    /// Type, label and name of what it is joined to.
    edges: Vec<(&'static str, &'static str, String)>,
}

fn text(words: &str) -> String {
    format!("'{words}'")
}

fn local(name: &str) -> String {
    format!(":{}", name.replace(' ', "_"))
}

impl Fact {
    fn name(&self) -> String {
        match self.label {
            "Delivery" => format!(":Delivery_{}", self.key.1),
            _ => local(self.key.1.trim_matches('\'')),
        }
    }

    fn cypher(&self) -> String {
        let (key, value) = &self.key;
        let mut query = format!("MERGE (x:{} {{{key}: {value}}})", self.label);
        for (i, (name, value)) in self.properties.iter().enumerate() {
            query.push_str(if i == 0 { " SET " } else { ", " });
            query.push_str(&format!("x.{name} = {value}"));
        }
        for (i, (edge, label, name)) in self.edges.iter().enumerate() {
            query.push_str(&format!(
                " MERGE (y{i}:{label} {{name: '{name}'}}) MERGE (x)-[:{edge}]->(y{i})"
            ));
        }
        query
    }

    fn sparql(&self) -> String {
        let (key, value) = &self.key;
        let mut query =
            format!("INSERT DATA {{ {} a :{} ; :{key} {value}", self.name(), self.label);
        for (name, value) in &self.properties {
            query.push_str(&format!(" ; :{name} {value}"));
        }
        for (edge, _, name) in &self.edges {
            query.push_str(&format!(" ; :{edge} {}", local(name)));
        }
        for (_, label, name) in &self.edges {
            query.push_str(&format!(" . {} a :{label} ; :name '{name}'", local(name)));
        }
        query.push_str(" }");
        query
    }

    fn python(&self) -> String {
        let (key, value) = &self.key;
        let mut code = format!("G.add_node({value}, labels=['{}'], {key}={value}", self.label);
        for (name, value) in &self.properties {
            code.push_str(&format!(", {name}={value}"));
        }
        code.push(')');
        for (edge, label, name) in &self.edges {
            // What is written down twice is one edge all the same.
            code.push_str(&format!(
                "\nG.add_node('{name}', labels=['{label}'])\nG.add_edge({value}, '{name}', \
                 type='{edge}')"
            ));
        }
        code
    }

    fn written(&self, language: KgotLanguage) -> String {
        match language {
            KgotLanguage::Sparql => self.sparql(),
            KgotLanguage::Networkx => self.python(),
            KgotLanguage::Cypher | KgotLanguage::Direct => self.cypher(),
        }
    }
}

/// What a file of a valley says; nothing where a line is of another form.
fn facts(file: &str, content: &str) -> Vec<Fact> {
    match file {
        "workers.csv" => content.lines().skip(1).filter_map(worker).collect(),
        "workshops.md" => content.lines().filter_map(workshop).collect(),
        "villages.json" => {
            let list: Vec<Value> = serde_json::from_str(content).unwrap_or_default();
            list.iter().filter_map(village).collect()
        }
        "deliveries.txt" => content.lines().filter_map(delivery).collect(),
        _ => Vec::new(),
    }
}

fn worker(line: &str) -> Option<Fact> {
    let cells: Vec<&str> = line.split(',').collect();
    let [name, born, village, workshop] = cells[..] else { return None };
    Some(Fact {
        label: "Person",
        key: ("name", text(name)),
        properties: vec![("born", born.to_owned())],
        edges: vec![
            ("LIVES_IN", "Village", village.to_owned()),
            ("WORKS_AT", "Workshop", workshop.to_owned()),
        ],
    })
}

fn workshop(line: &str) -> Option<Fact> {
    let (name, rest) = line.strip_prefix("The ")?.split_once(" stands in ")?;
    let (village, rest) = rest.split_once(". It was founded in ")?;
    let (founded, product) = rest.trim_end_matches('.').split_once(" and makes ")?;
    Some(Fact {
        label: "Workshop",
        key: ("name", text(name)),
        properties: vec![("founded", founded.to_owned()), ("product", text(product))],
        edges: vec![("STANDS_IN", "Village", village.to_owned())],
    })
}

fn village(value: &Value) -> Option<Fact> {
    Some(Fact {
        label: "Village",
        key: ("name", text(value.get("village")?.as_str()?)),
        properties: vec![
            ("river", text(value.get("river")?.as_str()?)),
            ("inhabitants", value.get("inhabitants")?.to_string()),
        ],
        edges: Vec::new(),
    })
}

fn delivery(line: &str) -> Option<Fact> {
    let (number, rest) = line.strip_prefix("No. ")?.split_once(": on ")?;
    let (date, rest) = rest.split_once(", the ")?;
    let (workshop, rest) = rest.split_once(" delivered ")?;
    let (pieces, village) = rest.trim_end_matches('.').split_once(" pieces to ")?;
    Some(Fact {
        label: "Delivery",
        key: ("number", number.to_owned()),
        properties: vec![("pieces", pieces.to_owned()), ("date", text(date))],
        edges: vec![
            ("FROM", "Workshop", workshop.to_owned()),
            ("TO", "Village", village.to_owned()),
        ],
    })
}

/// The queries that write down what `read_file` gave.
pub(super) fn queries_of(information: &str, language: KgotLanguage) -> Vec<String> {
    let Some((_, told)) = information.split_once(" gave:\n") else { return Vec::new() };
    let told: Value = serde_json::from_str(told).unwrap_or_default();
    let of = |name: &str| told["result"][name].as_str().unwrap_or_default();
    let facts = facts(of("file"), of("text"));
    facts.iter().map(|fact| fact.written(language)).collect()
}

/// Whether the graph has all that a file says. The script does not see the file: it looks for as many
/// things of that kind as a valley has.
pub(super) fn are_there(file: &str, graph: &str, language: KgotLanguage) -> bool {
    let (property, n) = match file {
        "workers.csv" => ("born", 12),
        "workshops.md" => ("founded", 6),
        "villages.json" => ("inhabitants", 5),
        _ => ("pieces", 14),
    };
    let mark = match language {
        KgotLanguage::Sparql => format!("<:{property}>"),
        KgotLanguage::Networkx => format!("\"{property}\": "),
        KgotLanguage::Cypher | KgotLanguage::Direct => format!("{property}: "),
    };
    graph.matches(&mark).count() >= n
}

/// The right form of a query that failed: what faults do to a query can be undone. Any other is one
/// that was to read.
pub(super) fn corrected(failed: &str, read: &str) -> String {
    let fixed = super::faults::repaired(failed);
    if fixed == failed { read.to_owned() } else { fixed }
}
