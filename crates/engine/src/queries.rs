//! Queries on graphs that grow, which the page puts to an engine of their own: a query that takes too
//! long is stopped by ending that engine.

use llm::BoxFuture;
use protocol::exact::Exact;
use protocol::kgot::AnswerGraphQuestion;
use protocol::page::AnswerQuery;
use systems::Backends;
use systems::kgot::{
    AnswerElsewhere, Elsewhere, GraphAnswer, GraphQuestion, KgotLanguage, Languages,
};

use crate::context::{Context, Ended};

/// Asks the page for the answer.
pub(crate) struct PageQueries(Context);

/// SPARQL, by the page's engine for it.
pub(crate) fn page_sparql(context: &Context) -> Elsewhere<PageQueries> {
    Elsewhere { language: KgotLanguage::Sparql, by: PageQueries(context.clone()) }
}

impl AnswerElsewhere for PageQueries {
    fn ask(&self, question: GraphQuestion) -> BoxFuture<'_, Result<GraphAnswer, String>> {
        Box::pin(async move { self.0.ask(&AnswerQuery { question }).await.map_err(String::from) })
    }
}

/// Answers a question in the engine that the page keeps for them.
pub(crate) async fn answer<B: Backends>(
    _: &Context,
    ask: AnswerGraphQuestion,
) -> Result<Exact<GraphAnswer>, Ended> {
    let languages = Languages { sparql: B::sparql(), ..Languages::default() };
    Ok(Exact(ask.question.answer(&languages).await?))
}
