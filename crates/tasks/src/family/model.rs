//! The words of the family benchmark: links, families, searches, tools, calls, samples.

use std::collections::BTreeSet;

use kg::{Kg, KgBuilder, KgError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One fact: somebody has something, or is something to somebody.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(String, String, String)", into = "(String, String, String)")]
pub struct Link {
    /// The person or thing that has the relation.
    pub head: String,
    /// What it is to them.
    pub relation: String,
    /// The person or value that the relation leads to.
    pub tail: String,
}

impl Link {
    /// Makes a link of its three names.
    pub fn new(
        head: impl Into<String>,
        relation: impl Into<String>,
        tail: impl Into<String>,
    ) -> Self {
        Self { head: head.into(), relation: relation.into(), tail: tail.into() }
    }
}

impl From<(String, String, String)> for Link {
    fn from((head, relation, tail): (String, String, String)) -> Self {
        Self { head, relation, tail }
    }
}

impl From<Link> for (String, String, String) {
    fn from(link: Link) -> Self {
        (link.head, link.relation, link.tail)
    }
}

/// A family's facts. Whoever is the head of a link, or is named among the people, is a person; all
/// else is a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Family {
    /// A name for it, unique in its benchmark.
    pub id: String,
    /// Its people, of whom nothing may be known yet.
    #[serde(default)]
    pub people: Vec<String>,
    /// Its facts, in the order in which they are searched.
    pub links: Vec<Link>,
}

/// The most links of a family.
pub const MAX_LINKS: usize = 20_000;
/// The most bytes of a name of a person, a relation or a value.
pub const MAX_NAME_BYTES: usize = 200;

impl Family {
    /// Everybody, in the order of their names.
    pub fn people(&self) -> BTreeSet<&str> {
        let named = self.people.iter().map(String::as_str);
        named.chain(self.links.iter().map(|l| l.head.as_str())).collect()
    }

    /// Every relation, in the order of their names.
    pub fn relations(&self) -> BTreeSet<&str> {
        self.links.iter().map(|l| l.relation.as_str()).collect()
    }

    /// What somebody has of a relation, in the order of the links.
    pub fn targets(&self, head: &str, relation: &str) -> Vec<&str> {
        let of = self.links.iter().filter(|l| l.head == head && l.relation == relation);
        of.map(|l| l.tail.as_str()).collect()
    }

    /// Adds a fact; the people, the relation and the value in it may be new.
    ///
    /// # Errors
    /// A part of it is empty or too long or has signs that a list of links cannot hold, the fact is
    /// known already, or there are too many.
    pub fn add(&mut self, link: Link) -> Result<(), FamilyError> {
        for (what, text) in
            [("person", &link.head), ("relation", &link.relation), ("value", &link.tail)]
        {
            check_name(what, text)?;
        }
        if self.links.contains(&link) {
            let Link { head, relation, tail } = link;
            return Err(FamilyError::Known { head, relation, tail });
        }
        if self.links.len() >= MAX_LINKS {
            return Err(FamilyError::TooMany { what: "links", limit: MAX_LINKS });
        }
        self.links.push(link);
        Ok(())
    }

    /// The family as a typed knowledge graph: people and values, and an edge for each link.
    ///
    /// # Errors
    /// A name is empty or too long for one.
    pub fn kg(&self) -> Result<Kg, KgError> {
        let mut builder = KgBuilder::new(&self.id);
        for link in &self.links {
            builder.edge(&link.head, &link.relation, &link.tail)?;
        }
        for person in self.people() {
            builder.node(person, "Person", person, Map::new())?;
        }
        builder.type_the_rest(|_| "Value".to_owned())?;
        builder.build()
    }

    /// Whether all its names are such as [`Family::add`] takes.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), FamilyError> {
        if self.links.len() > MAX_LINKS {
            return Err(FamilyError::TooMany { what: "links", limit: MAX_LINKS });
        }
        for link in &self.links {
            check_name("person", &link.head)?;
            check_name("relation", &link.relation)?;
            check_name("value", &link.tail)?;
        }
        self.people.iter().try_for_each(|person| check_name("person", person))
    }
}

/// Signs that separate the links and their parts where they are written for a model.
const SEPARATORS: [char; 8] = ['[', ']', '(', ')', ',', '<', '>', '"'];

fn check_name(what: &'static str, text: &str) -> Result<(), FamilyError> {
    let shown = || text.chars().take(40).collect::<String>();
    if text.trim().is_empty() || text.len() > MAX_NAME_BYTES {
        let found = text.len();
        return Err(FamilyError::Length { what, shown: shown(), found, limit: MAX_NAME_BYTES });
    }
    match text.chars().find(|c| SEPARATORS.contains(c) || c.is_control()) {
        Some(sign) => Err(FamilyError::Sign { what, shown: shown(), sign }),
        None => Ok(()),
    }
}

/// What is wrong with a family, a sample, or a file of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FamilyError {
    /// A name is empty or too long.
    #[error("the {what} {shown:?} has {found} bytes; it must have from 1 to {limit}")]
    Length {
        /// Person, relation or value.
        what: &'static str,
        /// The first characters of the name.
        shown: String,
        /// The size of the name in bytes.
        found: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// A name has a sign that separates names.
    #[error("the {what} {shown:?} has the sign {sign:?}, which separates names; leave it out")]
    Sign {
        /// Person, relation or value.
        what: &'static str,
        /// The first characters of the name.
        shown: String,
        /// The sign that a name may not have.
        sign: char,
    },
    /// A fact is there already.
    #[error("it is known already that {head:?} has the {relation:?} {tail:?}")]
    Known {
        /// The head of the link.
        head: String,
        /// What it is to them.
        relation: String,
        /// The tail of the link.
        tail: String,
    },
    /// There are too many of something.
    #[error("too many {what}: at most {limit} are read")]
    TooMany {
        /// What there is too much of: links, samples, bytes.
        what: &'static str,
        /// How many are allowed.
        limit: usize,
    },
    /// A line of a file is not what it should be.
    #[error("line {line}: {message}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong and what would be right.
        message: String,
    },
    /// Something is not there.
    #[error("there is no {what} {name:?}{hint}")]
    Missing {
        /// Family, tool, sample, speaker.
        what: &'static str,
        /// The name of the tool.
        name: String,
        /// What there is, as `; there are …`, or nothing.
        hint: String,
    },
    /// A sample does not keep a rule of the benchmark.
    #[error("sample {id:?}: {message}")]
    Sample {
        /// The id of the sample.
        id: String,
        /// What is wrong and what would be right.
        message: String,
    },
    /// A number is out of its range.
    #[error("{what} is {found}; it must be from {least} to {most}")]
    Number {
        /// The name of the number.
        what: &'static str,
        /// The number that was given.
        found: usize,
        /// The smallest number that is taken.
        least: usize,
        /// The largest number that is taken.
        most: usize,
    },
}

/// A search in a family's graph: from somebody along relations.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Search {
    /// The name where the search starts.
    pub start: String,
    /// The relations, in their order.
    pub path: Vec<String>,
}

/// What a model is shown of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolDef {
    /// The name that a call uses.
    pub name: String,
    /// What the tool does, as the model reads it.
    #[serde(default)]
    pub description: String,
    /// The JSON schema of its parameters.
    pub parameters: Value,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FamilyCall {
    /// The name of the tool that is called.
    pub name: String,
    /// The arguments by name.
    #[serde(default)]
    pub parameters: Map<String, Value>,
}

/// What is new in a sample, beside the family that examples may be taken from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Novelty {
    /// Nothing: people and relations are known.
    #[default]
    Transductive,
    /// The people are new.
    UnseenEntities,
    /// A relation is new.
    UnseenRelations,
    /// People and a relation are new.
    UnseenBoth,
}

impl Novelty {
    /// Every cell of the paper's tables.
    pub const ALL: [Self; 4] =
        [Self::Transductive, Self::UnseenEntities, Self::UnseenRelations, Self::UnseenBoth];

    /// In a few words for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Transductive => "nothing new",
            Self::UnseenEntities => "new people",
            Self::UnseenRelations => "new relation",
            Self::UnseenBoth => "new people and relation",
        }
    }
}

/// Why a sample needs nothing of the graph, or cannot have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Noise {
    /// The query says everything itself.
    Literal,
    /// The query speaks of somebody, and needs nothing about them.
    Mention,
    /// The query needs what the graph does not have: right is to call nothing.
    Lacking,
}

impl Noise {
    /// Every reason for which a request needs nothing of the graph.
    pub const ALL: [Self; 3] = [Self::Literal, Self::Mention, Self::Lacking];

    /// In a few words for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Literal => "needs no graph",
            Self::Mention => "speaks of somebody, needs no graph",
            Self::Lacking => "the graph lacks it",
        }
    }
}

/// A request to an assistant, with all that a right answer consists of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// A name, unique in its benchmark.
    pub id: String,
    /// Whose graph it is about; empty where there is one family.
    #[serde(default)]
    pub family: String,
    /// Who speaks, where that is told.
    #[serde(default)]
    pub speaker: Option<String>,
    /// The request, in the words of the person.
    pub query: String,
    /// The searches that find what is needed.
    #[serde(rename = "gold_searches", alias = "gold_calls", default)]
    pub searches: Vec<Search>,
    /// What they find: the sub-graph that is needed.
    #[serde(rename = "gold_links", default)]
    pub links: Vec<Link>,
    /// The tools that a model may choose from.
    #[serde(default)]
    pub candidates: Vec<String>,
    /// The right call; `None` where it is right to call nothing.
    #[serde(rename = "gold_call", default)]
    pub call: Option<FamilyCall>,
    /// What is new beside the families of the training.
    #[serde(default)]
    pub cell: Novelty,
    /// Whether the graph is not needed, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<Noise>,
    /// How far its words are from the graph's: 0 the same, 1 synonyms, 2 paraphrases.
    #[serde(default)]
    pub level: u8,
    /// The relations of its longest search.
    #[serde(default)]
    pub depth: usize,
    /// The parameters that the graph fills.
    #[serde(default)]
    pub n_targets: usize,
    /// Whether a search ends at a person.
    #[serde(default)]
    pub is_person_valued: bool,
    /// Whether a search ends at several values.
    #[serde(default)]
    pub is_multiple: bool,
    /// For [`Noise::Lacking`]: the search that finds nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacks: Option<Search>,
}

impl Sample {
    /// The query as a model reads it: who speaks, then what they say.
    pub fn spoken(&self) -> String {
        match &self.speaker {
            Some(speaker) => format!("<speak>Speaker: {speaker}</speak> {}", self.query),
            None => self.query.clone(),
        }
    }
}

/// Families, tools, and samples about them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Benchmark {
    /// The families, each with its links.
    pub families: Vec<Family>,
    /// The tools that requests call.
    pub tools: Vec<ToolDef>,
    /// The requests with their right links and calls.
    pub samples: Vec<Sample>,
}

impl Benchmark {
    /// The family of a sample.
    ///
    /// # Errors
    /// There is none of that id.
    pub fn family(&self, sample: &Sample) -> Result<&Family, FamilyError> {
        let named = self.families.iter().find(|f| f.id == sample.family);
        let only = || self.families.first().filter(|_| self.families.len() == 1);
        named.or_else(only).ok_or_else(|| FamilyError::Missing {
            what: "family",
            name: sample.family.clone(),
            hint: listed(self.families.iter().map(|f| f.id.as_str())),
        })
    }

    /// The tools that a sample lets a model choose from.
    ///
    /// # Errors
    /// One of them is not among the tools.
    pub fn candidates(&self, sample: &Sample) -> Result<Vec<ToolDef>, FamilyError> {
        let find = |name: &String| {
            self.tools.iter().find(|t| t.name == *name).cloned().ok_or_else(|| {
                FamilyError::Missing { what: "tool", name: name.clone(), hint: String::new() }
            })
        };
        sample.candidates.iter().map(find).collect()
    }
}

/// `; there are a, b, c`, or nothing for nothing.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.take(12).collect();
    if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) }
}
