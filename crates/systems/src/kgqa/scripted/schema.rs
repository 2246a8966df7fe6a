//! The schema, read back out of a prompt.

/// Types as a prompt tells them.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) nodes: Vec<String>,
    /// (edge type, from, to), one for each pair.
    pub(super) edges: Vec<(String, String, String)>,
}

impl Told {
    /// Reads the lines that [`crate::kgqa::schema_text`] writes.
    pub(super) fn read(text: &str) -> Self {
        let mut told = Self::default();
        let mut in_edges = false;
        let start = text.rfind("Node types:").unwrap_or(0);
        for line in text[start..].lines().skip(1) {
            if line.starts_with("Edge types:") {
                in_edges = true;
                continue;
            }
            let Some(line) = line.strip_prefix("- ") else { break };
            if !in_edges {
                told.nodes.push(line.split(" (").next().unwrap_or(line).to_owned());
                continue;
            }
            let Some((name, ends)) = line.rsplit_once(": ") else { continue };
            for pair in ends.split(", ") {
                if let Some((from, to)) = pair.split_once(" -> ") {
                    told.edges.push((name.to_owned(), from.to_owned(), to.to_owned()));
                }
            }
        }
        told
    }

    /// Another edge type between the same node types.
    pub(super) fn similar(&self, edge: &str) -> Option<&str> {
        let (_, from, to) = self.edges.iter().find(|(e, _, _)| e == edge)?;
        let other = |(e, f, t): &&(String, String, String)| e != edge && f == from && t == to;
        self.edges.iter().find(other).map(|(e, _, _)| e.as_str())
    }

    /// An edge type that nodes of a type do not have.
    pub(super) fn foreign(&self, node: &str) -> Option<&str> {
        self.edges.iter().find(|(_, f, t)| f != node && t != node).map(|(e, _, _)| e.as_str())
    }

    /// Edge types of a shortest way from a node type to another.
    pub(super) fn way(&self, from: &str, to: &str) -> Vec<String> {
        let mut queue = std::collections::VecDeque::from([(from.to_owned(), Vec::<String>::new())]);
        let mut seen = std::collections::BTreeSet::new();
        while let Some((at, way)) = queue.pop_front() {
            for (edge, f, t) in &self.edges {
                for next in [(f, t), (t, f)].iter().filter(|(a, _)| **a == at).map(|(_, b)| *b) {
                    let mut longer = way.clone();
                    longer.push(edge.clone());
                    if next == to {
                        return longer;
                    }
                    if seen.insert(next.clone()) {
                        queue.push_back((next.clone(), longer));
                    }
                }
            }
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_prompt_tells_is_read_back() {
        let kg = kg::generators::metro(4, 1).unwrap_or_else(|e| panic!("{e}"));
        let text = format!("Rules\n{}\nQuestion: x", crate::kgqa::schema_text(&kg));
        let told = Told::read(&text);
        let names: Vec<&str> = kg.schema().node_types().iter().map(|t| t.name.as_str()).collect();
        assert_eq!(told.nodes, names);
        assert_eq!(told.edges.len(), kg.schema().edge_types().len());
        assert_eq!(told.similar("runs"), Some("maintains"));
        assert_eq!(told.way("Zone", "Sight"), ["in_zone", "near"]);
        assert!(told.foreign("Sight").is_some_and(|e| e != "near"));
    }
}
