//! SPARQL over the knowledge graph that is open.

use std::sync::Arc;

use kg::{Kg, Table};
use serde::{Deserialize, Serialize};

#[cfg(feature = "rdf")]
pub(crate) use kept::triples;

/// The most rows that a page is given.
#[cfg(feature = "rdf")]
const MAX_ROWS: usize = 10_000;

/// What answers queries about one graph after another.
pub(crate) trait Queries {
    /// Answers a query; `now_ms` is a clock.
    fn answer(
        &mut self,
        kg: &Arc<Kg>,
        query: &str,
        max_rows: usize,
        now_ms: &dyn Fn() -> f64,
    ) -> SparqlReply;
}

/// What came of a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SparqlReply {
    /// Its answer.
    Answer {
        /// The rows.
        table: Table,
        /// Milliseconds of making triples of the graph; 0 where that was done before.
        made_ms: f64,
        /// Milliseconds of the query.
        took_ms: f64,
    },
    /// It has none; the message says why and what would be right.
    Fault {
        /// The message.
        message: String,
        /// Line and column, both from 1, where it is about a place of the query.
        place: Option<(usize, usize)>,
    },
}

#[cfg(feature = "rdf")]
mod kept {
    use std::sync::Arc;

    use kg::Kg;
    use kg::sparql::{Sparql, SparqlError};

    use super::{MAX_ROWS, Queries, SparqlReply};

    /// The triples of the graph that is open, once a query has wanted them.
    #[derive(Default)]
    struct Triples(Option<Sparql<Arc<Kg>>>);

    /// What answers queries.
    pub(crate) fn triples() -> Box<dyn Queries> {
        Box::new(Triples::default())
    }

    impl Queries for Triples {
        fn answer(
            &mut self,
            kg: &Arc<Kg>,
            query: &str,
            max_rows: usize,
            now_ms: &dyn Fn() -> f64,
        ) -> SparqlReply {
            let began = now_ms();
            let was_made = self.0.is_some();
            let made = match self.0.take() {
                Some(made) => Ok(made),
                None => Sparql::new(kg.clone()),
            };
            let ready = now_ms();
            let answered = made.and_then(|sparql| {
                let answer = sparql.query(query, max_rows.clamp(1, MAX_ROWS));
                self.0 = Some(sparql);
                answer
            });
            match answered {
                Ok(table) => SparqlReply::Answer {
                    table,
                    made_ms: if was_made { 0.0 } else { ready - began },
                    took_ms: now_ms() - ready,
                },
                Err(error) => fault(&error),
            }
        }
    }

    fn fault(error: &SparqlError) -> SparqlReply {
        SparqlReply::Fault { message: error.to_string(), place: error.place() }
    }
}
