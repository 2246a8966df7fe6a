//! What the calls of a statement need beyond what is at hand. Whoever can fetch more is told while the
//! statement still streams.
//!
//! Paper: Graph-ToolFormer §4.5.2.

use std::cell::RefCell;
use std::collections::BTreeMap;

use llm::BoxFuture;

use crate::toolformer::execute::Executor;
use crate::toolformer::hubs::{Hubs, models};
use crate::toolformer::parse::sites;
use crate::toolformer::tree::{Api, Bracket, BracketOutput, Call, Value};

/// Data, and perhaps a model for them, that a call needs and that are not at hand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Needed {
    /// The data set that `GL` names.
    pub dataset: String,
    /// The model that `GR` names, if it is not here for that data set.
    pub model: Option<&'static str>,
}

/// Fetches data and models that are not at hand, such as those that lie beside a page.
pub trait Supply {
    /// Begins to fetch them, and returns at once. The same may be asked for again.
    fn begin(&self, needed: &Needed);

    /// Waits until all that was begun is at hand, or cannot be had.
    fn settled(&self) -> BoxFuture<'_, ()>;
}

/// Nothing more can be had.
impl Supply for () {
    fn begin(&self, _: &Needed) {}

    fn settled(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// Reads whole calls as a statement grows, and has fetched what they need.
pub(super) struct Supplying<'a> {
    supply: &'a dyn Supply,
    executor: &'a RefCell<Executor>,
    /// Names for data sets that calls before gave.
    named: RefCell<BTreeMap<String, String>>,
    /// The text behind the last call that was read.
    open: RefCell<String>,
}

/// The most bytes in which the end of a call is waited for; all is read again once the text is there.
const MAX_OPEN: usize = 20_000;

impl<'a> Supplying<'a> {
    pub(super) fn new(supply: &'a dyn Supply, executor: &'a RefCell<Executor>) -> Self {
        Self { supply, executor, named: RefCell::default(), open: RefCell::default() }
    }

    /// More of the statement came.
    pub(super) fn hear(&self, text: &str) {
        let mut open = self.open.borrow_mut();
        open.push_str(text);
        // Only here can a call have ended.
        if text.contains([']', '>']) {
            let read = self.read(&open);
            open.drain(..read);
        }
        if open.len() > MAX_OPEN {
            open.clear();
        }
    }

    /// The statement begins anew.
    pub(super) fn forget(&self) {
        self.open.borrow_mut().clear();
        self.named.borrow_mut().clear();
    }

    /// Has fetched what a text's calls need; says up to where whole calls stand.
    fn read(&self, text: &str) -> usize {
        let mut end = 0;
        for site in sites(text) {
            let Ok(bracket) = &site.bracket else { continue };
            end = site.at + site.source.len();
            let executor = self.executor.borrow();
            for needed in needs(executor.hubs(), bracket, &mut self.named.borrow_mut()) {
                self.supply.begin(&needed);
            }
        }
        end
    }

    /// Waits for what a whole statement needs.
    pub(super) async fn whole(&self, statement: &str) {
        self.forget();
        self.read(statement);
        self.supply.settled().await;
    }
}

/// What a bracket's calls need that is not at hand. Names that it gives to data sets are kept.
fn needs(hubs: &Hubs, bracket: &Bracket, named: &mut BTreeMap<String, String>) -> Vec<Needed> {
    let mut all = Vec::new();
    let mut loaded = None;
    for call in &bracket.calls {
        let on = of_call(hubs, call, named, &mut all);
        loaded = on.filter(|_| call.api == Api::Load).or(loaded);
    }
    if let Some(BracketOutput::Name(name)) = bracket.tag.as_ref().map(|tag| &tag.output)
        && let Some(dataset) = loaded
    {
        named.insert(name.clone(), dataset);
    }
    all
}

/// The data set that a call is about; what it needs goes to `all`.
fn of_call(
    hubs: &Hubs,
    call: &Call,
    named: &BTreeMap<String, String>,
    all: &mut Vec<Needed>,
) -> Option<String> {
    let first = call.arguments.first()?;
    let dataset = match (call.api, first) {
        (Api::Load, name) => name.words(),
        (Api::Reason, Value::Call(inner)) => of_call(hubs, inner, named, all),
        (Api::Reason, Value::Name(name)) => named.get(name).cloned(),
        _ => None,
    };
    for value in call.arguments.iter().skip(1) {
        if let Value::Call(inner) = value {
            of_call(hubs, inner, named, all);
        }
    }
    let dataset = dataset?;
    let asked = match call.arguments.get(1) {
        Some(Value::Text(name) | Value::Name(name)) if call.api == Api::Reason => {
            name.split_once(':').and_then(|(model, _)| models::find(model))
        }
        _ => None,
    };
    let model = asked.filter(|model| hubs.model(model, &dataset).is_err()).map(|model| model.id);
    if model.is_some() || hubs.data(&dataset).is_err() {
        all.push(Needed { dataset: dataset.clone(), model });
    }
    Some(dataset)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::toolformer::Mode;

    #[derive(Default)]
    struct Asked(RefCell<BTreeSet<Needed>>);

    impl Supply for Asked {
        fn begin(&self, needed: &Needed) {
            self.0.borrow_mut().insert(needed.clone());
        }

        fn settled(&self) -> BoxFuture<'_, ()> {
            Box::pin(std::future::ready(()))
        }
    }

    fn asked(text: &str, size: usize) -> Vec<(String, Option<&'static str>)> {
        let executor = RefCell::new(Executor::new(Hubs::new().unwrap(), Mode::Ours));
        let supply = Asked::default();
        let supplying = Supplying::new(&supply, &executor);
        let letters: Vec<char> = text.chars().collect();
        for piece in letters.chunks(size) {
            supplying.hear(&piece.iter().collect::<String>());
        }
        supply.0.take().into_iter().map(|n| (n.dataset, n.model)).collect()
    }

    #[test]
    fn what_is_not_here_is_asked_for_once_its_call_is_whole() {
        let papers = r#"Paper 3 is about [GR(GL("papers"), "graph_bert:topic", paper#3)-->r]"#;
        let unfinished = &papers[..papers.len() - 1];
        let expected = vec![("papers".to_owned(), Some("graph_bert"))];
        for size in [1, 3, 1_000] {
            assert_eq!(asked(papers, size), expected, "pieces of {size}");
            assert!(asked(unfinished, size).is_empty());
        }
        let here = r#"It has [GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r] nodes."#;
        assert!(asked(here, 1).is_empty());
        let unknown = r#"[GR(GL("atlantis"), "oracle:future")-->r]"#;
        assert_eq!(asked(unknown, 1), [("atlantis".to_owned(), None)]);
    }

    #[test]
    fn names_and_inner_calls_are_followed() {
        let named = r#"[GL("wordnet")-->W] and [GR(W, "transe:tail_entity", entity#dog, relation#is_a)-->r]"#;
        let expected = vec![("wordnet".to_owned(), None), ("wordnet".to_owned(), Some("transe"))];
        assert_eq!(asked(named, 1), expected);
        let inner = r#"[GR(GL("films"), "bpr:recommendation", GR(GL("papers"), "graph_bert:topic", paper#1), item#2)-->r]"#;
        let expected =
            vec![("films".to_owned(), Some("bpr")), ("papers".to_owned(), Some("graph_bert"))];
        assert_eq!(asked(inner, 1), expected);
    }
}
