//! The function catalogue for the page.

use graph::functions::{CatalogFormat, FUNCTIONS, Group, describe};

use graph::composed::{Proposal, ProposalFault, ProposalReport};
use protocol::problem::{CheckProposal, CheckedProposal, FunctionView, ListFunctions};

use crate::context::{Context, Ended};
use crate::problems::lay_out;

/// Tells every function.
pub(crate) async fn list(_: &Context, _: ListFunctions) -> Result<Vec<FunctionView>, Ended> {
    let views = FUNCTIONS
        .iter()
        .map(|f| {
            let example = f.example();
            let (_, example_places) = lay_out(&example.graph);
            FunctionView {
                name: f.name.to_owned(),
                title: f.title.to_owned(),
                group: title(f.group).to_owned(),
                description: f.description(),
                paper: f.paper.to_owned(),
                complexity: f.complexity.to_owned(),
                writes: f.writes,
                raises: f.raises.iter().map(|(c, w)| ((*c).to_owned(), (*w).to_owned())).collect(),
                parameters: f.arguments(),
                shapes: CatalogFormat::ALL
                    .iter()
                    .map(|(name, format)| ((*name).to_owned(), describe(f, *format)))
                    .collect(),
                example_graph: example.graph,
                example_places,
                example_arguments: example.arguments,
            }
        })
        .collect();
    Ok(views)
}

/// Checks a proposal. What is no proposal at all is a fault of it too.
pub(crate) async fn check_proposal(
    _: &Context,
    ask: CheckProposal,
) -> Result<CheckedProposal, Ended> {
    let refused = |fault| ProposalReport { faults: vec![fault], ..ProposalReport::default() };
    let value = match serde_json::from_str(&ask.text) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("this is not JSON: {error}");
            let fault = ProposalFault { code: "bad_json".into(), at: None, message };
            return Ok(CheckedProposal { proposal: None, report: refused(fault) });
        }
    };
    let proposal = match Proposal::from_json(&value) {
        Ok(proposal) => proposal,
        Err(fault) => return Ok(CheckedProposal { proposal: None, report: refused(fault) }),
    };
    let taken: Vec<&str> = ask.taken.iter().map(String::as_str).collect();
    let report = match proposal.clone().check(&taken) {
        Ok((_, report)) | Err(report) => report,
    };
    Ok(CheckedProposal { proposal: Some(proposal), report })
}

fn title(group: Group) -> &'static str {
    match group {
        Group::Build => "Build and change",
        Group::Describe => "Describe",
        Group::Connectivity => "Connectivity and search",
        Group::Paths => "Paths and distances",
        Group::Order => "Cycles and orders",
        Group::Flow => "Flows and matchings",
        Group::Structure => "Structure",
        Group::Metrics => "Measures",
        Group::Embeddings => "Embeddings",
    }
}
