//! How a graph and a question become a text.

use rand::Rng as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;

use super::graphs::{Lack, Scene, Way, Written, sort};
use super::names::{title, word};
use super::templates::{Lines, around};

fn pick<'a>(rng: &mut ChaCha8Rng, list: &[&'a str]) -> &'a str {
    list.choose(rng).copied().unwrap_or_default()
}

/// `A, B and C`.
fn join(rng: &mut ChaCha8Rng, items: &[String]) -> String {
    let last = pick(rng, &[" and ", " and ", ", and ", ", "]);
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{}{last}{end}", first.join(", ")),
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    let text = first + chars.as_str();
    if text.ends_with(['.', '!', '?', ':']) { text } else { text + "." }
}

struct Writer<'r, 's> {
    rng: &'r mut ChaCha8Rng,
    scene: &'s mut Scene,
    lines: Lines,
    /// Things have an article in sentences.
    article: &'static str,
    /// What numbers count.
    unit: String,
}

/// A unit: one that everybody knows, or a word.
fn unit(rng: &mut ChaCha8Rng) -> String {
    match rng.random_bool(0.65) {
        true => pick(
            rng,
            &[
                "km", "minutes", "min", "euros", "coins", "m", "steps", "miles", "hours",
                "seconds", "litres", "tons", "units", "ms", "days",
            ],
        )
        .to_owned(),
        false => word(rng),
    }
}

impl Writer<'_, '_> {
    fn node(&self, i: usize) -> String {
        format!("{}{}", self.article, self.scene.names[i])
    }

    fn bare(&self, i: usize) -> String {
        self.scene.names[i].clone()
    }

    fn fill(&self, line: &str, (a, b, n): Written) -> String {
        line.replace("{u}", &self.unit)
            .replace("{a}", &self.node(a))
            .replace("{b}", &self.node(b))
            .replace("{n}", &n.map(|n| n.to_string()).unwrap_or_default())
    }

    fn write(&mut self, edge: Written) {
        self.scene.written.push(edge);
    }

    fn line(&mut self, sort: &str) -> Option<&'static str> {
        self.scene.domain.line(self.rng, sort, self.lines)
    }

    /// Edges as sentences in which several nodes are subjects: "A and B come before C."
    fn subjects(&mut self, edges: &[Written]) -> Option<String> {
        let verb = self.line("p")?;
        let single = self.line("v")?;
        let mut edges = edges.to_vec();
        edges.sort_by_key(|(_, b, _)| *b);
        let mut sentences = Vec::new();
        for group in edges.chunk_by(|x, y| x.1 == y.1) {
            let firsts: Vec<String> = group.iter().map(|(a, ..)| self.node(*a)).collect();
            group.iter().for_each(|edge| self.write(*edge));
            let verb = if firsts.len() > 1 { verb } else { single };
            // A list of subjects ends with a word.
            let subjects = match firsts.as_slice() {
                [first @ .., end] if !first.is_empty() => format!("{} and {end}", first.join(", ")),
                _ => firsts.concat(),
            };
            sentences.push(format!("{subjects} {verb} {}", self.node(group[0].1)));
        }
        if self.rng.random_bool(0.5) {
            return Some(sentence(&join(self.rng, &sentences)));
        }
        Some(sentences.iter().map(|text| sentence(text)).collect::<Vec<_>>().join(" "))
    }

    /// Edges as sentences.
    fn sentences(&mut self, edges: &[Written], has_numbers: bool) -> Option<String> {
        let mut sentences: Vec<String> = Vec::new();
        let mut left = edges;
        let sort = if has_numbers { "w" } else { "e" };
        let verb = if has_numbers { None } else { self.line("v") };
        let clauses = [self.line(sort), self.line(sort)];
        let uses_verb = verb.is_some() && self.rng.random_bool(0.6);
        let per_sentence = *[1, 1, 1, 2, 3, 20].choose(self.rng)?;
        let mut group: Vec<String> = Vec::new();
        while let Some((first, rest)) = left.split_first() {
            left = rest;
            let clause = if uses_verb || (clauses[0].is_none()) {
                let verb = verb?;
                // Several that the same node begins.
                let mut targets = vec![self.node(first.1)];
                self.write(*first);
                while let Some((next, rest)) = left.split_first()
                    && next.0 == first.0
                    && targets.len() < 4
                    && self.rng.random_bool(0.8)
                {
                    targets.push(self.node(next.1));
                    self.write(*next);
                    left = rest;
                }
                let or = self.scene.way == Way::Match && self.rng.random_bool(0.5);
                let list = join(self.rng, &targets);
                let list = if or { list.replace(" and ", " or ") } else { list };
                format!("{} {verb} {list}", self.node(first.0))
            } else {
                self.write(*first);
                let line = (*clauses.choose(self.rng)?).or(clauses[0])?;
                self.fill(line, *first)
            };
            group.push(clause);
            if group.len() >= per_sentence || left.is_empty() {
                sentences.push(sentence(&join(self.rng, &group)));
                group.clear();
            }
        }
        Some(sentences.join(" "))
    }

    /// Edges as one sentence with a list.
    fn listing(&mut self, edges: &[Written], has_numbers: bool) -> Option<String> {
        let line = self.line(if has_numbers { "L" } else { "l" })?;
        let (opening, item) = line.split_once(" / ")?;
        let items: Vec<String> = edges.iter().map(|edge| self.fill(item, *edge)).collect();
        edges.iter().for_each(|edge| self.write(*edge));
        let text = match self.rng.random_range(0..3) {
            0 => items.join("; "),
            1 => items.join(", "),
            _ => join(self.rng, &items),
        };
        Some(opening.replace("{list}", &text))
    }

    /// Edges as a table, as lines, or as a list of neighbours.
    fn table(&mut self, edges: &[Written], has_numbers: bool) -> String {
        if self.scene.leads_back() {
            return self.needs(edges);
        }
        let number = |n: Option<f64>| n.map(|n| n.to_string()).unwrap_or_default();
        let is_mutual = self.scene.way == Way::Undirected;
        let kind = self.rng.random_range(0..if has_numbers { 9 } else { 10 });
        if kind >= 8 && !has_numbers || kind == 8 {
            return self.neighbours(edges, has_numbers);
        }
        edges.iter().for_each(|edge| self.write(*edge));
        let rows: Vec<[String; 3]> =
            edges.iter().map(|(a, b, n)| [self.bare(*a), self.bare(*b), number(*n)]).collect();
        let unit = match has_numbers && self.rng.random_bool(0.4) {
            true => format!(" {}", self.unit),
            false => String::new(),
        };
        if kind < 4 {
            let cell = pick(self.rng, &[",", ", ", ";", " | ", "\t", " "]);
            let heads = [
                ["from", "to", "weight"],
                ["name", "other", "cost"],
                ["a", "b", "n"],
                ["start", "end", "minutes"],
                ["first", "second", "value"],
            ];
            let (x, y, z) = (word(self.rng), word(self.rng), word(self.rng));
            let made_up = [x.as_str(), y.as_str(), z.as_str()];
            let head = *[heads[0], heads[self.rng.random_range(0..heads.len())], made_up]
                .choose(self.rng)
                .unwrap_or(&heads[0]);
            let n = if has_numbers { 3 } else { 2 };
            let mut text: Vec<String> = rows.iter().map(|row| row[..n].join(cell)).collect();
            if cell == " | " && self.rng.random_bool(0.6) {
                text = text.iter().map(|row| format!("| {row} |")).collect();
                text.insert(0, format!("|{}", "---|".repeat(n)));
                text.insert(0, format!("| {} |", head[..n].join(cell)));
            } else if self.rng.random_bool(0.6) {
                text.insert(0, head[..n].join(cell));
            }
            return text.join("\n");
        }
        let arrow = match (is_mutual, self.scene.way) {
            (true, _) => pick(self.rng, &["-", " - ", "–", " – ", " -- ", "/", " <-> "]),
            (_, Way::Match) => pick(self.rng, &[": ", " - ", " -> "]),
            _ => pick(self.rng, &["->", " -> ", " → ", "→", " > ", "=>"]),
        };
        let between = pick(self.rng, &[", ", ", ", "\n", "; ", "\n- ", " "]);
        let between = if between == " " && arrow.starts_with(' ') { ", " } else { between };
        let items: Vec<String> = rows
            .iter()
            .map(|[a, b, n]| match (has_numbers, kind) {
                (false, 7) => format!("({a}, {b})"),
                (false, _) => format!("{a}{arrow}{b}"),
                (true, 4) => format!("{a}{arrow}{b}: {n}{unit}"),
                (true, 5) => format!("{a}{arrow}{b} ({n}{unit})"),
                (true, 6) => format!("{a} -{n}-> {b}"),
                (true, _) => format!("{a}{arrow}{b} {n}{unit}"),
            })
            .collect();
        let opening = if between == "\n- " { "- " } else { "" };
        let text = format!("{opening}{}", items.join(between));
        if between.contains('\n') { text } else { sentence(&text) }
    }

    /// A table of what needs what, whose head says so.
    fn needs(&mut self, edges: &[Written]) -> String {
        edges.iter().for_each(|edge| self.write(*edge));
        let cell = pick(self.rng, &[",", " | ", ": ", "; "]);
        let needs = pick(
            self.rng,
            &["needs", "requires", "depends on", "waits for", "after", "comes after"],
        );
        let what = match self.rng.random_bool(0.5) {
            true => pick(self.rng, &["task", "step", "course", "job", "part", "what"]).to_owned(),
            false => word(self.rng),
        };
        let mut rows = vec![format!("{what}{cell}{needs}")];
        for group in edges.chunk_by(|x, y| x.0 == y.0) {
            let others: Vec<String> = group.iter().map(|(_, b, _)| self.bare(*b)).collect();
            match self.rng.random_bool(0.6) && cell != "," {
                true => rows.push(format!("{}{cell}{}", self.bare(group[0].0), others.join(", "))),
                false => rows
                    .extend(others.iter().map(|b| format!("{}{cell}{b}", self.bare(group[0].0)))),
            }
        }
        rows.join("\n")
    }

    /// Behind each node what it has an edge to: of an undirected graph mostly each edge twice.
    fn neighbours(&mut self, edges: &[Written], has_numbers: bool) -> String {
        let is_mutual = self.scene.way == Way::Undirected;
        let twice = is_mutual && self.rng.random_bool(0.6);
        let (between, mark) = (
            pick(self.rng, &["\n", "\n", ". ", "; "]),
            pick(self.rng, &[": ", ": ", " -> ", " - "]),
        );
        let bullet = if between == "\n" { pick(self.rng, &["", "", "- ", "* "]) } else { "" };
        let mut firsts: Vec<usize> = Vec::new();
        for (a, b, _) in edges {
            for i in [Some(*a), twice.then_some(*b)].into_iter().flatten() {
                if !firsts.contains(&i) {
                    firsts.push(i);
                }
            }
        }
        let mut rows = Vec::new();
        for first in firsts {
            let mut items = Vec::new();
            for (a, b, n) in edges {
                let other = match () {
                    () if *a == first => *b,
                    () if twice && *b == first => *a,
                    () => continue,
                };
                self.write((first, other, *n));
                items.push(match (has_numbers, n) {
                    (true, Some(n)) => format!("{}({n})", self.bare(other)),
                    _ => self.bare(other),
                });
            }
            rows.push(format!("{bullet}{}{mark}{}", self.bare(first), items.join(", ")));
        }
        rows.join(between)
    }

    fn graph(&mut self) -> String {
        let mut edges = self.scene.edges.clone();
        // Those of a node beside each other, in some texts.
        if self.rng.random_bool(0.5) {
            edges.sort_by_key(|(a, ..)| *a);
        }
        let has_numbers = edges.iter().any(|(_, _, n)| n.is_some());
        let made = match self.rng.random_range(0..11) {
            10 if !has_numbers => self.subjects(&edges),
            0..=3 => self.sentences(&edges, has_numbers),
            4..=6 => self.listing(&edges, has_numbers),
            7 => {
                let (some, others) = edges.split_at(edges.len() / 2);
                let first = self.sentences(some, has_numbers);
                first.and_then(|first| Some(first + " " + &self.sentences(others, has_numbers)?))
            }
            _ => None,
        };
        // Only whole ways are written down.
        match made {
            Some(text) => text,
            None => {
                self.scene.written.clear();
                self.table(&edges, has_numbers)
            }
        }
    }

    fn around(&mut self, sort: &str) -> Option<String> {
        let line = around()?.line(self.rng, sort, self.lines)?;
        let mut text = line.to_owned();
        while let Some(at) = text.find("{x}") {
            text.replace_range(at..at + 3, &word(self.rng));
        }
        while let Some(at) = text.find("{X}") {
            text.replace_range(at..at + 3, &title(self.rng));
        }
        while let Some(at) = text.find("{n}") {
            text.replace_range(at..at + 3, &self.rng.random_range(2..60).to_string());
        }
        Some(text)
    }
}

/// A typo in a known word: a letter dropped, added or swapped with the next.
fn misspell(rng: &mut ChaCha8Rng, text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let is_word = |word: &&str| {
        word.len() > 4
            && word.bytes().all(|b| b.is_ascii_lowercase())
            && ownmodel::text::encode(word).n_unknown == 0
    };
    let places: Vec<usize> = (0..words.len()).filter(|i| is_word(&words[*i])).collect();
    let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    for _ in 0..rng.random_range(1..=2) {
        let Some(place) = places.choose(rng) else { break };
        let word = &mut words[*place];
        let at = rng.random_range(1..word.len() - 1);
        match rng.random_range(0..3) {
            0 => drop(word.remove(at)),
            1 => word.insert(at, 'e'),
            _ => {
                let letter = word.remove(at);
                word.insert(at - 1, letter);
            }
        }
    }
    words.join(" ")
}

/// The text of a question; `scene` learns in which order its edges are written.
pub(super) fn write(rng: &mut ChaCha8Rng, scene: &mut Scene, lines: Lines) -> String {
    let article = if scene.are_things && rng.random_bool(0.7) { "the " } else { "" };
    let unit = unit(rng);
    let mut writer = Writer { rng, scene, lines, article, unit };
    let lack = writer.scene.lack;
    if lack == Some(Lack::NoGraph) {
        writer.scene.names.clear();
        writer.scene.written.clear();
        let mut text = writer.around("?none").unwrap_or_default();
        if writer.rng.random_bool(0.3) {
            let more = writer.around("x").unwrap_or_default();
            text = format!("{more} {text}");
        }
        return text;
    }
    writer.scene.written.clear();
    let mut graph = match lack {
        Some(Lack::TooLittle) => String::new(),
        _ => writer.graph(),
    };
    let is_table = graph.contains('\n');
    let mut after: Vec<String> = Vec::new();
    if lack != Some(Lack::TooLittle) {
        for i in writer.scene.alone.clone() {
            let line = pick(
                writer.rng,
                &[
                    "{a} is on its own",
                    "{a} has none",
                    "{a} is not connected to anything",
                    "nothing leads to {a} or away from it",
                    "{a} is alone",
                ],
            );
            let text = writer.fill(line, (i, i, None));
            after.push(sentence(&text));
        }
        for (a, b) in writer.scene.denied.clone() {
            if let Some(line) = writer.line("n") {
                let text = writer.fill(line, (a, b, None));
                after.push(sentence(&text));
            }
        }
        if writer.rng.random_bool(0.4) {
            after.extend(writer.line("s").map(str::to_owned));
        }
    }
    let n_more = *[0, 0, 0, 0, 1, 1, 2, 3].choose(writer.rng).unwrap_or(&0);
    let mut before: Vec<String> = Vec::new();
    if writer.rng.random_bool(0.2) {
        // A capital within a sentence would make a word a name.
        let opening = writer.around("o").unwrap_or_default();
        let is_whole = opening.ends_with(['.', '!', ':']);
        before.push(if is_whole { opening } else { opening + "\n" });
    }
    for _ in 0..n_more {
        let text = writer.around("x").unwrap_or_default();
        match writer.rng.random_bool(0.5) {
            true => before.push(text),
            false => after.push(text),
        }
    }
    after.shuffle(writer.rng);
    let question = question(&mut writer);
    if is_table {
        graph = format!("\n{graph}\n");
    }
    let facts = [before.join(" "), graph, after.join(" ")];
    let facts: Vec<&str> =
        facts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    let gap = if writer.rng.random_bool(0.1) { "\n" } else { " " };
    let facts = facts.join(gap);
    let text = match writer.rng.random_bool(0.18) {
        true => format!("{question} {facts}"),
        false => format!("{facts} {question}"),
    };
    let mut text = text.replace(" \n", "\n").replace("\n ", "\n").trim().to_owned();
    if writer.rng.random_bool(0.12) {
        text.push(' ');
        text.push_str(&writer.around("c").unwrap_or_default());
    }
    if writer.rng.random_bool(0.12) {
        text = misspell(writer.rng, &text);
    }
    if writer.rng.random_bool(0.12) {
        text = text.to_lowercase();
    }
    text
}

fn question(writer: &mut Writer<'_, '_>) -> String {
    let kind = match (writer.scene.lack, writer.scene.kind) {
        (Some(Lack::NoQuestion), _) => return String::new(),
        (Some(_), "decline") => {
            let domain = writer.scene.domain;
            let asks = match writer.scene.lack {
                Some(Lack::NoNumbers) => ["?nonum"; 4],
                _ => ["?path", "?hops", "?short", "?degree"],
            };
            asks.into_iter()
                .filter(|sort| domain.has(sort, writer.lines))
                .collect::<Vec<_>>()
                .choose(writer.rng)
                .copied()
        }
        (_, kind) => Some(sort(kind)),
    };
    let Some(line) = kind.and_then(|kind| writer.line(kind)) else { return String::new() };
    let (a, b) = writer.scene.ends;
    let (a, b) = (a.min(writer.scene.names.len() - 1), b.min(writer.scene.names.len() - 1));
    let mut text = writer.fill(line, (a, b, None));
    if !line.contains("{b}") && line.contains("{a}") {
        writer.scene.ends = (a, a);
    }
    if writer.rng.random_bool(0.15) {
        let opening = pick(
            writer.rng,
            &["Question: ", "My question: ", "So, ", "Now ", "Please tell me: ", "I wonder: "],
        );
        text = format!("{opening}{text}");
    }
    text
}
