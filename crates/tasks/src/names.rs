//! Names, numbers and decisions in words: what solvers and judges both write.

use std::fmt::Display;

use graph::NodeName;

/// The names with something between them, put together only where they are written.
pub(crate) fn join<'a>(nodes: &'a [NodeName], separator: &'a str) -> impl Display + use<'a> {
    std::fmt::from_fn(move |f| {
        for (i, node) in nodes.iter().enumerate() {
            if i > 0 {
                f.write_str(separator)?;
            }
            write!(f, "{node}")?;
        }
        Ok(())
    })
}

/// Writes names as `0,3,2`.
pub(crate) fn comma_list(nodes: &[NodeName]) -> String {
    join(nodes, ",").to_string()
}

/// Writes values as `[1,0]`.
pub(crate) fn bracketed(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("[{}]", values.join(","))
}

/// The number behind `a7` or `j7`.
pub(crate) fn number_of(name: &NodeName) -> usize {
    match name {
        NodeName::Text(text) => {
            text.get(1..).and_then(|digits| digits.parse().ok()).unwrap_or_default()
        }
        NodeName::Int(_) => 0,
    }
}

/// Writes a decision as `yes` or `no`.
pub(crate) fn yes_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

/// The nodes of a JSON list; none where it is no such list.
pub(crate) fn nodes(value: &serde_json::Value) -> Vec<NodeName> {
    serde_json::from_value(value.clone()).unwrap_or_default()
}
