//! WordNet whole, as WN18 has it: sets of words by their first word, kind and sense, with pointers
//! as relations.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use anyhow::{Context as _, Result, bail};
use kg::KgBuilder;
use serde_json::Map;
use systems::toolformer::data::Data;

use super::Files;

/// Pointers by WordNet's signs, as WN18 names the relations. Antonyms and the like are between
/// words, not sets of words, and are left out there and here.
const RELATIONS: [(&str, &str); 22] = [
    ("@", "_hypernym"),
    ("~", "_hyponym"),
    ("@i", "_instance_hypernym"),
    ("~i", "_instance_hyponym"),
    ("#m", "_member_holonym"),
    ("%m", "_member_meronym"),
    ("#p", "_part_of"),
    ("%p", "_has_part"),
    ("+", "_derivationally_related_form"),
    (";c", "_synset_domain_topic_of"),
    ("-c", "_member_of_domain_topic"),
    (";u", "_synset_domain_usage_of"),
    ("-u", "_member_of_domain_usage"),
    (";r", "_synset_domain_region_of"),
    ("-r", "_member_of_domain_region"),
    ("^", "_also_see"),
    ("$", "_verb_group"),
    ("&", "_similar_to"),
    // Substances are no relation of WN18; they are told by names in its manner.
    ("#s", "_substance_holonym"),
    ("%s", "_substance_meronym"),
    ("*", "_entailment"),
    (">", "_cause"),
];
/// How many of them WN18 has.
const N_WN18: usize = 18;

/// The four parts of speech: their files, and the letter of a pointer to one of their sets.
const PARTS: [(&str, char); 4] = [("noun", 'n'), ("verb", 'v'), ("adj", 'a'), ("adv", 'r')];

/// Where a set is: its part of speech and its place in the file.
type Place = (char, u32);

struct Synset {
    kind: String,
    word: String,
    links: Vec<(&'static str, Place)>,
}

/// Reads `data.*` and `index.*`. With `is_wn18` only the relations that WN18 has.
pub(super) fn read(files: &Files, is_wn18: bool) -> Result<Data> {
    let mut synsets: BTreeMap<Place, Synset> = BTreeMap::new();
    let mut senses: HashMap<(char, String), Vec<u32>> = HashMap::new();
    let known = if is_wn18 { &RELATIONS[..N_WN18] } else { &RELATIONS[..] };
    for (part, letter) in PARTS {
        let data = files.text(&format!("data.{part}"))?;
        // The licence stands above; its lines begin with a space.
        for line in data.lines().filter(|l| !l.starts_with(' ')) {
            let (at, synset) =
                synset(line, known).with_context(|| format!("data.{part}: {line:.60}"))?;
            synsets.insert((letter, at), synset);
        }
        let index = files.text(&format!("index.{part}"))?;
        for line in index.lines().filter(|l| !l.starts_with(' ')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let n: usize = words.get(2).and_then(|n| n.parse().ok()).context("index: a count")?;
            let places = words.len().checked_sub(n).and_then(|from| words.get(from..));
            let places = places.with_context(|| format!("index.{part}: {line:.60}"))?;
            let places = places.iter().map(|p| p.parse()).collect::<Result<Vec<u32>, _>>()?;
            senses.insert((letter, words[0].to_owned()), places);
        }
    }
    let mut names: BTreeMap<Place, String> = BTreeMap::new();
    for ((letter, at), synset) in &synsets {
        let of = senses.get(&(*letter, synset.word.clone()));
        let sense = of.and_then(|all| all.iter().position(|p| p == at));
        let Some(sense) = sense else {
            bail!("{:?} of {at:08} is not among the senses in index", synset.word);
        };
        names.insert((*letter, *at), format!("{}.{}.{:02}", synset.word, synset.kind, sense + 1));
    }
    let mut builder = KgBuilder::new("WordNet");
    for (place, synset) in &synsets {
        let of = match synset.kind.as_str() {
            "n" => "Noun",
            "v" => "Verb",
            "r" => "Adverb",
            _ => "Adjective",
        };
        builder.node(&names[place], of, "", Map::new())?;
    }
    for (place, synset) in &synsets {
        for (relation, to) in &synset.links {
            let to =
                names.get(to).with_context(|| format!("a pointer to {to:?}, which is nothing"))?;
            builder.edge(&names[place], relation, to)?;
        }
    }
    Ok(Data::Knowledge(Rc::new(builder.build()?)))
}

/// A line of `data.*`: place, file of the lexicographers, kind, words, pointers.
fn synset(line: &str, known: &[(&str, &'static str)]) -> Result<(u32, Synset)> {
    let mut words = line.split_whitespace();
    let mut next =
        |what: &'static str| words.next().with_context(|| format!("it ends before {what}"));
    let at = next("its place")?.parse()?;
    next("its file")?;
    let kind = next("its kind")?.to_owned();
    let n_words = usize::from_str_radix(next("a number of words")?, 16)?;
    let mut first = None;
    for _ in 0..n_words {
        let word = next("a word")?;
        next("its number")?;
        // An adjective may say where it stands: `galore(ip)`.
        let plain = word.split('(').next().unwrap_or(word).to_lowercase();
        first.get_or_insert(plain);
    }
    let n_links: usize = next("a number of pointers")?.parse()?;
    let mut links = Vec::new();
    for _ in 0..n_links {
        let (sign, to, letter, of) =
            (next("a pointer")?, next("its target")?, next("its kind")?, next("its words")?);
        let letter = letter.chars().next().context("a kind")?;
        if let Some((_, relation)) = known.iter().find(|(s, _)| *s == sign) {
            let _ = of;
            links.push((*relation, (letter, to.parse()?)));
        }
    }
    Ok((at, Synset { kind, word: first.context("a set without a word")?, links }))
}
