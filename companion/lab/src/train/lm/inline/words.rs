//! The words of the benchmark's own statements, beside those of `systems::toolformer::prompts`, which
//! are ours.
//!
//! `{data}` is the name of a set, `{a}` and `{b}` are what is asked about, `{r}` is a relation, `{k}`
//! a number and `{graph}` a graph. `<f>` is the place of a call of f, `<f!>` that of one whose result
//! is not shown. A statement asks with `[TBR]` in the places of calls that show their results.

/// What is asked, and the statement with its calls; where nothing is asked in other words, the
/// statement itself asks.
pub(super) type Said = (&'static str, &'static str);

pub(super) const PAPERS: &[Said] = &[
    (
        "",
        "In the context of the {data} bibliographic network, paper #{a} is dedicated to the study of <topic>.",
    ),
    ("", "Within the {data} bibliographic network, paper #{a} focuses on the subject of <topic>."),
    (
        "",
        "The {data} bibliographic network features paper #{a}, which delves into the topic of <topic>.",
    ),
    ("", "In the {data} bibliographic network, paper #{a} has a topic of <topic>."),
    (
        "What is the topic of paper #{a} in the {data} bibliographic network?",
        "The topic of paper #{a} in the {data} bibliographic network is <topic>.",
    ),
    ("", "The {data} bibliographic network's paper #{a} is concerned with the area of <topic>."),
    ("", "Paper #{a} in the {data} bibliographic network investigates the field of <topic>."),
    (
        "",
        "Paper #{a}, situated in the {data} bibliographic network, is centered around the <topic> topic.",
    ),
];

/// `{kind}` is what the molecules are: chemical, or of proteins.
pub(super) const MOLECULES: &[Said] = &[
    (
        "",
        "The function for the {kind} molecular graph identified as #{a} in {data} is <molecule_function>.",
    ),
    (
        "What is the function for the {kind} molecular graph #{a} in {data}?",
        "The function for the {kind} molecular graph #{a} in {data} is <molecule_function>.",
    ),
    (
        "",
        "For {kind} molecular graph instance #{a} in {data}, its function is <molecule_function>.",
    ),
    (
        "",
        "The {kind} molecular graph instance #{a} in the {data} dataset has a function of <molecule_function>.",
    ),
    (
        "",
        "The {kind} molecular graph numbered {a} in {data} is characterized by a function of <molecule_function>.",
    ),
    (
        "",
        "The molecular graph of {kind} compound #{a} in {data} possesses a function of <molecule_function>.",
    ),
    (
        "",
        "In {data}, instance #{a} of the {kind} molecular graph demonstrates a function of <molecule_function>.",
    ),
];

pub(super) const GOODS: &[Said] = &[
    (
        "How likely user #{a} will be interested in item #{b} in {data}?",
        "The likelihood that user #{a} will be interested in item #{b} in {data} is <recommendation>.",
    ),
    (
        "",
        "The likelihood that user #{a} will be interested in item #{b} in {data} is <recommendation>.",
    ),
    ("", "In {data}, the top {k} items that user #{a} likes include <topk_recommendation>."),
    (
        "In {data}, what are the top {k} items that user #{a} will be interested in?",
        "In {data}, the top {k} items that user #{a} will be interested in include <topk_recommendation>.",
    ),
    (
        "In {data}, what is the item that user #{a} will be most likely to purchase next?",
        "In {data}, the item that user #{a} will be most likely to purchase next is <topk_recommendation>.",
    ),
    (
        "",
        "In {data}, the item that user #{a} will be most likely to purchase is <topk_recommendation>.",
    ),
];

pub(super) const MUSIC: &[Said] = &[
    (
        "How likely user #{a} will be interested in music of artist #{b} in {data}?",
        "The likelihood that user #{a} will be interested in music from artist #{b} in {data} is <recommendation>.",
    ),
    (
        "",
        "The likelihood that user #{a} will be interested in music from artist #{b} in {data} is <recommendation>.",
    ),
    ("", "In {data}, the top {k} artists that user #{a} likes include <topk_recommendation>."),
    (
        "In {data}, who are the top {k} artists that user #{a} will be interested in?",
        "In {data}, the top {k} artists that user #{a} will be interested in include <topk_recommendation>.",
    ),
    (
        "In {data}, which artist user #{a} will be most likely to listen to next?",
        "In {data}, the artist that user #{a} will be most likely to listen to next is <topk_recommendation>.",
    ),
    (
        "",
        "In {data}, the artist that user #{a} will be most likely to listen to next is <topk_recommendation>.",
    ),
];

pub(super) const FILMS: &[Said] = &[
    (
        "How likely user #{a} will be interested in movie #{b} in {data}?",
        "The likelihood that user #{a} will be interested in movie #{b} in {data} is <recommendation>.",
    ),
    (
        "",
        "The likelihood that user #{a} will be interested in movie #{b} in {data} is <recommendation>.",
    ),
    ("", "In {data}, the top {k} movies that user #{a} likes include <topk_recommendation>."),
    (
        "In {data}, who are the top {k} movies that user #{a} will be interested in?",
        "In {data}, the top {k} movies that user #{a} will be interested in include <topk_recommendation>.",
    ),
    (
        "In {data}, which movie user #{a} will be most likely to watch next?",
        "In {data}, the movie that user #{a} will be most likely to watch next is <topk_recommendation>.",
    ),
    (
        "",
        "In {data}, the movie that user #{a} will be most likely to watch next is <topk_recommendation>.",
    ),
];

/// `{gap}` is a space, or nothing.
pub(super) const FACTS: &[Said] = &[
    (
        "According to the {data} knowledge graph, via relation #{r}, we can obtain entity{gap}#{b} from entity{gap}#[TBR].",
        "According to the {data} knowledge graph, via relation #{r}, we can obtain entity{gap}#{b} from entity <head_entity>.",
    ),
    (
        "According to the {data} knowledge graph, via relation #{r}, we can obtain entity#{b} from what entity?",
        "According to the {data} knowledge graph, via relation #{r}, we can obtain entity{gap}#{b} from entity <head_entity>.",
    ),
    (
        "",
        "According to the {data} knowledge graph, the relation between entity{gap}#{a} and entity{gap}#{b} is <relation>.",
    ),
    (
        "According to the {data} knowledge graph, what is the relation between entity{gap}#{a} and entity{gap}#{b}?",
        "According to the {data} knowledge graph, the relation between entity{gap}#{a} and entity{gap}#{b} is <relation>.",
    ),
    (
        "According to the {data} knowledge graph, from entity{gap}#{a}, via relation #{r}, we can derive entity{gap}#[TBR].",
        "According to the {data} knowledge graph, from entity{gap}#{a}, via relation #{r}, we can derive entity <tail_entity>.",
    ),
    (
        "According to the {data} knowledge graph, from entity{gap}#{a}, via relation #{r}, what entity can we derive?",
        "According to the {data} knowledge graph, from entity{gap}#{a}, via relation #{r}, we can derive entity <tail_entity>.",
    ),
];
