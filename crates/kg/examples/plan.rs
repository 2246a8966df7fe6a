//! Builds a small knowledge graph, verifies a plan that a model wrote, and runs it.
//!
//! `cargo run --package kg --example plan`

use std::error::Error;
use std::io::Write as _;
use std::rc::Rc;
use std::sync::Arc;

use kg::KgBuilder;
use kg::find::{FindOptions, Finder};
use kg::plan::{Semantics, execute, read_plan, verify};
use serde_json::Map;
use text::NGrams;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let mut builder = KgBuilder::new("a small line");
    for (id, node_type, name) in [
        ("mill", "Station", "Old Mill"),
        ("quay", "Station", "Harbour Quay"),
        ("blue", "Line", "Blue line"),
    ] {
        builder.node(id, node_type, name, Map::new())?;
    }
    builder.edge("mill", "stop_of", "blue")?;
    builder.edge("quay", "stop_of", "blue")?;
    let kg = Arc::new(builder.build()?);
    let finder = Finder::new(kg.clone(), Rc::new(NGrams));

    // A plan comes in many spellings; what is wrong with it is told before anything runs.
    for text in [
        "Find_Node[harbour quay, Station]\nFetch_Neighbors[s1, stop_of]",
        "Find_Node[harbour quay, Station]\nFetch_Neighbors[s1, stops_at]",
    ] {
        let plan = read_plan(text)?;
        let verified = verify(&plan, kg.schema(), Semantics::default(), "");
        for finding in &verified.findings {
            writeln!(out, "refused: {}", finding.message)?;
        }
        if let Some(ready) = verified.ready {
            let found = execute(&ready, &finder, FindOptions::default());
            let names: Vec<&str> = found.answer().nodes().iter().map(|n| kg.name(*n)).collect();
            writeln!(out, "found: {}", names.join(", "))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
