//! State of the Graph-ToolFormer page that needs no browser.

mod drawing;

use draw::Places;
use protocol::toolformer::{CallView, PieceView, RunView};
use systems::toolformer::{Bracket, BracketOutput, Call, Replacement, Shown, Value};

pub use drawing::{calm, made_out, tag_scores, with_room};

/// Who writes, where a person does.
pub const PERSON: &str = "person";
/// Who writes, where the endpoint in use does.
pub const ENDPOINT: &str = "endpoint";
/// The statement that stands in the field when the page is opened.
pub const FIRST: &str = "The bull graph has [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r] nodes, and its radius is [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:radius\")-->r].";

/// Whether a file holds weights rather than data.
pub fn is_weights(name: &str) -> bool {
    name.to_lowercase().ends_with(".safetensors")
}

/// What the working memory held after so many steps.
pub fn memory_at(run: &RunView, at: usize) -> &[Shown] {
    let now = run.memory.iter().rev().find(|(after, _)| *after <= at);
    now.map(|(_, memory)| memory.as_slice()).unwrap_or_default()
}

/// The places that hold after so many steps, and up to which step they do.
pub fn places_at(run: &RunView, at: usize) -> Option<(&Places, usize)> {
    let now = run.places.iter().rposition(|(from, _)| *from <= at)?;
    let end = run.places.get(now + 1).map_or(run.trace.steps.len(), |(from, _)| from - 1);
    Some((&run.places[now].1, end))
}

/// A number with at most four places, for people; what is no number stays as it is.
pub fn rounded(truth: &str) -> String {
    match truth.parse::<f64>() {
        Ok(n) if truth.contains('.') => {
            let places = format!("{n:.4}");
            places.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => truth.to_owned(),
    }
}

/// What a person is told of a statement while it is typed, and whether it is a fault.
pub fn describe(pieces: &[PieceView]) -> (bool, String) {
    let calls: Vec<&CallView> = calls_of(pieces).collect();
    let fault = calls.iter().enumerate().find_map(|(i, c)| c.error.as_ref().map(|e| (i, e)));
    match (fault, calls.len()) {
        (Some((i, error)), _) => (true, format!("Call {} cannot be read: {error}", i + 1)),
        (None, 0) => {
            (false, "No call in it: [GR(…)-->r] stands where a result is to stand.".to_owned())
        }
        (None, 1) => (false, "One call, which can be read.".to_owned()),
        (None, n) => (false, format!("{n} calls, all of which can be read.")),
    }
}

/// What stands in a bracket's place in the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chip {
    /// It has not run yet.
    Waiting(String),
    /// Its result.
    Result(String),
    /// It is silent: nothing, once it has run.
    Silent(String),
    /// It failed, and stands as it was.
    Failed(String),
}

/// A bracket as a chip after so many steps; `keeps` leaves the call where its result would stand.
pub fn chip(call: &CallView, at: usize, keeps: bool) -> Chip {
    let short = || shortened(call);
    if at < call.done_at {
        return Chip::Waiting(short());
    }
    match call.place {
        Replacement::Itself => Chip::Failed(short()),
        Replacement::Nothing => Chip::Silent(short()),
        Replacement::Result if keeps => Chip::Result(format!("{} → {}", short(), call.result)),
        Replacement::Result => Chip::Result(call.result.clone()),
    }
}

/// A call in a few words: `toolx:order`, or `GL cora`; what cannot be read, as it was written.
pub fn shortened(call: &CallView) -> String {
    let Some(bracket) = &call.bracket else { return cut(&call.source, 40) };
    let name = |call: &Call| {
        let texts: Vec<String> = call.arguments.iter().filter_map(Value::words).collect();
        let asked = texts.iter().find(|t| t.contains(':')).or(texts.first());
        let what = asked.cloned().unwrap_or_default();
        match call.api {
            systems::toolformer::Api::Load => format!("GL {what}"),
            systems::toolformer::Api::Reason => what,
        }
    };
    cut(&bracket.calls.iter().map(name).collect::<Vec<_>>().join(", "), 40)
}

fn cut(text: &str, most: usize) -> String {
    let mut out: String = text.chars().take(most).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// A part of a parse tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// What sort of part it is.
    pub kind: &'static str,
    /// What it shows, in words.
    pub words: String,
    /// Its parts.
    pub parts: Vec<Self>,
}

/// A bracket as a tree.
pub fn tree(bracket: &Bracket) -> Vec<Branch> {
    let leaf = |kind, words: String| Branch { kind, words, parts: Vec::new() };
    let mut all: Vec<Branch> = bracket.calls.iter().map(branch_of).collect();
    if let Some(tag) = &bracket.tag {
        let words = match &tag.output {
            BracketOutput::Result => "the result stands here".to_owned(),
            BracketOutput::Value(claimed) => {
                format!("the result stands here; {claimed} is claimed")
            }
            BracketOutput::Name(name) => format!("named {name} for later calls"),
        };
        all.push(leaf("tag", format!("{} {words}", tag.arrow.text())));
    } else {
        all.push(leaf("tag", "silent: nothing stands here".to_owned()));
    }
    all
}

fn branch_of(call: &Call) -> Branch {
    let words = match call.api {
        systems::toolformer::Api::Load => "GL, graph loading",
        systems::toolformer::Api::Reason => "GR, graph reasoning",
    };
    let parts = call.arguments.iter().map(value_branch).collect();
    Branch { kind: "call", words: words.to_owned(), parts }
}

fn value_branch(value: &Value) -> Branch {
    let leaf = |kind, words: String| Branch { kind, words, parts: Vec::new() };
    let several = |kind, all: &[Value]| Branch {
        kind,
        words: match all.len() {
            1 => "1 element".to_owned(),
            n => format!("{n} elements"),
        },
        parts: all.iter().take(40).map(value_branch).collect(),
    };
    match value {
        Value::Call(call) => branch_of(call),
        Value::Text(text) => {
            leaf(if text.contains(':') { "function" } else { "text" }, text.clone())
        }
        Value::Set(all) => several("set", all),
        Value::Tuple(all) => several("tuple", all),
        Value::Reference { kind, id } => leaf("reference", format!("{kind} {id}")),
        Value::Number(n) => leaf("number", n.to_string()),
        Value::Name(name) => leaf("name", name.clone()),
    }
}

/// The brackets among the pieces of a statement.
pub fn calls_of(pieces: &[PieceView]) -> impl Iterator<Item = &CallView> {
    pieces.iter().filter_map(|p| match p {
        PieceView::Call(call) => Some(call.as_ref()),
        PieceView::Text(_) => None,
    })
}

/// Data and weights that lie beside the page.
#[derive(Debug)]
pub struct Beside {
    /// A stable id, as calls name it.
    pub id: &'static str,
    /// What it is for people.
    pub title: &'static str,
    /// What it is good for, and how large it is.
    pub lede: &'static str,
    /// Its model, as calls name it.
    pub model: &'static str,
    /// Its files, data before weights.
    pub paths: &'static [&'static str],
    /// The file of its figures.
    pub figures: &'static str,
    /// What a reader of its figures has to know; mostly nothing.
    pub note: &'static str,
}

impl Beside {
    /// Which of them answers the calls of a statement about a data set, if any does.
    pub fn answering(dataset: &str, statement: &str) -> Option<&'static Self> {
        let asks = |model: &str| statement.contains(&format!("\"{model}:"));
        BESIDE.iter().find(|b| b.id == dataset && asks(b.model))
    }

    /// Which of them has data, and perhaps a model for them, that a call needs.
    pub fn supplying(dataset: &str, model: Option<&str>) -> Option<&'static Self> {
        BESIDE.iter().find(|b| b.id == dataset && model.is_none_or(|model| model == b.model))
    }

    /// What is told while it is loaded, in bytes that are here and that there will be.
    pub fn loading(&self, done: f64, total: f64) -> String {
        let thousands = |n: f64| (n / 1000.0).ceil();
        match total > 0.0 {
            true => format!("{}, {} of {} KB", self.title, thousands(done), thousands(total)),
            false => format!("{}, {} KB", self.title, thousands(done)),
        }
    }
}

/// Every trained model that ships with the site.
pub static BESIDE: [Beside; 5] = [
    Beside {
        id: "papers",
        title: "Graph-Bert for papers",
        lede: "topics of generated papers, 160 KB",
        model: "graph_bert",
        paths: &["assets/models/toolformer/graph_bert-papers.safetensors"],
        figures: "assets/models/toolformer/graph_bert-papers.json",
        note: "",
    },
    Beside {
        id: "molecules",
        title: "SEG-Bert for molecules",
        lede: "classes of generated molecules, 209 KB",
        model: "seg_bert",
        paths: &["assets/models/toolformer/seg_bert-molecules.safetensors"],
        figures: "assets/models/toolformer/seg_bert-molecules.json",
        note: "",
    },
    Beside {
        id: "films",
        title: "BPR for films",
        lede: "what people may like, 7 KB",
        model: "bpr",
        paths: &["assets/models/toolformer/bpr-films.safetensors"],
        figures: "assets/models/toolformer/bpr-films.json",
        note: "",
    },
    Beside {
        id: "family",
        title: "TransE for the family",
        lede: "missing facts of a generated family, 33 KB",
        model: "transe",
        paths: &["assets/models/toolformer/transe-family.safetensors"],
        figures: "assets/models/toolformer/transe-family.json",
        note: "",
    },
    Beside {
        id: "wordnet",
        title: "WordNet and TransE",
        lede: "its most used nouns and their missing facts, 1 MB",
        model: "transe",
        paths: &[
            "assets/kgs/wordnet/graph.jsonl.gz",
            "assets/models/toolformer/transe-wordnet.safetensors",
        ],
        figures: "assets/models/toolformer/transe-wordnet.json",
        note: "Nearly every held-out fact stands in the training the other way round (what is a \
               hypernym here is a hyponym there), and a rule that turns facts around finds it at \
               once. The model learned that relations are inverse, not what WordNet lacks.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use systems::toolformer::prompts::make;
    use systems::toolformer::report::ModelReport;
    use systems::toolformer::{CallError, Hubs, Segment, parse};

    pub(super) fn call(source: &str, place: Replacement) -> CallView {
        let site = parse(source).into_iter().find_map(|s| match s {
            Segment::Site(site) => Some(site),
            Segment::Text(_) => None,
        });
        CallView {
            source: source.to_owned(),
            bracket: site.and_then(|s| s.bracket.ok()),
            place,
            result: "5".to_owned(),
            error: None,
            steps: Vec::new(),
            done_at: 3,
        }
    }

    #[test]
    fn a_chip_waits_until_its_call_is_done() {
        let source = r#"[GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r]"#;
        let gives = call(source, Replacement::Result);
        assert_eq!(chip(&gives, 2, false), Chip::Waiting("toolx:order".into()));
        assert_eq!(chip(&gives, 3, false), Chip::Result("5".into()));
        assert_eq!(chip(&gives, 3, true), Chip::Result("toolx:order → 5".into()));
        let failed = call("[GR(GL(\"gpr\"", Replacement::Itself);
        assert_eq!(chip(&failed, 3, false), Chip::Failed("[GR(GL(\"gpr\"".into()));
        let silent = call("[GL(\"cora\")]", Replacement::Nothing);
        assert_eq!(chip(&silent, 3, true), Chip::Silent("GL cora".into()));
    }

    #[test]
    fn a_tree_has_the_inner_call_in_the_outer_one() {
        let of = call(r#"[GR(GL("cora"), "graph_bert:topic", paper#7)-->r]"#, Replacement::Result);
        let tree = tree(&of.bracket.unwrap());
        assert_eq!(tree.len(), 2, "the call and its tag");
        let kinds: Vec<&str> = tree[0].parts.iter().map(|b| b.kind).collect();
        assert_eq!(kinds, ["call", "function", "reference"]);
        assert_eq!(tree[0].parts[0].parts[0].words, "cora");
    }

    #[test]
    fn what_cannot_be_read_is_told_while_it_is_typed() {
        let good = || PieceView::Call(Box::new(call("[GL(\"cora\")]", Replacement::Nothing)));
        assert!(describe(&[PieceView::Text("No call.".into())]).1.starts_with("No call in it"));
        assert_eq!(describe(&[good()]), (false, "One call, which can be read.".into()));
        let source = "[GR(GL(\"gpr\", {\"bull_graph\"), \"toolx:order\")-->r]";
        let error = parse(source).into_iter().find_map(|s| match s {
            Segment::Site(site) => site.bracket.err(),
            Segment::Text(_) => None,
        });
        let error = CallError::Syntax { error: error.unwrap() }.to_string();
        let bad = CallView { error: Some(error), ..call(source, Replacement::Itself) };
        let (is_fault, words) = describe(&[good(), PieceView::Call(Box::new(bad))]);
        assert!(is_fault && words.starts_with("Call 2 cannot be read"), "{words}");
    }

    #[test]
    fn every_model_beside_the_page_beats_its_baseline() {
        for beside in &BESIDE {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(beside.figures);
            let figures = std::fs::read_to_string(path).unwrap();
            let report = ModelReport::read(&figures).unwrap();
            assert_eq!((report.model.as_str(), report.dataset.as_str()), (beside.model, beside.id));
            assert!(report.test > report.baseline, "{}", report.words());
            assert!(!report.held_out.is_empty() && !report.split.is_empty());
            // Where the baseline is better at something, the page says so and tells why.
            assert_eq!(report.caveat().is_some(), !beside.note.is_empty(), "{:?}", report.caveat());
        }
    }

    /// Whoever presses a statement of the gallery needs no other press.
    #[test]
    fn every_statement_about_what_is_made_finds_the_model_that_answers_it() {
        let hubs = Hubs::new().unwrap();
        let mut models = std::collections::BTreeSet::<&str>::new();
        for dataset in ["papers", "molecules", "films", "family", "village"] {
            for pair in make(&hubs, dataset, 160, 1).unwrap() {
                let trained: [&'static str; 4] = ["graph_bert", "seg_bert", "bpr", "transe"];
                let asked = trained.iter().find(|m| pair.output.contains(&format!("\"{m}:")));
                let found = Beside::answering(dataset, &pair.output);
                assert_eq!(found.map(|b| b.model), asked.copied(), "{}", pair.output);
                models.extend(asked.copied());
            }
        }
        assert_eq!(models.len(), 4);
        assert_eq!(BESIDE[0].loading(1_200.0, 159_456.0), "Graph-Bert for papers, 2 of 160 KB");
        assert_eq!(BESIDE[0].loading(1_200.0, 0.0), "Graph-Bert for papers, 2 KB");
    }

    #[test]
    fn what_is_true_is_rounded_for_people() {
        let all = ["0.7142857142857143", "4.626373626373627", "12", "2.0", "{12, 31}", "#p3"];
        let short: Vec<String> = all.iter().map(|t| rounded(t)).collect();
        assert_eq!(short, ["0.7143", "4.6264", "12", "2", "{12, 31}", "#p3"]);
    }

    #[test]
    fn weights_are_told_from_data_by_their_ending() {
        assert!(is_weights("BPR-films.SafeTensors"));
        assert!(!is_weights("cora.jsonl.gz"));
    }
}
