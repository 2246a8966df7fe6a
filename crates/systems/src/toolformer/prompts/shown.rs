//! Prompts to look at and to run: what kinds of calls the paper's prompts teach, task by task.
//!
//! Paper: Graph-ToolFormer §4.4 and Tables 1, 2, 5 and 7. The sentences are our own, and are about
//! data that are at hand.

use super::{Pair, make};
use crate::toolformer::hubs::Hubs;
use crate::toolformer::parse::sites;
use crate::toolformer::tree::{Api, Value};

/// Pairs that are made of a data set to find names for a call in.
const PAIRS: usize = 160;

/// A prompt with the kind of call that it teaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPrompt {
    /// A stable id.
    pub id: &'static str,
    /// What kind of call it teaches, as a sentence.
    pub teaches: &'static str,
    /// The prompt.
    pub pair: Pair,
}

/// The prompts of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownTask {
    /// A stable id.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
    /// The prompts whose data are at hand.
    pub prompts: Vec<ShownPrompt>,
}

/// A prompt without gaps, or with `{1}`, `{2}` and `{3}` for the arguments of a call that a pair
/// about its data set makes, and `{a}`, `{b}`, `{c}` for their ids alone; `{answer}` is its answer.
struct Line {
    id: &'static str,
    teaches: &'static str,
    dataset: &'static str,
    /// Whose arguments fill the gaps; empty where there are none.
    function: &'static str,
    input: &'static str,
    output: &'static str,
}

struct Task {
    id: &'static str,
    title: &'static str,
    lede: &'static str,
    lines: &'static [Line],
}

const fn plain(
    id: &'static str,
    dataset: &'static str,
    teaches: &'static str,
    input: &'static str,
    output: &'static str,
) -> Line {
    Line { id, teaches, dataset, function: "", input, output }
}

const fn filled(
    id: &'static str,
    [dataset, function]: [&'static str; 2],
    teaches: &'static str,
    input: &'static str,
    output: &'static str,
) -> Line {
    Line { id, teaches, dataset, function, input, output }
}

static TASKS: &[Task] = &[
    Task {
        id: "loading",
        title: "Loading",
        lede: "GL stands before what it loads, and leaves the sentence as it was.",
        lines: &[
            plain(
                "load-whole",
                "gpr",
                "A graph of a set, with all its nodes and links.",
                "The lollipop graph has a round head and a long stick.",
                "The [GL(\"gpr\", {\"lollipop_graph\"}, \"all nodes\", \"all links\")] lollipop graph has a \
                 round head and a long stick.",
            ),
            plain(
                "load-nodes",
                "gpr",
                "Some nodes, with the links between them.",
                "Nodes 0, 1 and 2 of the bull graph are its face.",
                "Nodes 0, 1 and 2 of the [GL(\"gpr\", {\"bull_graph\"}, {0, 1, 2}, \"all related \
                 links\")] bull graph are its face.",
            ),
            plain(
                "load-links",
                "gpr",
                "Some links, with their ends.",
                "In the house graph a wall joins 0 and 1.",
                "In the [GL(\"gpr\", {\"house_graph\"}, {0, 1}, {(0, 1)})] house graph a wall joins 0 \
                 and 1.",
            ),
            plain(
                "load-network",
                "village",
                "A network that is a data set of its own.",
                "Everybody in the village knows somebody there.",
                "Everybody in the [GL(\"village\", \"all people\", \"all links\")] village knows \
                 somebody there.",
            ),
            filled(
                "load-facts",
                ["family", "tail_entity"],
                "Entities of a knowledge graph, with all facts between them.",
                "The family's facts tell what {a} has to do with {answer}.",
                "The [GL(\"family\", {\"{a}\", \"{answer}\"}, \"all related facts\")] family's facts \
                 tell what {a} has to do with {answer}.",
            ),
            plain(
                "load-named",
                "gpr",
                "A graph that is given a name, of which later calls speak.",
                "The star graph has [TBR] nodes, and a density of [TBR].",
                "The [GL(\"gpr\", {\"star_graph\"})-->G_s] star graph has [GR(G_s, \"toolx:order\")-->r] \
                 nodes, and a density of [GR(G_s, \"toolx:density\")-->r].",
            ),
        ],
    },
    Task {
        id: "properties",
        title: "Properties of graphs",
        lede: "toolx computes; nothing is learned.",
        lines: &[
            plain(
                "property-question",
                "gpr",
                "A question becomes the statement that answers it.",
                "How many nodes are in the diamond graph?",
                "The diamond graph has [GR(GL(\"gpr\", {\"diamond_graph\"}), \"toolx:order\")-->r] nodes.",
            ),
            plain(
                "property-statement",
                "gpr",
                "A statement keeps its words, and a call takes the place of [TBR].",
                "The nodes in the middle of the path graph are [TBR].",
                "The nodes in the middle of the path graph are [GR(GL(\"gpr\", {\"path_graph\"}), \
                 \"toolx:center\")-->r].",
            ),
            plain(
                "property-node",
                "gpr",
                "A function of a node: the node is an argument.",
                "How far is node #0 of the octahedral graph from the node that is farthest?",
                "From node #0 of the octahedral graph the farthest node is [GR(GL(\"gpr\", \
                 {\"octahedral_graph\"}), \"toolx:eccentricity\", \"node#0\")-->r] links away.",
            ),
            plain(
                "property-path",
                "gpr",
                "A function of two nodes.",
                "How long is the way from node #1 to node #4 in the house graph?",
                "In the house graph the way from node #1 to node #4 is [GR(GL(\"gpr\", \
                 {\"house_graph\"}), \"toolx:shortest_path\", \"node#1\", \"node#4\")-->r] links long.",
            ),
            plain(
                "property-several",
                "gpr",
                "Two calls in one statement, each with its own result.",
                "The wheel graph has radius [TBR] and diameter [TBR].",
                "The wheel graph has radius [GR(GL(\"gpr\", {\"wheel_graph\"}), \"toolx:radius\")-->r] and \
                 diameter [GR(GL(\"gpr\", {\"wheel_graph\"}), \"toolx:diameter\")-->r].",
            ),
            plain(
                "property-nested",
                "gpr",
                "A call as an argument of another: what is inside runs first.",
                "How eccentric are the nodes in the centre of the path graph?",
                "The nodes in the centre of the path graph have the eccentricities [GR(GL(\"gpr\", \
                 {\"path_graph\"}), \"toolx:eccentricity\", GR(GL(\"gpr\", {\"path_graph\"}), \
                 \"toolx:center\"))-->r].",
            ),
        ],
    },
    Task {
        id: "papers",
        title: "Topics of papers",
        lede: "graph_bert tells the topic of a paper from its words and from the papers around it.",
        lines: &[filled(
            "topic",
            ["papers", "topic"],
            "A model that was trained, asked about one node.",
            "Which field does paper #{a} belong to?",
            "Paper #{a} belongs to the field of [GR(GL(\"papers\"), \"graph_bert:topic\", {1})-->r].",
        )],
    },
    Task {
        id: "molecules",
        title: "Functions of molecules",
        lede: "seg_bert tells the class of a whole graph.",
        lines: &[filled(
            "molecule",
            ["molecules", "molecule_function"],
            "A graph of a set by its number, asked about as a whole.",
            "Molecule #{a} is of class [TBR].",
            "Molecule #{a} is of class [GR(GL(\"molecules\"), \"seg_bert:molecule_function\", \
             {1})-->r].",
        )],
    },
    Task {
        id: "films",
        title: "What people may like",
        lede: "bpr scores what a user may like, and ranks the best.",
        lines: &[
            filled(
                "score",
                ["films", "recommendation"],
                "Two nodes of different kinds as arguments.",
                "How likely does user #{a} want to see film #{b}?",
                "User #{a} wants to see film #{b} with a likelihood of [GR(GL(\"films\"), \
                 \"bpr:recommendation\", {1}, {2})-->r].",
            ),
            filled(
                "topk",
                ["films", "topk_recommendation"],
                "A number as an argument, and a list as the result.",
                "What should user #{a} see next?",
                "User #{a} should see one of [GR(GL(\"films\"), \"bpr:topk_recommendation\", {1}, \
                 3)-->r] next.",
            ),
        ],
    },
    Task {
        id: "village",
        title: "Communities",
        lede: "kmeans groups people by the friends that they share; nothing is learned before.",
        lines: &[
            filled(
                "community",
                ["village", "community"],
                "The community of one person.",
                "To which community of the village does user #{a} belong?",
                "User #{a} belongs to the community [GR(GL(\"village\"), \"kmeans:community\", {1})-->r] \
                 of the village.",
            ),
            filled(
                "same-community",
                ["village", "common_community_check"],
                "A comparison of two people, whose result is a word.",
                "User #{a} and user #{b} belong to [TBR] community of the village.",
                "User #{a} and user #{b} belong to [GR(GL(\"village\"), \
                 \"kmeans:common_community_check\", {1}, {2})-->r] community of the village.",
            ),
            plain(
                "communities",
                "village",
                "A function of the whole network, without arguments.",
                "How many communities are in the village?",
                "There are [GR(GL(\"village\"), \"kmeans:community_count\")-->r] communities in the \
                 village.",
            ),
        ],
    },
    Task {
        id: "facts",
        title: "Missing parts of facts",
        lede: "transe gives the head, the relation or the tail of a fact from the two others.",
        lines: &[
            filled(
                "tail",
                ["family", "tail_entity"],
                "Head and relation are told, the tail is asked for.",
                "Whom or what does entity #{a} have by relation #{b}?",
                "By relation #{b} entity #{a} has [GR(GL(\"family\"), \"transe:tail_entity\", {1}, \
                 {2})-->r].",
            ),
            filled(
                "head",
                ["family", "head_entity"],
                "Relation and tail are told, and stand in this order; the head is asked for.",
                "Who has entity #{b} by relation #{a}?",
                "Entity #{b} is had by relation #{a} by [GR(GL(\"family\"), \"transe:head_entity\", \
                 {1}, {2})-->r].",
            ),
            filled(
                "relation",
                ["family", "relation"],
                "Both entities are told, the relation is asked for.",
                "What joins entity #{a} to entity #{b}?",
                "Entity #{a} is joined to entity #{b} by [GR(GL(\"family\"), \"transe:relation\", {1}, \
                 {2})-->r].",
            ),
        ],
    },
    Task {
        id: "beyond",
        title: "Beyond what was learned",
        lede: "Data and tasks that no prompt had. In the paper six of seven statements on new data had \
               the right calls, and one of six on new tasks. A call of what is not there gives an \
               error, never a made-up answer.",
        lines: &[
            plain(
                "new-data",
                "village",
                "A known function on data that no prompt joined it with.",
                "How dense is the village's network?",
                "The village's network has a density of [GR(GL(\"village\"), \"toolx:density\")-->r].",
            ),
            plain(
                "no-data",
                "gpr",
                "A data set that nobody has: the call stands, with the reason.",
                "How dense is the network of roads?",
                "The network of roads has a density of [GR(GL(\"roads\"), \"toolx:density\")-->r].",
            ),
            plain(
                "new-task",
                "gpr",
                "A function that nobody has: the call stands, with what there is.",
                "What is the prettiness of the bull graph?",
                "The prettiness of the bull graph is [GR(GL(\"gpr\", {\"bull_graph\"}), \
                 \"toolx:prettiness\")-->r].",
            ),
            plain(
                "no-task",
                "papers",
                "A question that no function answers: the right statement calls nothing.",
                "Who wrote the papers on databases?",
                "Nobody here knows who wrote the papers on databases.",
            ),
        ],
    },
];

/// The prompts about the data at hand, task by task.
///
/// # Complexity
/// O(pairs) made of each data set that fills gaps.
pub fn shown(hubs: &Hubs) -> Vec<ShownTask> {
    let mut made: Vec<(&str, Vec<Pair>)> = Vec::new();
    TASKS
        .iter()
        .map(|task| {
            let prompts = task.lines.iter().filter_map(|line| prompt(hubs, &mut made, line));
            let (id, title, lede) = (task.id, task.title, task.lede);
            ShownTask { id, title, lede, prompts: prompts.collect() }
        })
        .collect()
}

fn prompt(
    hubs: &Hubs,
    made: &mut Vec<(&'static str, Vec<Pair>)>,
    line: &Line,
) -> Option<ShownPrompt> {
    hubs.data(line.dataset).ok()?;
    let (mut input, mut output) = (line.input.to_owned(), line.output.to_owned());
    if !line.function.is_empty() {
        if made.iter().all(|(dataset, _)| *dataset != line.dataset) {
            made.push((line.dataset, make(hubs, line.dataset, PAIRS, 1).ok()?));
        }
        let (_, pairs) = made.iter().find(|(dataset, _)| *dataset == line.dataset)?;
        let called = format!(":{}\"", line.function);
        let pair = pairs.iter().find(|p| p.output.contains(&called) && p.answer.is_some());
        let pair = pair.or_else(|| pairs.iter().find(|p| p.output.contains(&called)))?;
        let mut gaps = vec![("{answer}".to_owned(), pair.answer.clone().unwrap_or_default())];
        for (i, value) in arguments(&pair.output)?.into_iter().enumerate() {
            let letter = char::from(b'a' + u8::try_from(i).ok()?);
            gaps.push((format!("{{{}}}", i + 1), value.to_string()));
            gaps.push((format!("{{{letter}}}"), value.words()?));
        }
        for (gap, words) in gaps {
            input = input.replace(&gap, &words);
            output = output.replace(&gap, &words);
        }
    }
    let dataset = line.dataset.to_owned();
    let pair = Pair { input, output, answer: None, template: String::new(), dataset };
    Some(ShownPrompt { id: line.id, teaches: line.teaches, pair })
}

/// What stands behind the function in the only call of a statement.
fn arguments(statement: &str) -> Option<Vec<Value>> {
    let bracket = sites(statement).into_iter().next()?.bracket.ok()?;
    let call = bracket.calls.into_iter().next().filter(|call| call.api == Api::Reason)?;
    Some(call.canonical().arguments.into_iter().skip(2).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolformer::{CallError, Executor, Mode};

    #[test]
    fn every_prompt_runs_or_says_what_it_lacks() {
        let hubs = Hubs::new().unwrap();
        let tasks = shown(&hubs);
        assert_eq!(tasks.iter().map(|t| t.prompts.len()).sum::<usize>(), 26);
        let mut ids = std::collections::BTreeSet::new();
        for (task, prompt) in tasks.iter().flat_map(|t| t.prompts.iter().map(move |p| (t.id, p))) {
            assert!(ids.insert(prompt.id) && prompt.teaches.ends_with('.'), "{}", prompt.id);
            let Pair { input, output, .. } = &prompt.pair;
            for text in [input, output] {
                let has_gap =
                    ["{1}", "{2}", "{a}", "{b}", "{answer}"].iter().any(|g| text.contains(g));
                assert!(!has_gap && !text.contains("  "), "{text}");
            }
            assert!(sites(output).iter().all(|s| s.bracket.is_ok()), "{output}");
            let ran = Executor::new(hubs.clone(), Mode::Ours).run(output);
            let error = ran.calls().find_map(|c| c.error.clone());
            match (task, prompt.id, error) {
                (
                    "papers" | "molecules" | "films" | "facts",
                    _,
                    Some(CallError::NoModel { .. }),
                )
                | (_, "no-data", Some(CallError::UnknownDataset { .. }))
                | (_, "new-task", Some(CallError::UnknownFunction { .. })) => {}
                ("loading" | "properties" | "village" | "beyond", _, None) => {}
                (_, id, error) => panic!("{id}: {error:?}"),
            }
            // What only loads leaves the sentence as it was.
            if task == "loading" && prompt.id != "load-named" {
                assert_eq!(ran.text, *input);
            }
        }
    }

    #[test]
    fn what_is_not_at_hand_is_not_shown() {
        assert!(shown(&Hubs::default()).iter().all(|task| task.prompts.is_empty()));
    }
}
