//! The nouns of WordNet as a knowledge graph: what is a kind, a part or a member of what.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use anyhow::{Context as _, bail};
use kg::{Kg, KgBuilder};
use serde_json::Map;

use super::file;

/// Node types: WordNet's lexicographers' files of nouns, the first with number 3.
const TYPES: [&str; 26] = [
    "Top",
    "Act",
    "Animal",
    "Artifact",
    "Attribute",
    "Body",
    "Cognition",
    "Communication",
    "Event",
    "Feeling",
    "Food",
    "Group",
    "Location",
    "Motive",
    "Object",
    "Person",
    "Phenomenon",
    "Plant",
    "Possession",
    "Process",
    "Quantity",
    "Relation",
    "Shape",
    "State",
    "Substance",
    "Time",
];
const FIRST_TYPE: usize = 3;

/// Edge types by WordNet's signs; each is told from the narrower to the wider end, and the reverse
/// ones are left out.
const EDGES: [(&str, &str); 5] = [
    ("@", "kind_of"),
    ("@i", "instance_of"),
    ("#p", "part_of"),
    ("#m", "member_of"),
    ("#s", "substance_of"),
];

/// A set of words that mean the same.
#[derive(Debug)]
struct Synset<'a> {
    of: usize,
    words: Vec<&'a str>,
    /// Edge types with the places of what they lead to.
    links: Vec<(&'static str, u32)>,
    gloss: &'a str,
}

/// The `n` synsets of nouns that WordNet's tagged texts use most, with everything that they are
/// kinds or instances of, up to `entity`.
pub(crate) fn nouns(folder: &Path, n: usize) -> anyhow::Result<Kg> {
    let (data, index) = (file(folder, "data.noun")?, file(folder, "index.noun")?);
    let counts = file(folder, "cntlist.rev")?;
    make(&data, &index, &counts, n)
}

fn make(data: &str, index: &str, counts: &str, n: usize) -> anyhow::Result<Kg> {
    let synsets = read_synsets(data)?;
    let senses = read_senses(index)?;
    let used = read_counts(counts, &senses);
    let mut order: Vec<(&u32, &u64)> =
        used.iter().filter(|(at, _)| synsets.contains_key(at)).collect();
    order.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    if order.len() < n {
        bail!("{n} synsets were asked for; the tagged texts use {}", order.len());
    }
    let mut kept: BTreeSet<u32> = BTreeSet::new();
    let mut open: Vec<u32> = order[..n].iter().map(|(at, _)| **at).collect();
    while let Some(at) = open.pop() {
        let synset = synsets.get(&at).with_context(|| format!("there is no synset {at:08}"))?;
        if kept.insert(at) {
            let wider =
                synset.links.iter().filter(|(of, _)| matches!(*of, "kind_of" | "instance_of"));
            open.extend(wider.map(|(_, to)| *to));
        }
    }
    let id = |at: u32| -> anyhow::Result<String> {
        let word = synsets[&at].words[0].to_lowercase();
        let all = senses.get(word.as_str()).map(Vec::as_slice).unwrap_or_default();
        let sense = all.iter().position(|s| *s == at).with_context(|| {
            format!("the index does not have {word:?} as a word of synset {at:08}")
        })?;
        Ok(format!("{word}.n.{:02}", sense + 1))
    };
    let mut builder = KgBuilder::new("WordNet's nouns");
    for at in &kept {
        let synset = &synsets[at];
        let mut attributes = Map::new();
        attributes.insert("gloss".into(), synset.gloss.into());
        if synset.words.len() > 1 {
            let others: Vec<String> =
                synset.words[1..].iter().map(|w| w.replace('_', " ")).collect();
            attributes.insert("also".into(), others.into());
        }
        let name = synset.words[0].replace('_', " ");
        builder.node(&id(*at)?, TYPES[synset.of], &name, attributes)?;
    }
    for at in &kept {
        for (of, to) in synsets[at].links.iter().filter(|(_, to)| kept.contains(to)) {
            builder.edge(&id(*at)?, of, &id(*to)?)?;
        }
    }
    Ok(builder.build()?)
}

/// `offset file type n (word id)… n (sign offset part fields)… | gloss`, the first `n` in hex.
fn read_synsets(data: &str) -> anyhow::Result<BTreeMap<u32, Synset<'_>>> {
    let mut synsets = BTreeMap::new();
    // The licence stands above, its lines begin with a space.
    for (i, line) in data.lines().enumerate().filter(|(_, l)| !l.starts_with(' ')) {
        let (at, synset) = read_synset(line)
            .with_context(|| format!("data.noun, line {}: not a synset", i + 1))?;
        synsets.insert(at, synset);
    }
    Ok(synsets)
}

fn read_synset(line: &str) -> Option<(u32, Synset<'_>)> {
    let (fields, gloss) = line.split_once(" | ").unwrap_or((line, ""));
    let mut fields = fields.split(' ');
    let at = fields.next()?.parse().ok()?;
    let of = fields.next()?.parse::<usize>().ok()?.checked_sub(FIRST_TYPE)?;
    let _part_of_speech = fields.next()?;
    let n_words = usize::from_str_radix(fields.next()?, 16).ok()?;
    let mut words = Vec::new();
    for _ in 0..n_words {
        words.push(fields.next()?);
        fields.next()?;
    }
    let n_links: usize = fields.next()?.parse().ok()?;
    let mut links = Vec::new();
    for _ in 0..n_links {
        let sign = fields.next()?;
        let to = fields.next()?.parse().ok()?;
        let part_of_speech = fields.next()?;
        fields.next()?;
        if let Some((_, edge)) = EDGES.iter().find(|(s, _)| *s == sign)
            && part_of_speech == "n"
        {
            links.push((*edge, to));
        }
    }
    // Behind the first quotation mark are examples.
    let gloss = gloss.split("; \"").next().unwrap_or_default().trim();
    (of < TYPES.len() && !words.is_empty()).then_some((at, Synset { of, words, links, gloss }))
}

/// The synsets of each word, the most used sense first.
fn read_senses(index: &str) -> anyhow::Result<HashMap<&str, Vec<u32>>> {
    let mut senses = HashMap::new();
    for (i, line) in index.lines().enumerate().filter(|(_, l)| !l.starts_with(' ')) {
        let read = || {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let n: usize = fields.get(2)?.parse().ok()?;
            let from = fields.len().checked_sub(n)?;
            let all: Option<Vec<u32>> = fields[from..].iter().map(|f| f.parse().ok()).collect();
            Some((*fields.first()?, all?))
        };
        let (word, all) =
            read().with_context(|| format!("index.noun, line {}: not a word", i + 1))?;
        senses.insert(word, all);
    }
    Ok(senses)
}

/// How often each synset is used: `word%1:file:id:: sense count`, where 1 is a noun. Other parts of
/// speech stand in the same file.
fn read_counts(counts: &str, senses: &HashMap<&str, Vec<u32>>) -> BTreeMap<u32, u64> {
    let read = |line: &str| {
        let mut fields = line.split(' ');
        let word = fields.next()?.split_once("%1:")?.0;
        let sense: usize = fields.next()?.parse().ok()?;
        let n: u64 = fields.next()?.parse().ok()?;
        Some((*senses.get(word)?.get(sense.checked_sub(1)?)?, n))
    };
    let mut used = BTreeMap::new();
    for (at, n) in counts.lines().filter_map(read) {
        *used.entry(at).or_default() += n;
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = "  1 the licence\n\
        00000001 03 n 01 entity 0 001 ~ 00000002 n 0000 | what there is\n\
        00000002 05 n 02 dog 0 domestic_dog 0 003 @ 00000001 n 0000 #m 00000003 n 0000 + 00000009 v 0101 | it barks; \"a dog barked\"\n\
        00000003 14 n 01 pack 0 001 @ 00000001 n 0000 | dogs together\n\
        00000004 05 n 01 Rex 0 001 @i 00000002 n 0000 | a certain dog\n";
    const INDEX: &str = "entity n 1 1 ~ 1 1 00000001\n\
        dog n 1 3 @ #m + 1 1 00000002\npack n 1 1 @ 1 0 00000003\nrex n 1 1 @i 1 0 00000004\n";
    const COUNTS: &str = "dog%1:05:00:: 1 42\nrex%1:05:00:: 1 2\nbark%2:39:00:: 1 7\n";

    #[test]
    fn the_most_used_come_with_all_that_they_are_kinds_of() {
        let kg = make(DATA, INDEX, COUNTS, 1).unwrap();
        let ids: Vec<&str> = kg.nodes().map(|n| kg.id(n)).collect();
        assert_eq!(ids, ["entity.n.01", "dog.n.01"]);
        let kg = make(DATA, INDEX, COUNTS, 2).unwrap();
        let rex = kg.find_id("rex.n.01").unwrap();
        assert_eq!((kg.name(rex), kg.n_edges()), ("Rex", 2));
        let dog = kg.find_id("dog.n.01").unwrap();
        let attributes = kg.attributes(dog).unwrap();
        assert_eq!(
            (&attributes["gloss"], &attributes["also"][0]),
            (&"it barks".into(), &"domestic dog".into())
        );
        assert_eq!(kg.schema().node_type(kg.node_type(dog)).name, "Animal");
    }

    #[test]
    fn what_is_broken_is_told_with_its_line() {
        let error = |data, index| format!("{:#}", make(data, index, COUNTS, 1).unwrap_err());
        assert!(error("00000001 03 n zz entity", INDEX).contains("data.noun, line 1"));
        assert!(error(DATA, "entity n one").contains("index.noun, line 1"));
        assert!(error(DATA, "dog n 1 0 1 1 00000002\n").contains("\"entity\""));
        let many = format!("{:#}", make(DATA, INDEX, COUNTS, 9).unwrap_err());
        assert!(many.contains("9 synsets were asked for; the tagged texts use 2"));
    }
}
