//! What a label of GraphWiz claims, held against the graph.

use graph::NodeName;

use crate::oracle::{self, Hamilton};
use crate::verify::named::NodeList;
use crate::verify::{connectivity, cycle, flow, hamilton, shortest_path, topology};
use crate::{Answer, Judgement, ParseError, Problem, Query, Verdict, verify_answer};

const LIST: &str = "a list, such as \"### [[3, 0, 1, 2]]\"";

/// What a label is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelCheck {
    /// Whether the label is right; `None` where a bounded search did not decide it.
    pub agrees: Option<bool>,
    /// The judgement of what the label claims. A claim without the witness that NLGraph asks for
    /// is partly right there, and right here. Its certificate has what a person can follow: for
    /// a wrong No to a Hamilton path, the path.
    pub judgement: Judgement,
}

/// Holds a label such as `### Yes`, `### 12` or `### [[3, 0, 1, 2]]` against the graph. Labels of
/// GraphInstruct, such as `Yes`, `12` or `[3, 0, 1, 2]`, are read as well.
///
/// # Errors
/// The label is not of the kind that its task has, or the task is none of those that have such labels.
///
/// # Complexity
/// As [`verify_answer`].
pub fn check_label(problem: &Problem, label: &str) -> Result<LabelCheck, ParseError> {
    let text = label.rsplit("###").next().unwrap_or(label).trim().trim_end_matches('.');
    let wrong = |expected: &str| ParseError::Expected {
        line: 1,
        column: label.len() - label.trim_start().len() + 1,
        expected: expected.into(),
        found: label.trim().chars().take(40).collect(),
    };
    let decision = || match text {
        _ if text.eq_ignore_ascii_case("yes") => Ok(true),
        _ if text.eq_ignore_ascii_case("no") => Ok(false),
        _ => Err(wrong("\"### Yes\" or \"### No\"")),
    };
    let number = || {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| wrong("a number, such as \"### 12\""))
    };
    let claim = match &problem.query {
        Query::Cycle(_) => Answer::Cycle(cycle::Answer {
            has_cycle: decision()?,
            cycle: Vec::new(),
            edges: Vec::new(),
        }),
        Query::DirectedCycle(_) => Answer::DirectedCycle(cycle::Answer {
            has_cycle: decision()?,
            cycle: Vec::new(),
            edges: Vec::new(),
        }),
        Query::Connectivity(_) => Answer::Connectivity(connectivity::Answer {
            connected: decision()?,
            path: Vec::new(),
            edges: Vec::new(),
        }),
        Query::Hamiltonian(_) => {
            Answer::Hamiltonian(hamilton::Answer { exists: Some(decision()?), path: Vec::new() })
        }
        Query::ShortestPath(_) => Answer::ShortestPath(shortest_path::Answer {
            path: Vec::new(),
            others: Vec::new(),
            total: Some(number()?),
            is_marked: false,
        }),
        Query::Flow(_) => Answer::Flow(flow::Answer { value: Some(number()?), flows: Vec::new() }),
        Query::Topology(_) | Query::Hamilton(_) | Query::BfsOrder(_) | Query::DfsOrder(_) => {
            return orders(problem, text, &wrong);
        }
        _ => {
            return Err(wrong("a label of a task that has a yes or no, a number or an order"));
        }
    };
    let judgement = verify_answer(problem, &claim);
    let is_open = matches!(problem.query, Query::Hamiltonian(_))
        && matches!(oracle::hamilton(&problem.graph), Hamilton::Unknown);
    let enough = matches!(judgement.verdict, Verdict::Correct | Verdict::Partial);
    Ok(LabelCheck { agrees: (!is_open).then_some(enough), judgement })
}

/// A label lists one order or several, `[[0, 1, 2], [1, 0, 2]]`; all have to be right.
/// An order is its own witness, so nothing is right in part. The judgement is that of the first
/// order that is wrong, or of the first.
fn orders(
    problem: &Problem,
    text: &str,
    wrong: &dyn Fn(&str) -> ParseError,
) -> Result<LabelCheck, ParseError> {
    let mut first = None;
    for list in text.split(']').map(|list| list.trim_matches([' ', ',', '['])) {
        if list.is_empty() {
            continue;
        }
        // Quotes stand around names, arrows between nodes.
        let nodes = list.replace("->", ",");
        let order = nodes.split(',').map(|node| {
            let name = NodeName::from(node.trim_matches([' ', '\'', '"', '\n', '<', '>']));
            let is_node = name.as_int().is_some() || problem.graph.has_node(&name);
            is_node.then_some(name).ok_or_else(|| wrong(LIST))
        });
        let order: Vec<NodeName> = order.collect::<Result<_, _>>()?;
        let claim = match problem.query {
            Query::Hamilton(_) => Answer::Hamilton(hamilton::Answer { exists: None, path: order }),
            Query::BfsOrder(_) => Answer::BfsOrder(NodeList { nodes: order }),
            Query::DfsOrder(_) => Answer::DfsOrder(NodeList { nodes: order }),
            _ => Answer::Topology(topology::Answer { possible: Some(true), order }),
        };
        let judgement = verify_answer(problem, &claim);
        if judgement.verdict != Verdict::Correct {
            return Ok(LabelCheck { agrees: Some(false), judgement });
        }
        first.get_or_insert(judgement);
    }
    let judgement = first.ok_or_else(|| wrong(LIST))?;
    Ok(LabelCheck { agrees: Some(true), judgement })
}
