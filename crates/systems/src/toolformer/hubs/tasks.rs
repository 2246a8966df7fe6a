//! The hub of tasks: the functions that calls can name, and who answers them.

use super::datasets::{Dataset, DatasetKind};

/// A kind of reasoning.
pub struct HubTask {
    /// A stable id. Paper: Graph-ToolFormer §3.3.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
    /// The datasets that it is about.
    pub kinds: &'static [DatasetKind],
    /// Whether it can be done on whatever has nodes and links.
    pub is_for_any_network: bool,
    /// The model that answers where a call names none.
    pub model: &'static str,
    /// What can be asked.
    pub functions: &'static [Function],
}

impl HubTask {
    /// Whether it is about that dataset.
    pub fn is_about(&self, dataset: &Dataset) -> bool {
        self.is_about_kind(dataset.kind)
    }

    /// Whether it is about datasets of that kind.
    pub fn is_about_kind(&self, kind: DatasetKind) -> bool {
        self.kinds.contains(&kind) || (self.is_for_any_network && kind != DatasetKind::Knowledge)
    }
}

/// Something that calls can ask.
pub struct Function {
    /// Its name behind the colon: `topic`.
    pub name: &'static str,
    /// Other names for it, as in the paper.
    pub spellings: &'static [&'static str],
    /// What it takes behind the graph.
    pub takes: &'static [FunctionParameter],
    /// What its result is.
    pub gives: &'static str,
}

impl Function {
    const fn new(
        name: &'static str,
        takes: &'static [FunctionParameter],
        gives: &'static str,
    ) -> Self {
        Self { name, spellings: &[], takes, gives }
    }

    /// The same with other names.
    const fn or(self, spellings: &'static [&'static str]) -> Self {
        Self { spellings, ..self }
    }
}

/// An argument of a function.
pub struct FunctionParameter {
    /// The kinds of reference that it may be; none for a number.
    pub kinds: &'static [&'static str],
    /// The fewest of them.
    pub least: usize,
    /// The most of them.
    pub most: usize,
    /// Whether it is the word itself and no reference.
    pub is_word: bool,
}

impl FunctionParameter {
    const fn times(kinds: &'static [&'static str], least: usize, most: usize) -> Self {
        Self { kinds, least, most, is_word: false }
    }

    const fn one(kinds: &'static [&'static str]) -> Self {
        Self::times(kinds, 1, 1)
    }

    const fn word(kinds: &'static [&'static str]) -> Self {
        Self { kinds, least: 0, most: 1, is_word: true }
    }

    const fn optional(kinds: &'static [&'static str]) -> Self {
        Self::times(kinds, 0, 1)
    }

    const fn some(kinds: &'static [&'static str]) -> Self {
        Self::times(kinds, 1, usize::MAX)
    }

    const fn any(kinds: &'static [&'static str]) -> Self {
        Self::times(kinds, 0, usize::MAX)
    }

    const fn number() -> Self {
        Self::times(&[], 1, 1)
    }

    /// It in words: `a user#…`.
    pub fn words(&self) -> String {
        let what = match self.kinds {
            [] => "a number".to_owned(),
            kinds if self.is_word => kinds.join(" or "),
            kinds => kinds.iter().map(|k| format!("{k}#…")).collect::<Vec<_>>().join(" or "),
        };
        match (self.least, self.most) {
            (0, 1) => format!("{what} or nothing"),
            (0, _) => format!("any number of {what}"),
            (_, usize::MAX) => format!("one {what} or more"),
            _ => what,
        }
    }
}

/// Every kind of reasoning.
pub static TASKS: &[HubTask] = &[
    HubTask {
        id: "attribute_calculation",
        title: "Graph properties",
        lede: "Numbers and nodes that follow from a graph alone.",
        kinds: &[DatasetKind::Properties],
        is_for_any_network: true,
        model: "toolx",
        functions: &[
            Function::new("order", &[], "the number of nodes"),
            Function::new("size", &[], "the number of links"),
            Function::new(
                "density",
                &[FunctionParameter::word(&["is-directed"])],
                "links divided by possible links",
            ),
            Function::new(
                "eccentricity",
                &[FunctionParameter::any(&["node"])],
                "the distance to the node farthest away, of each node or of those named",
            ),
            Function::new("radius", &[], "the smallest eccentricity"),
            Function::new("diameter", &[], "the largest eccentricity"),
            Function::new("center", &[], "the nodes of smallest eccentricity"),
            Function::new("periphery", &[], "the nodes of largest eccentricity"),
            Function::new(
                "shortest_path",
                &[FunctionParameter::one(&["node"]), FunctionParameter::one(&["node"])],
                "the links of a shortest path between two nodes",
            ),
            Function::new("avg_path_length", &[], "the mean distance of two nodes")
                .or(&["avg_shortest_path"]),
            Function::new("max_path_length", &[], "the largest distance of two nodes")
                .or(&["max_shortest_path"]),
            Function::new("min_path_length", &[], "the smallest distance of two nodes")
                .or(&["min_shortest_path"]),
        ],
    },
    HubTask {
        id: "clustering",
        title: "Communities",
        lede: "Groups of people who have friends in common.",
        kinds: &[DatasetKind::Social],
        is_for_any_network: false,
        model: "kmeans",
        functions: &[
            Function::new(
                "community",
                &[FunctionParameter::optional(&["user"])],
                "the community of a user, or of all",
            ),
            Function::new(
                "common_community_check",
                &[FunctionParameter::one(&["user"]), FunctionParameter::one(&["user"])],
                "whether two users are of the same community",
            ),
            Function::new("community_count", &[], "the number of communities"),
            Function::new("community_avg_size", &[], "their mean size").or(&["avg_community_size"]),
            Function::new("community_max_size", &[], "the size of the largest")
                .or(&["max_community_size"]),
            Function::new(
                "community_size",
                &[FunctionParameter::one(&["user"])],
                "the size of a user's community",
            ),
        ],
    },
    HubTask {
        id: "graph_classification",
        title: "Functions of molecules",
        lede: "What a molecule does.",
        kinds: &[DatasetKind::Molecules],
        is_for_any_network: false,
        model: "seg_bert",
        functions: &[Function::new(
            "molecule_function",
            &[FunctionParameter::some(&["instance"])],
            "the class of a molecule",
        )
        .or(&["protein_function"])],
    },
    HubTask {
        id: "node_classification",
        title: "Topics of papers",
        lede: "The field of a paper.",
        kinds: &[DatasetKind::Bibliographic],
        is_for_any_network: false,
        model: "graph_bert",
        functions: &[Function::new(
            "topic",
            &[FunctionParameter::some(&["paper"])],
            "the field of a paper",
        )],
    },
    HubTask {
        id: "ranking",
        title: "Recommendation",
        lede: "What somebody may like next.",
        kinds: &[DatasetKind::Recommender],
        is_for_any_network: false,
        model: "bpr",
        functions: &[
            Function::new(
                "recommendation",
                &[
                    FunctionParameter::one(&["user"]),
                    FunctionParameter::one(&["item", "artist", "movie"]),
                ],
                "how likely a user will like an item",
            ),
            Function::new(
                "topk_recommendation",
                &[FunctionParameter::one(&["user"]), FunctionParameter::number()],
                "the items that a user will like most",
            ),
        ],
    },
    HubTask {
        id: "searching",
        title: "Missing facts",
        lede: "Predicts the missing part of a triple.",
        kinds: &[DatasetKind::Knowledge],
        is_for_any_network: false,
        model: "transe",
        functions: &[
            Function::new(
                "relation",
                &[FunctionParameter::one(&["entity"]), FunctionParameter::one(&["entity"])],
                "the relation between two entities",
            ),
            Function::new(
                "head_entity",
                &[FunctionParameter::one(&["relation"]), FunctionParameter::one(&["entity"])],
                "the entity from which a relation leads to another",
            ),
            Function::new(
                "tail_entity",
                &[FunctionParameter::one(&["entity"]), FunctionParameter::one(&["relation"])],
                "the entity to which a relation leads",
            ),
        ],
    },
];

/// The task of that id.
pub fn find(id: &str) -> Option<&'static HubTask> {
    TASKS.iter().find(|t| t.id == id)
}

/// The function of that name, with its task.
pub fn function(name: &str) -> Option<(&'static HubTask, &'static Function)> {
    let name = name.trim().to_lowercase().replace(['-', ' '], "_");
    let is_it = |f: &&Function| f.name == name || f.spellings.contains(&name.as_str());
    TASKS.iter().find_map(|t| t.functions.iter().find(is_it).map(|f| (t, f)))
}
