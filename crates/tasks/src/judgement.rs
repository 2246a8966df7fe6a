//! Verdicts, and the certificates that let a person follow them.

use std::fmt;

use graph::NodeName;
use serde::{Deserialize, Serialize};

use crate::Answer;

/// How good an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// What was asked is right, and a path, order, assignment or embedding that was asked for is
    /// valid.
    Correct,
    /// The decision or number is right but its witness is false, missing though asked for, or its
    /// stated total is wrong; or a valid witness with a wrong total.
    Partial,
    /// Anything else that answers.
    Incorrect,
    /// The text answers nothing.
    NoAnswer,
}

impl Verdict {
    /// All verdicts, best first.
    pub const ALL: [Self; 4] = [Self::Correct, Self::Partial, Self::Incorrect, Self::NoAnswer];

    /// Its name as serde writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Correct => "Correct",
            Self::Partial => "Partial",
            Self::Incorrect => "Incorrect",
            Self::NoAnswer => "NoAnswer",
        }
    }
}

/// A verdict with its reasons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// How right the answer is.
    pub verdict: Verdict,
    /// The answer as it was read; `None` if nothing answers.
    pub answer: Option<Answer>,
    /// The evidence, line by line.
    pub certificate: Certificate,
    /// One or two plain sentences.
    pub explanation: String,
}

impl Judgement {
    pub(crate) fn no_answer(explanation: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::NoAnswer,
            answer: None,
            certificate: Certificate::default(),
            explanation: explanation.into(),
        }
    }

    /// A judgement with its reasons, or the verdict alone where no evidence was wanted. The answer
    /// is put in by whoever knows all kinds.
    pub(crate) fn new(
        verdict: Verdict,
        evidence: Evidence,
        explanation: impl fmt::Display,
    ) -> Self {
        match evidence.0 {
            Some(certificate) => {
                Self { verdict, answer: None, certificate, explanation: explanation.to_string() }
            }
            None => Self {
                verdict,
                answer: None,
                certificate: Certificate::default(),
                explanation: String::new(),
            },
        }
    }
}

/// Evidence that a person can follow, and what of it to draw on the graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// The steps of the check.
    pub lines: Vec<CertLine>,
    /// What to draw on the graph.
    pub marks: EvidenceMarks,
}

/// The certificate that a judge writes, if anybody will read it.
///
/// A check of six thousand references needs verdicts only, and words take longer than verdicts: so
/// texts come as something to display, and are put together only where they are kept.
#[derive(Debug)]
pub(crate) struct Evidence(Option<Certificate>);

impl Evidence {
    /// Evidence that is written down.
    pub(crate) fn write() -> Self {
        Self(Some(Certificate::default()))
    }

    /// Evidence that nobody reads, which costs nothing.
    pub(crate) fn skip() -> Self {
        Self(None)
    }

    /// Whether it is written down: if not, nothing need be looked for that is only shown.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Adds a remark.
    pub(crate) fn note(&mut self, text: impl fmt::Display) {
        if let Some(certificate) = &mut self.0 {
            certificate.lines.push(CertLine { text: text.to_string(), holds: None });
        }
    }

    /// Adds a checked step and gives back whether it holds.
    pub(crate) fn check(&mut self, holds: bool, text: impl fmt::Display) -> bool {
        if let Some(certificate) = &mut self.0 {
            certificate.lines.push(CertLine { text: text.to_string(), holds: Some(holds) });
        }
        holds
    }

    pub(crate) fn node(&mut self, node: &NodeName, kind: MarkKind) {
        self.labelled_node(node, kind, None);
    }

    /// Marks a node, with a few words beside it where there are any.
    pub(crate) fn labelled_node(&mut self, node: &NodeName, kind: MarkKind, label: Option<String>) {
        if let Some(certificate) = &mut self.0 {
            certificate.marks.nodes.push(NodeMark { node: node.clone(), kind, label });
        }
    }

    /// Marks an edge, with a number beside it where one is given.
    pub(crate) fn edge(
        &mut self,
        source: &NodeName,
        target: &NodeName,
        kind: MarkKind,
        label: Option<f64>,
    ) {
        if let Some(certificate) = &mut self.0 {
            let (source, target) = (source.clone(), target.clone());
            let label = label.map(|number| number.to_string());
            certificate.marks.edges.push(EdgeMark { source, target, kind, label });
        }
    }
}

/// One step of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CertLine {
    /// The step in words.
    pub text: String,
    /// Whether it holds; `None` for a remark.
    pub holds: Option<bool>,
}

/// What to draw on the graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EvidenceMarks {
    /// Nodes; one may be marked more than once.
    pub nodes: Vec<NodeMark>,
    /// Edges; those of kind [`MarkKind::False`] may not be in the graph.
    pub edges: Vec<EdgeMark>,
}

/// A mark on a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeMark {
    /// The name of the node.
    pub node: NodeName,
    /// What the mark means.
    pub kind: MarkKind,
    /// A few words or a number beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// A mark on an edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EdgeMark {
    /// The source of the edge; either end where the graph is undirected.
    pub source: NodeName,
    /// The target of the edge.
    pub target: NodeName,
    /// What the mark means.
    pub kind: MarkKind,
    /// A few words or a number beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// What a mark means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// Part of the right answer that the check points to.
    Path,
    /// In the answer and in the graph.
    True,
    /// Claimed, and false or not in the graph.
    False,
    /// Part of a cut.
    Cut,
    /// Of an edge, how much a greatest flow lets over it.
    Flow,
    /// On one side: of a cut, of a bipartite graph, a component.
    Side(u8),
    /// The place in an order, from 0.
    Order(usize),
    /// Of two nodes: an answer takes the one for the other. It is no edge, and claims none.
    Pair,
}

impl MarkKind {
    /// Of what holds, or does not.
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}
