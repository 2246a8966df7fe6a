//! SPARQL as a language of Knowledge Graph of Thoughts.

use std::collections::BTreeSet;

use kg::property::{Changes, GraphStore, PropertyGraph};
use llm::BoxFuture;
use systems::kgot::{GraphLanguage, GraphRows, MAX_ROWS, triples_text};

/// SPARQL, by oxigraph on the triples of a graph.
pub struct SparqlGraphs;

impl GraphLanguage for SparqlGraphs {
    fn write<'a>(
        &'a self,
        store: &'a mut GraphStore,
        query: &'a str,
    ) -> BoxFuture<'a, Result<Changes, String>> {
        Box::pin(
            async move { crate::property_sparql::update(store, query).map_err(|e| e.to_string()) },
        )
    }

    fn read<'a>(
        &'a self,
        graph: &'a PropertyGraph,
        query: &'a str,
    ) -> BoxFuture<'a, Result<GraphRows, String>> {
        Box::pin(async move {
            let table =
                crate::property_sparql::query(graph, query, MAX_ROWS).map_err(|e| e.to_string())?;
            Ok(GraphRows { columns: table.columns, rows: table.rows, nodes: BTreeSet::new() })
        })
    }

    fn tell(&self, graph: &PropertyGraph) -> String {
        triples_text(graph)
    }
}
