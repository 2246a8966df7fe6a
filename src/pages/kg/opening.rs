//! Opening: graphs of every kind, and files of questions about them.

use graph::formats::TableColumns;
use kg::stores::StoreAddress;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::kg::{
    KgSource, KgView, LoadGraph, MakeQuestions, PreviewTable, QuestionFile, ReadQuestions,
};
use protocol::problem::TableView;
use tasks::kgqa::is_of_questions;
use web_sys::File;

use super::state::PageState;
use crate::services::engine_client::{self, Beside};
use crate::services::{assets, files};

/// What the graph of WordNet is called.
pub(super) const WORDNET: &str = "WordNet's most used nouns";

/// How many questions are made for a graph.
const N_QUESTIONS: usize = 48;
/// How many questions of a person's own files are listed.
const MAX_LISTED: usize = 1_000;

/// What is to be opened.
#[derive(Clone)]
pub(super) struct Wanted {
    source: KgSource,
    files: Vec<File>,
    /// The question that is to be asked; the first of the list if absent.
    question: Option<String>,
    /// Files of questions about it.
    of_questions: Vec<File>,
}

/// The files that questions are from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AskedFrom {
    pub(crate) names: Vec<String>,
    /// How many questions they have.
    pub(crate) n: usize,
    /// Of how many all answers are nodes of the graph, where that is known.
    pub(crate) n_known: Option<usize>,
}

impl Default for AskedFrom {
    fn default() -> Self {
        Self { names: Vec::new(), n: 0, n_known: Some(0) }
    }
}

impl PageState {
    /// Opens a generated town, some of whose facts stand in texts alone.
    pub(crate) fn open_town(self, seed: u64, question: Option<String>) {
        self.open(KgSource::Town { seed }, Vec::new(), question);
    }

    /// Opens a generated network, and asks the question, or the first of its list.
    pub(crate) fn open_metro(self, n_lines: usize, seed: u64, question: Option<String>) {
        self.open(KgSource::Metro { n_lines, seed }, Vec::new(), question);
    }

    /// Opens a tiny graph with made-up types, on which our own small model can plan.
    pub(crate) fn open_tiny(self, seed: u64, question: Option<String>) {
        self.open(KgSource::Tiny { seed }, Vec::new(), question);
    }

    /// Opens WordNet's most used nouns, which lie beside the page.
    pub(crate) fn open_wordnet(self) {
        self.graph.opening.set(true);
        self.session.notice.set(None);
        spawn_local(async move {
            match assets::file("assets/kgs/wordnet/graph.jsonl.gz").await {
                Ok(file) => {
                    let title = WORDNET.to_owned();
                    self.open(of_files(title), vec![file], Some(String::new()));
                }
                Err(message) => {
                    self.graph.opening.set(false);
                    self.session.notice.set(Some(message));
                }
            }
        });
    }

    /// Opens files of a person's own: those of a graph take the place of the one that is open, those
    /// of questions the place of the questions.
    pub(crate) fn open_files(self, list: Vec<File>) {
        if let Some(problem) = list.iter().find_map(files::too_large) {
            self.session.notice.set(Some(problem));
            return;
        }
        self.session.notice.set(None);
        let turn = self.turn.get_value();
        spawn_local(async move {
            let (mut of_graph, mut of_questions) = (Vec::new(), Vec::new());
            for file in list {
                if !may_have_questions(&file).await {
                    of_graph.push(file);
                    continue;
                }
                match read_questions(&file, 0).await {
                    Ok(Some(_)) => of_questions.push(file),
                    Ok(None) => of_graph.push(file),
                    Err(message) => return self.session.notice.set(Some(message)),
                }
            }
            if self.turn.get_value() != turn {
                return;
            }
            let Some(first) = of_graph.first() else {
                self.session.abandon();
                return self.take_questions(&of_questions).await;
            };
            let source = of_files(first.name());
            let question = Some(String::new());
            let wanted = Wanted { source, files: of_graph, question, of_questions };
            for file in &wanted.files {
                match preview(file).await {
                    Ok(None) => {}
                    Ok(Some(view)) => return self.table.set(Some((view, wanted))),
                    Err(message) => return self.session.notice.set(Some(message)),
                }
            }
            self.open_wanted(wanted);
        });
    }

    /// Opens the files whose table was shown, with the columns that a person named.
    pub(super) fn open_table(self, columns: TableColumns) {
        let Some((_, mut wanted)) = self.table.get_untracked() else { return };
        if let KgSource::Files { columns: named, .. } = &mut wanted.source {
            *named = Some(columns);
        }
        self.table.set(None);
        self.open_wanted(wanted);
    }

    /// Reads files of questions in the place of the questions that are there.
    async fn take_questions(self, of_questions: &[File]) {
        let turn = self.turn.get_value();
        let (mut questions, mut from) = (Vec::new(), AskedFrom::default());
        for file in of_questions {
            match read_questions(file, MAX_LISTED).await {
                Ok(Some(read)) => {
                    from.names.push(file.name());
                    from.n += read.n;
                    from.n_known = from.n_known.zip(read.n_known).map(|(a, b)| a + b);
                    questions.extend(read.questions);
                }
                Ok(None) => {}
                Err(message) => return self.session.notice.set(Some(message)),
            }
        }
        // Another graph may have been opened meanwhile.
        if self.turn.get_value() != turn || questions.is_empty() {
            return;
        }
        questions.truncate(MAX_LISTED);
        self.forget();
        self.question.set(questions[0].question.clone());
        self.questions.set(questions);
        self.asked_from.set(Some(from));
    }

    /// Puts the questions that this page makes in the place of those of a person's own files.
    pub(crate) fn ask_made(self) {
        self.session.abandon();
        self.forget();
        self.asked_from.set(None);
        self.questions.set(Vec::new());
        self.question.set(String::new());
        let source = self.graph.source.get_untracked();
        if matches!(&source, KgSource::Files { title, .. } if title == WORDNET) {
            self.list_of_wordnet();
        }
        spawn_local(self.list(true));
    }

    /// Opens a graph that stays in a store.
    pub(crate) fn open_store(self, kind: &str, place: StoreAddress) {
        let source = KgSource::Store { kind: kind.to_owned(), place };
        self.open(source, Vec::new(), Some(String::new()));
    }

    /// Opens once more what could not be opened.
    pub(crate) fn open_again(self) {
        if let Some(wanted) = self.wanted.get_value() {
            self.open_wanted(wanted);
        }
    }

    fn open(self, source: KgSource, files: Vec<File>, question: Option<String>) {
        self.open_wanted(Wanted { source, files, question, of_questions: Vec::new() });
    }

    fn open_wanted(self, wanted: Wanted) {
        self.wanted.set_value(Some(wanted.clone()));
        let Wanted { source, files: list, question, of_questions } = wanted;
        self.stop();
        self.graph.opening.set(true);
        self.session.notice.set(None);
        let turn = self.turn.get_value();
        spawn_local(async move {
            let reply = load_graph(source.clone(), &list).await;
            if self.turn.get_value() != turn {
                return;
            }
            self.graph.opening.set(false);
            match reply {
                Ok(view) => {
                    let is_wordnet =
                        matches!(&source, KgSource::Files { title, .. } if title == WORDNET);
                    self.sparql.forget();
                    self.graph.set(view, source, list);
                    self.questions.set(Vec::new());
                    self.asked_from.set(None);
                    self.forget();
                    self.question.set(question.clone().unwrap_or_default());
                    if !of_questions.is_empty() {
                        self.take_questions(&of_questions).await;
                    }
                    if self.asked_from.with_untracked(Option::is_none) {
                        if is_wordnet {
                            self.list_of_wordnet();
                        }
                        self.list(question.is_none()).await;
                    }
                    self.graph.similarity.embed_names();
                }
                Err(message) => self.session.notice.set(Some(message)),
            }
        });
    }

    /// Lists questions with known answers: those of the generator, or such as are made from the types
    /// and edges of any other graph. Of a graph in a store none can be made.
    async fn list(self, take_first: bool) {
        let (min_hops, seed) = match self.graph.source.get_untracked() {
            KgSource::Metro { seed, .. } | KgSource::Tiny { seed } => (1, seed),
            // Some of a town's questions are answered by texts alone.
            KgSource::Town { seed } => (0, seed),
            KgSource::Files { .. } => (1, 1),
            KgSource::Store { .. } => return,
        };
        let turn = self.turn.get_value();
        let ask = MakeQuestions { n: N_QUESTIONS, min_hops, seed };
        if let Ok(questions) = engine_client::knowledge().ask(ask).await {
            // Another graph may have been opened meanwhile.
            if self.turn.get_value() != turn {
                return;
            }
            if take_first {
                // The first of several hops says more than the first of one.
                let first = questions.iter().find(|q| q.hops > 1).or(questions.first());
                self.question.set(first.map(|q| q.question.clone()).unwrap_or_default());
            }
            self.questions.update(|list| list.extend(questions));
        }
    }

    /// The questions on the graph of WordNet, each with its answer and a plan.
    fn list_of_wordnet(self) {
        let questions = tasks::kgqa::wordnet();
        if self.question.with_untracked(String::is_empty) {
            let first = questions.first().map(|q| q.question.clone());
            self.question.set(first.unwrap_or_default());
        }
        self.questions.set(questions);
    }
}

/// The first bytes of a file that are looked at.
const HEAD: i32 = 65_536;

/// Whether a file may be one of questions, as far as its first bytes tell: a large graph is not to be
/// read twice.
async fn may_have_questions(file: &File) -> bool {
    let Ok(text) = files::head(file, HEAD).await else { return true };
    // One question may be longer than the head.
    is_of_questions(&text) || text.len() >= HEAD as usize && !text.contains('\n')
}

/// Reads a file of questions, up to `n` of them; nothing if it is a file of something else.
async fn read_questions(file: &File, n: usize) -> Result<Option<QuestionFile>, String> {
    let list = [file.clone()];
    let beside = Beside { files: &list, ..Beside::default() };
    Ok(engine_client::knowledge().ask_with(&ReadQuestions { n }, &beside, |_, _| ()).await?)
}

fn of_files(title: String) -> KgSource {
    KgSource::Files { title, columns: None }
}

/// The first rows of a file, if it is a table whose columns a person has to name.
async fn preview(file: &File) -> Result<Option<TableView>, String> {
    let head = files::head(file, HEAD).await?;
    let ask = PreviewTable { name: file.name(), head };
    Ok(engine_client::knowledge().ask(ask).await?.0)
}

/// Opens a graph in the engine of knowledge graphs.
pub(super) async fn load_graph(source: KgSource, files: &[File]) -> Result<KgView, String> {
    let files = &files::in_utf8(files).await?[..];
    let beside = Beside { files, ..Beside::default() };
    let ask = LoadGraph { source };
    Ok(engine_client::knowledge().ask_with(&ask, &beside, |_, _| ()).await?)
}
