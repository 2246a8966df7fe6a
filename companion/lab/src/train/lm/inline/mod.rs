//! Statements with inline tool calls: what is asked about is made up, a fresh name each time.
//!
//! Paper: Graph-ToolFormer §4.4. The sentences are the library's own and those of the public files;
//! no name of these files is used, and a question that equals one of them is left out by its hash.

mod names;
mod properties;
mod words;

use anyhow::Result;
use ownmodel::{is_word, name_of, some_word};
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use systems::toolformer::Hubs;
use systems::toolformer::data::Data;
use systems::toolformer::prompts::{Pair, TEMPLATES, make};

use names::{Look, name};
use words::Said;

/// What a set is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    Papers,
    /// Molecules, with what the benchmark calls them.
    Molecules(&'static str),
    /// Things that are recommended, with their kind.
    Things(&'static str),
    /// Facts, with what stands between `entity` and `#`.
    Facts(&'static str),
    Properties,
}

/// A set of statements.
#[derive(Debug)]
pub(crate) struct Set {
    /// Its name in calls.
    pub(crate) id: &'static str,
    /// Its name in the benchmark's sentences, and in the library's.
    titles: [&'static str; 2],
    about: About,
    said: &'static [Said],
    /// How its names look: the first, the second and relations.
    looks: [Look; 3],
}

const NUMBERS: [Look; 3] = [Look::Number; 3];
const LETTERED: [Look; 3] = [Look::Lettered('u'), Look::Lettered('i'), Look::Number];

const fn papers(id: &'static str, title: &'static str) -> Set {
    let (about, said) = (About::Papers, words::PAPERS);
    Set { id, titles: [id, title], about, said, looks: NUMBERS }
}

const fn molecules(id: &'static str, title: &'static str, kind: &'static str) -> Set {
    let (about, said) = (About::Molecules(kind), words::MOLECULES);
    Set { id, titles: [id, title], about, said, looks: NUMBERS }
}

/// The sets whose statements are taught.
pub(crate) static SETS: &[Set] = &[
    papers("cora", "Cora"),
    papers("citeseer", "Citeseer"),
    papers("pubmed", "PubMed"),
    molecules("mutag", "MUTAG", "chemical"),
    molecules("nci1", "NCI1", "chemical"),
    molecules("ptc", "PTC", "chemical"),
    molecules("proteins", "PROTEINS", "protein"),
    Set {
        id: "amazon",
        titles: ["Amazon", "Amazon"],
        about: About::Things("item"),
        said: words::GOODS,
        looks: [Look::Code; 3],
    },
    Set {
        id: "last-fm",
        titles: ["Last-fm", "Last.fm"],
        about: About::Things("artist"),
        said: words::MUSIC,
        looks: LETTERED,
    },
    Set {
        id: "movielens",
        titles: ["Movielens", "MovieLens"],
        about: About::Things("movie"),
        said: words::FILMS,
        looks: LETTERED,
    },
    Set {
        id: "freebase",
        titles: ["Freebase", "Freebase"],
        about: About::Facts(""),
        said: words::FACTS,
        looks: [Look::Machine, Look::Machine, Look::Path],
    },
    Set {
        id: "wordnet",
        titles: ["WordNet", "WordNet"],
        about: About::Facts(" "),
        said: words::FACTS,
        looks: [Look::Sense, Look::Sense, Look::Label],
    },
    Set {
        id: "gpr",
        titles: ["", ""],
        about: About::Properties,
        said: properties::PROPERTIES,
        looks: NUMBERS,
    },
];

/// What statements are made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sentences {
    /// Pairs that the library makes of its own data.
    pub(crate) pairs: Vec<Pair>,
    /// Graphs of `gpr`, by their names.
    graphs: Vec<String>,
    /// Words that names of other graphs are made of.
    words: Vec<String>,
}

impl Sentences {
    /// Makes so many pairs of each data set that is at hand, and takes the names of graphs.
    ///
    /// # Errors
    /// The data are not here.
    pub(crate) fn make(hubs: &Hubs, n: usize, seed: u64) -> Result<Self> {
        let mut pairs = Vec::new();
        for dataset in hubs.names() {
            pairs.extend(make(hubs, &dataset, n, seed)?);
        }
        let graphs = match hubs.data("gpr") {
            Ok((_, _, Data::Set(all))) => all.into_iter().map(|member| member.name).collect(),
            _ => Vec::new(),
        };
        let words = (0..ownmodel::n_words())
            .map(some_word)
            .filter(|token| is_word(*token))
            .map(name_of)
            .filter(|word| word.len() > 2 && word.bytes().all(|b| b.is_ascii_lowercase()))
            .filter(|word| !["graph", "tree"].contains(&word.as_str()))
            .collect();
        Ok(Self { pairs, graphs, words })
    }

    /// A statement of some set.
    pub(crate) fn any(&self, rng: &mut ChaCha8Rng) -> Option<Pair> {
        // Properties have many more wordings than the others.
        let set = match rng.random_bool(0.25) {
            true => SETS.last()?,
            false => SETS.choose(rng)?,
        };
        self.of(rng, set)
    }

    /// A statement of that set.
    pub(crate) fn of(&self, rng: &mut ChaCha8Rng, set: &Set) -> Option<Pair> {
        let (input, output, is_own) = match rng.random_bool(0.7) {
            true => {
                let (asked, said) = *set.said.choose(rng)?;
                let asked = if asked.is_empty() { asking(said) } else { asked.to_owned() };
                (asked, said.to_owned(), false)
            }
            false => own_words(rng, set)?,
        };
        let graph = self.graph(rng);
        let mut a = name(rng, set.looks[0]);
        let mut b = name(rng, set.looks[1]);
        if set.about == About::Properties {
            (a, b) = (rng.random_range(0..200).to_string(), rng.random_range(0..200).to_string());
        }
        let r = name(rng, set.looks[2]);
        // One thing is what is most likely.
        let k = match output.contains("{k}") {
            true => *["1", "2", "3", "5", "7", "10", "10", "10", "15", "20", "50"].choose(rng)?,
            false => "1",
        };
        let (kind, gap) = match set.about {
            About::Molecules(kind) | About::Things(kind) => (kind, ""),
            About::Facts(gap) => ("", gap),
            _ => ("", ""),
        };
        let title = set.titles[usize::from(is_own)];
        let asked = [("a", a.as_str()), ("b", b.as_str()), ("r", &r), ("k", k)];
        let fill = |text: &str| -> String {
            let mut text = text
                .replace("{data}", title)
                .replace("{kind}", kind)
                .replace("{item}", kind)
                .replace("{gap}", gap)
                .replace("{graph}", &graph.replace('_', " "));
            for (slot, value) in asked {
                text = text.replace(&format!("{{{slot}}}"), value);
            }
            capital(&text)
        };
        let called = Called { set, kind, graph: &graph, asked, uses: &input };
        let output = called.filled(&output)?;
        Some(Pair {
            input: fill(&input),
            output: fill(&output),
            answer: None,
            template: String::new(),
            dataset: set.id.to_owned(),
        })
    }

    /// The name of a graph: one that there is, or one of words that stand beside each other nowhere.
    fn graph(&self, rng: &mut ChaCha8Rng) -> String {
        if let Some(name) = self.graphs.choose(rng)
            && rng.random_bool(0.5)
        {
            return name.clone();
        }
        let n = rng.random_range(1..=3);
        let mut parts: Vec<&str> =
            (0..n).filter_map(|_| self.words.choose(rng)).map(String::as_str).collect();
        parts.push(if rng.random_bool(0.12) { "tree" } else { "graph" });
        parts.join("_")
    }
}

/// A sentence from a capital letter on.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// A statement without its calls, with `[TBR]` for those whose results are shown.
fn asking(said: &str) -> String {
    let mut text = String::new();
    let mut rest = said;
    while let Some((before, after)) = rest.split_once('<') {
        let Some((call, after)) = after.split_once('>') else { break };
        match call.ends_with('!') {
            true => text.push_str(before.trim_end()),
            false => {
                text.push_str(before);
                text.push_str("[TBR]");
            }
        }
        rest = after;
    }
    text + rest
}

/// A sentence of the library's, in the form of those of the benchmark.
fn own_words(rng: &mut ChaCha8Rng, set: &Set) -> Option<(String, String, bool)> {
    let fits = |function: &str| match set.about {
        About::Papers => function == "topic",
        About::Molecules(_) => function == "molecule_function",
        About::Things(_) => function.ends_with("recommendation"),
        About::Facts(_) => ["relation", "head_entity", "tail_entity"].contains(&function),
        About::Properties => {
            set.said.iter().any(|(_, said)| said.contains(&format!("<{function}>")))
        }
    };
    let all: Vec<_> = TEMPLATES.iter().filter(|template| fits(template.function)).collect();
    let template = all.choose(rng)?;
    let call = format!("<{}>", template.function);
    let say = |statement: &str| {
        // `<f>` is silent there, and no space is before it.
        let silent = statement.replace('<', " <").replace('>', "!>");
        silent.replace("[TBR]", &call)
    };
    let picked = rng.random_range(0..template.statements.len() + template.questions.len());
    Some(match template.statements.get(picked) {
        Some(statement) => (asking(&say(statement)), say(statement), true),
        None => {
            let question = template.questions.get(picked - template.statements.len())?;
            ((*question).to_owned(), say(template.statements.first()?), true)
        }
    })
}

/// What calls of a statement are about.
struct Called<'a> {
    set: &'a Set,
    kind: &'a str,
    graph: &'a str,
    asked: [(&'static str, &'a str); 4],
    /// What is asked, which names the nodes that it is about.
    uses: &'a str,
}

impl Called<'_> {
    /// A statement with its calls in their places.
    fn filled(&self, said: &str) -> Option<String> {
        let mut text = String::new();
        let mut rest = said;
        while let Some((before, after)) = rest.split_once('<') {
            let (call, after) = after.split_once('>')?;
            text.push_str(before);
            text.push_str(&match call.strip_suffix('!') {
                Some(silent) => format!("[{}]", self.call(silent, true)),
                None => format!("[{}-->r]", self.call(call, false)),
            });
            rest = after;
        }
        Some(text + rest)
    }

    fn call(&self, function: &str, is_silent: bool) -> String {
        let (id, kind) = (self.set.id, self.kind);
        let [(_, a), (_, b), (_, r), (_, k)] = self.asked;
        let (domain, arguments) = match function {
            "topic" => ("graph_bert", format!("paper#{a}")),
            "molecule_function" => ("seg_bert", format!("instance#{a}")),
            "recommendation" => ("bpr", format!("user#{a}, {kind}#{b}")),
            "topk_recommendation" => ("bpr", format!("user#{a}, {k}")),
            "relation" => ("transe", format!("entity#{a}, entity#{b}")),
            "head_entity" => ("transe", format!("relation#{r}, entity#{b}")),
            "tail_entity" => ("transe", format!("entity#{a}, relation#{r}")),
            _ => {
                let uses = |slot: &str| !is_silent && self.uses.contains(slot);
                let node = |n: &str| format!(", \"node#{n}\"");
                let a = if uses("{a}") { node(a) } else { String::new() };
                let b = if uses("{b}") { node(b) } else { String::new() };
                let graph = self.graph;
                return format!("GR(GL(\"gpr\", {{\"{graph}\"}}), \"toolx:{function}\"{a}{b})");
            }
        };
        format!("GR(GL(\"{id}\"), \"{domain}:{function}\", {arguments})")
    }
}
