//! SPARQL over the knowledge graph that is open.

use std::sync::Arc;

use kg::Kg;
use protocol::kg::{QueryGraph, SparqlReply};
use systems::{Backends, QueryFault, TripleStore};

use crate::context::{Context, Ended};
use crate::open::Open;

/// The most rows that a page gets.
const MAX_ROWS: usize = 10_000;

/// The triples of a graph, once a query has wanted them.
#[derive(Default)]
struct Triples {
    /// The graph that they are of.
    of: Option<Arc<Kg>>,
    made: Option<Box<dyn TripleStore>>,
}

/// Answers a query about the open graph. Its triples are kept for the next.
pub(crate) async fn query<B: Backends>(
    context: &Context,
    ask: QueryGraph,
) -> Result<SparqlReply, Ended> {
    let finder = {
        let open = context.keep::<Open>();
        let open = open.borrow();
        if open.remote.is_some() {
            return Err("this graph stays in its store; ask it in SPARQL there".into());
        }
        open.finder()?
    };
    let kept = context.keep::<Triples>();
    let mut kept = kept.borrow_mut();
    let is_same = kept.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, finder.kg()));
    let before = kept.made.take().filter(|_| is_same);
    let began = context.host.now_ms();
    let was_made = before.is_some();
    let made = before.map_or_else(|| B::triples(finder.kg().clone()), Ok);
    let ready = context.host.now_ms();
    let answered = made.and_then(|triples| {
        let answer = triples.query(&ask.query, ask.max_rows.clamp(1, MAX_ROWS));
        kept.of = Some(finder.kg().clone());
        kept.made = Some(triples);
        answer
    });
    Ok(match answered {
        Ok(table) => SparqlReply::Answer {
            table,
            made_ms: if was_made { 0.0 } else { ready - began },
            took_ms: context.host.now_ms() - ready,
        },
        Err(QueryFault { message, place }) => SparqlReply::Fault { message, place },
    })
}
