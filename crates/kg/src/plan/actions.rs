//! What a step can do.

/// Which action it is; the verifier matches on this, so that no action can be forgotten there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Paper: §3.1.1.
    FindNode,
    /// Paper: §3.1.2.
    FetchNeighbors,
    /// Paper: §3.1.3.
    FindCommonNodes,
    /// One that goes beyond the paper's three.
    Extension(Extension),
}

/// An action beyond the paper's three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is described in `ACTIONS`")]
pub enum Extension {
    Count,
    Attribute,
    Filter,
    MostCommon,
    Argmax,
    ShortestPath,
}

/// An action, for people and for models.
#[derive(Clone, Copy, Debug)]
pub struct ActionSpec {
    /// Which it is.
    pub kind: ActionKind,
    /// Its name in a plan.
    pub name: &'static str,
    /// The paper's name of it, for the textual form.
    pub title: &'static str,
    /// What the action does, as the planner reads it.
    pub description: &'static str,
    /// A step that does it.
    pub example: &'static str,
    /// Where in the paper it is; empty for those that go beyond it.
    pub paper: &'static str,
}

impl ActionSpec {
    /// Whether a step of it follows edges of a type that it names.
    pub(crate) fn follows_edges(&self) -> bool {
        use Extension::{Argmax, MostCommon};
        matches!(self.kind, ActionKind::FetchNeighbors | ActionKind::Extension(MostCommon | Argmax))
    }

    /// Whether it finds nodes by a hint.
    pub(crate) fn finds_nodes(&self) -> bool {
        self.kind == ActionKind::FindNode
    }
}

/// Every action, the paper's first.
pub static ACTIONS: &[ActionSpec] = &[
    ActionSpec {
        kind: ActionKind::FindNode,
        name: "find_node",
        title: "Find_Node",
        description: "Finds the nodes of a type that a name or description from the question \
                      means. Every plan starts with it.",
        example: r#"{"id": "s1", "action": "find_node", "hint": "Blue Lantern", "node_type": "Station"}"#,
        paper: "§3.1.1",
    },
    ActionSpec {
        kind: ActionKind::FetchNeighbors,
        name: "fetch_neighbors",
        title: "Fetch_Neighbors",
        description: "From every node of an earlier step, follows edges of one type one hop \
                      (edge_type), or any edges over several hops to the nearest nodes of a type \
                      (node_type). Give one of the two.",
        example: r#"{"id": "s2", "action": "fetch_neighbors", "from": "s1", "edge_type": "served_by"}"#,
        paper: "§3.1.2",
    },
    ActionSpec {
        kind: ActionKind::FindCommonNodes,
        name: "find_common_nodes",
        title: "Find_Common_Nodes",
        description: "The neighbours that two or more earlier steps share, each over edges of its \
                      own type.",
        example: r#"{"id": "s3", "action": "find_common_nodes", "of": [{"from": "s1", "edge_type": "served_by"}, {"from": "s2", "edge_type": "served_by"}]}"#,
        paper: "§3.1.3",
    },
    ActionSpec {
        kind: ActionKind::Extension(Extension::Count),
        name: "count",
        title: "Count",
        description: "How many nodes an earlier step has.",
        example: r#"{"id": "s3", "action": "count", "from": "s2"}"#,
        paper: "",
    },
    ActionSpec {
        kind: ActionKind::Extension(Extension::Attribute),
        name: "attribute",
        title: "Attribute",
        description: "The values of an attribute of an earlier step's nodes.",
        example: r#"{"id": "s3", "action": "attribute", "from": "s2", "attribute": "opened"}"#,
        paper: "",
    },
    ActionSpec {
        kind: ActionKind::Extension(Extension::Filter),
        name: "filter",
        title: "Filter",
        description: "Keeps the nodes of an earlier step whose attribute compares so with a \
                      value; op is =, !=, <, > or contains.",
        example: r#"{"id": "s3", "action": "filter", "from": "s2", "attribute": "opened", "op": "<", "value": "1950"}"#,
        paper: "",
    },
    ActionSpec {
        kind: ActionKind::Extension(Extension::MostCommon),
        name: "most_common",
        title: "Most_Common",
        description: "Of the nodes that edges of a type lead to from an earlier step's nodes, \
                      those that most of them lead to.",
        example: r#"{"id": "s3", "action": "most_common", "from": "s2", "edge_type": "in_zone"}"#,
        paper: "",
    },
    ActionSpec {
        kind: ActionKind::Extension(Extension::Argmax),
        name: "argmax",
        title: "Argmax",
        description: "Those of an earlier step's nodes with the largest value of an attribute, or \
                      with the most edges of a type.",
        example: r#"{"id": "s3", "action": "argmax", "from": "s2", "edge_type": "served_by"}"#,
        paper: "",
    },
    ActionSpec {
        kind: ActionKind::Extension(Extension::ShortestPath),
        name: "shortest_path",
        title: "Shortest_Path",
        description: "The nodes on a path with fewest edges between two earlier steps.",
        example: r#"{"id": "s3", "action": "shortest_path", "from": "s1", "to": "s2"}"#,
        paper: "",
    },
];

/// The action that a word means, however it is spelt: `Find_Node`, `findNode`, `find node`.
pub(crate) fn of_name(name: &str) -> Option<&'static ActionSpec> {
    let plain: String =
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let plain = match plain.as_str() {
        "findnodes" | "retrievenode" => "findnode",
        "fetchneighbor" | "fetchneighbours" | "fetchneighbour" | "getneighbors" => "fetchneighbors",
        "findcommon" | "findcommonnode" | "findcommonneighbors" | "commonnodes" => {
            "findcommonnodes"
        }
        other => other,
    };
    ACTIONS.iter().find(|a| a.name.replace('_', "") == plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_an_example_that_is_it() {
        for action in ACTIONS {
            let step: crate::plan::PlanStep =
                serde_json::from_str(action.example).unwrap_or_default();
            assert_eq!(step.action, action.name);
            let is_extension = matches!(action.kind, ActionKind::Extension(_));
            assert_eq!(action.paper.is_empty(), is_extension, "{}", action.name);
            assert_eq!(of_name(action.title).map(|a| a.name), Some(action.name));
        }
        assert_eq!(of_name("FetchNeighbours").map(|a| a.name), Some("fetch_neighbors"));
        assert!(of_name("teleport").is_none());
    }
}
