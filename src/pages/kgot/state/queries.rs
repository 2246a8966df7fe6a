//! Queries that a person puts to the graph in view, or to a store.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::kgot::{AskGrown, GrownTable};
use systems::kgot::KgotLanguage;

use super::{Answered, HandQuery, PageState};
use crate::pages::kgot::store::Asked;
use crate::services::single_file;

impl PageState {
    /// After how many growths the graph in view is.
    pub(in crate::pages::kgot) fn at(self) -> Option<usize> {
        let cursor = self.session.cursor.get_untracked();
        Some(self.growing.with_untracked(|g| g.n_growths(cursor)))
    }

    /// Chooses the language in which the graph is asked by hand.
    pub(in crate::pages::kgot) fn ask_in(self, language: KgotLanguage) {
        self.hand.update(|hand| {
            if hand.query == usual_query(hand.language) {
                usual_query(language).clone_into(&mut hand.query);
            }
            hand.language = language;
        });
    }

    /// Asks the graph in view, or the store.
    pub(in crate::pages::kgot) fn put_query(self) {
        let HandQuery { whom, language, query } = self.hand.get_untracked();
        if query.trim().is_empty() {
            return self.answered.set(Some(Answered::Fault("Write a query.".into())));
        }
        if whom != Asked::Graph {
            return self.hand_in(self.store.ask(query, whom == Asked::StoreToWrite));
        }
        if language == KgotLanguage::Sparql && single_file::is_one_file() {
            let words = "SPARQL is not in the page as one file; ask in Cypher.";
            return self.answered.set(Some(Answered::Fault(words.into())));
        }
        self.hand_in(async move {
            let (holder, at) = self.holder().await?;
            holder.ask(AskGrown { at, language, query }).await
        });
    }

    /// Shows what a query gives, unless another was put after it.
    fn hand_in(self, answer: impl Future<Output = Result<GrownTable, String>> + 'static) {
        self.turn.update_value(|t| *t += 1);
        let turn = self.turn.get_value();
        self.is_asking.set(true);
        spawn_local(async move {
            let answer = answer.await;
            if self.turn.get_value() != turn {
                return;
            }
            self.is_asking.set(false);
            self.answered.set(Some(match answer {
                Ok(table) => Answered::Rows(Arc::new(table)),
                Err(message) => Answered::Fault(message),
            }));
        });
    }
}

/// What stands in the field of queries first.
pub(super) fn usual_query(language: KgotLanguage) -> &'static str {
    match language {
        KgotLanguage::Sparql => "SELECT ?s ?p ?o WHERE { ?s ?p ?o } LIMIT 25",
        KgotLanguage::Networkx => "result = nx.density(G)",
        _ => "MATCH (n) RETURN n LIMIT 25",
    }
}
