//! Paths in a family's graph: by exact names, and by two ways to go on where a name is not there.
//!
//! Paper: FamilyTool §5.1.2. The mode `paper` follows its words; `compat` does what its public code
//! does, so that figures can be held against it. `docs/kgetool.md` lists where they differ.

use std::collections::BTreeSet;

use kg::{Direction, EdgeTypeIx, Kg, NodeIx};
use serde::{Deserialize, Serialize};
use tasks::family::score::{Extracted, Ruleset};
use tasks::family::{Link, Search};
use text::{Index, SimilarityMeasure};

/// How relations that are not there are dealt with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Not at all: the path must be there.
    Exact,
    /// Greedy Search: all links of the node where the name is missing.
    #[default]
    Gs,
    /// Relation Retrieval: the most similar names that the graph has.
    Rr,
}

impl Method {
    /// Every method, in the order in which lists show them.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Gs, Self::Rr];

    /// Its name in files and options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Gs => "gs",
            Self::Rr => "rr",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Exact => "Exact match",
            Self::Gs => "Greedy Search",
            Self::Rr => "Relation Retrieval",
        }
    }

    /// The method of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }
}

/// What became of a hop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fate", rename_all = "snake_case")]
pub enum Fate {
    /// The relation is there.
    Matched,
    /// It is not, and so many links were taken in its place.
    Expanded {
        /// The number of links that were taken.
        n_links: usize,
    },
    /// The graph does not have it, and others were tried in its place.
    Replaced {
        /// Their names, their similarity (0 to 1), and whether a kept path uses them.
        by: Vec<(String, f32, bool)>,
    },
    /// It is not there, and nothing took its place.
    Missing,
    /// The public code passes over it.
    Skipped,
}

/// A hop of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hop {
    /// The relation that was asked for.
    pub relation: String,
    /// What became of it.
    pub fate: Fate,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// The search as it was asked for.
    pub search: Search,
    /// The method that completed it.
    pub method: Method,
    /// The fate of each relation, in its order.
    pub hops: Vec<Hop>,
    /// The paths that are kept, each with its links.
    pub branches: Vec<Vec<Link>>,
    /// Whether the result bears the mark of a bad extraction.
    pub is_marked: bool,
    /// Whether a relation of the path is none of the graph's.
    pub is_fake: bool,
    /// What else is to be said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl SearchResult {
    /// Every link once, in the order in which they were found.
    pub fn links(&self) -> Vec<Link> {
        distinct(self.branches.iter().flatten())
    }
}

fn distinct<'a>(links: impl Iterator<Item = &'a Link>) -> Vec<Link> {
    let mut seen = BTreeSet::new();
    links.filter(|l| seen.insert(*l)).cloned().collect()
}

/// The most paths that are followed at once.
const MAX_BRANCHES: usize = 5000;

/// How searches are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchOptions {
    /// The method that completes what is not found.
    pub method: Method,
    /// Whose rules count where paper and code differ.
    pub mode: Ruleset,
    /// How many names Relation Retrieval tries for one that is not there; `compat` always tries 3.
    pub k: usize,
}

impl Default for SearchOptions {
    /// Paper: §6.2 uses Greedy Search. Paper is silent on k; its public code has 3.
    fn default() -> Self {
        Self { method: Method::Gs, mode: Ruleset::Paper, k: 3 }
    }
}

/// A family's graph that can be searched.
pub struct Searcher<'a> {
    kg: &'a Kg,
    relations: Vec<&'a str>,
    meaning: &'a dyn SimilarityMeasure,
    index: std::cell::OnceCell<Box<dyn Index>>,
}

/// A path on its way.
#[derive(Clone)]
struct Branch {
    links: Vec<(NodeIx, EdgeTypeIx, NodeIx)>,
    at: NodeIx,
}

impl<'a> Searcher<'a> {
    /// Over a graph, with a way to tell how alike names are.
    pub fn new(kg: &'a Kg, meaning: &'a dyn SimilarityMeasure) -> Self {
        let relations = kg.schema().edge_types().iter().map(|t| t.name.as_str()).collect();
        Self { kg, relations, meaning, index: std::cell::OnceCell::new() }
    }

    /// Searches.
    ///
    /// # Complexity
    /// Exact: O(links of the paths). Greedy Search: O(∏ links at a node where a name is missing).
    /// Relation Retrieval: O(kʲ) paths for j missing names. At most 5,000 paths are followed.
    pub fn search(&self, search: &Search, options: SearchOptions) -> SearchResult {
        let is_fake = search.path.iter().any(|r| self.relation(r).is_none());
        let mut found = SearchResult {
            search: search.clone(),
            method: options.method,
            hops: Vec::new(),
            branches: Vec::new(),
            is_marked: false,
            is_fake,
            notes: Vec::new(),
        };
        let start = self.kg.find_id(&search.start);
        // Whoever has no links is no start.
        let start = start.filter(|s| self.kg.edges_of(*s, Direction::Out).next().is_some());
        let Some(start) = start else {
            found.notes.push(format!("nothing is known of {:?}", search.start));
            found.hops = search.path.iter().map(|r| hop(r, Fate::Missing)).collect();
            return found;
        };
        let branches = match (options.method, options.mode) {
            (Method::Exact, Ruleset::Paper) => self.follow(start, search, false, &mut found),
            (Method::Exact, Ruleset::Compat) => self.exact_compat(start, search, &mut found),
            (Method::Gs, Ruleset::Paper) => self.follow(start, search, true, &mut found),
            (Method::Gs, Ruleset::Compat) => self.greedy_compat(start, search, &mut found),
            (Method::Rr, Ruleset::Paper) => {
                self.retrieve(start, search, options.k, false, &mut found)
            }
            (Method::Rr, Ruleset::Compat) => self.retrieve(start, search, 3, true, &mut found),
        };
        found.branches =
            branches.iter().map(|b| b.links.iter().map(|l| self.link(*l)).collect()).collect();
        found
    }

    fn relation(&self, name: &str) -> Option<EdgeTypeIx> {
        self.kg.schema().find_edge_type(name)
    }

    fn link(&self, (head, relation, tail): (NodeIx, EdgeTypeIx, NodeIx)) -> Link {
        let name = &self.kg.schema().edge_type(relation).name;
        Link::new(self.kg.id(head), name, self.kg.id(tail))
    }

    fn tails(&self, at: NodeIx, relation: EdgeTypeIx) -> Vec<NodeIx> {
        self.kg.neighbors(at, relation, Direction::Out)
    }

    fn out(&self, at: NodeIx) -> Vec<(NodeIx, EdgeTypeIx, NodeIx)> {
        self.kg.edges_of(at, Direction::Out).map(|(r, _, tail)| (at, r, tail)).collect()
    }

    /// Follows all values of every relation; where the graph does not have a relation at all, all
    /// links of the node if `is_greedy`. Paths that do not reach the end are dropped.
    ///
    /// Paper: §5.1.2, "fake relations that are not in the KG", "we filter the wrong paths that don't
    /// exist in the KG".
    fn follow(
        &self,
        start: NodeIx,
        search: &Search,
        is_greedy: bool,
        found: &mut SearchResult,
    ) -> Vec<Branch> {
        let mut branches = vec![Branch { links: Vec::new(), at: start }];
        for relation in &search.path {
            let known = self.relation(relation);
            let mut next = Vec::new();
            for branch in &branches {
                let steps = match known {
                    Some(r) => {
                        self.tails(branch.at, r).into_iter().map(|t| (branch.at, r, t)).collect()
                    }
                    None if is_greedy => self.out(branch.at),
                    None => Vec::new(),
                };
                next.extend(steps.into_iter().map(|step| branch.with(step)));
            }
            let fate = match known {
                None if is_greedy && !next.is_empty() => {
                    found.is_marked = true;
                    Fate::Expanded { n_links: next.len() }
                }
                _ if next.is_empty() => Fate::Missing,
                _ => Fate::Matched,
            };
            found.hops.push(hop(relation, fate));
            branches = capped(next, &mut found.notes);
        }
        found.is_marked |= branches.is_empty() || found.is_fake;
        branches
    }

    /// The first value of every relation, all the way or not at all.
    fn exact_compat(
        &self,
        start: NodeIx,
        search: &Search,
        found: &mut SearchResult,
    ) -> Vec<Branch> {
        let mut branch = Branch { links: Vec::new(), at: start };
        let mut is_whole = true;
        for relation in &search.path {
            let first = self.first(branch.at, relation).filter(|_| is_whole);
            is_whole &= first.is_some();
            let fate = if let Some(step) = first {
                branch = branch.with(step);
                Fate::Matched
            } else {
                Fate::Missing
            };
            found.hops.push(hop(relation, fate));
        }
        found.is_marked = !is_whole;
        if is_whole { vec![branch] } else { Vec::new() }
    }

    fn first(&self, at: NodeIx, relation: &str) -> Option<(NodeIx, EdgeTypeIx, NodeIx)> {
        let relation = self.relation(relation)?;
        self.tails(at, relation).first().map(|tail| (at, relation, *tail))
    }

    /// As the public code has it: only the first value of a relation counts, a relation is missing
    /// where its node does not have it, a node is expanded once in a search, and at a later hop into
    /// the same path, which then does not move. The longest paths are kept.
    fn greedy_compat(
        &self,
        start: NodeIx,
        search: &Search,
        found: &mut SearchResult,
    ) -> Vec<Branch> {
        let mut branches = vec![Branch { links: Vec::new(), at: start }];
        let mut is_bad = false;
        for (i, relation) in search.path.iter().enumerate() {
            let mut n_taken = 0;
            let mut n_matched = 0;
            if i == 0 && self.first(start, relation).is_none() {
                branches = self.out(start).into_iter().map(|step| branches[0].with(step)).collect();
                (is_bad, n_taken) = (true, branches.len());
            } else {
                for branch in &mut branches {
                    let out = self.out(branch.at);
                    if out.is_empty() {
                        is_bad = true;
                    } else if let Some(step) = self.first(branch.at, relation) {
                        *branch = branch.with(step);
                        n_matched += 1;
                    } else if !is_bad {
                        is_bad = true;
                        n_taken = out.len();
                        branch.links.extend(out);
                    }
                }
            }
            let fate = match (n_matched, n_taken) {
                (0, 0) => Fate::Missing,
                (0, n_links) => Fate::Expanded { n_links },
                _ => Fate::Matched,
            };
            found.hops.push(hop(relation, fate));
        }
        found.is_marked = is_bad;
        let longest = branches.iter().map(|b| b.links.len()).max().unwrap_or_default();
        branches.retain(|b| b.links.len() == longest);
        branches
    }

    /// Tries the `k` most similar names for every relation that the graph does not have, in every
    /// combination.
    ///
    /// As the public code has it (`is_compat`), only the first value of a relation counts, a hop is
    /// taken only where the start has that relation too and passed over where it does not, one path
    /// is kept for each end, and of those the longest.
    fn retrieve(
        &self,
        start: NodeIx,
        search: &Search,
        k: usize,
        is_compat: bool,
        found: &mut SearchResult,
    ) -> Vec<Branch> {
        let choices: Vec<Vec<(usize, f32)>> = search
            .path
            .iter()
            .map(|r| match self.relation(r) {
                Some(known) => vec![(usize::from(known.0), 1.0)],
                None => self.similar(r, k),
            })
            .collect();
        let mut paths: Vec<Vec<usize>> = vec![Vec::new()];
        for choice in &choices {
            paths = paths
                .iter()
                .flat_map(|p| choice.iter().map(move |(c, _)| [p.as_slice(), &[*c]].concat()))
                .collect();
            if paths.len() > MAX_BRANCHES {
                paths.truncate(MAX_BRANCHES);
                found.notes.push(format!("only the first {MAX_BRANCHES} paths are followed"));
            }
        }
        let mut kept: Vec<(Branch, usize)> = Vec::new();
        let mut is_skipped = vec![true; search.path.len()];
        for (i, path) in paths.iter().enumerate() {
            let walked = if is_compat {
                vec![self.walk_compat(start, path, &mut is_skipped)]
            } else {
                self.walk(start, path)
            };
            kept.extend(walked.into_iter().map(|branch| (branch, i)));
            if kept.len() > MAX_BRANCHES {
                kept.truncate(MAX_BRANCHES);
                break;
            }
        }
        if is_compat {
            let mut ends = BTreeSet::new();
            kept.retain(|(branch, _)| ends.insert(branch.at));
            let longest = kept.iter().map(|(b, _)| b.links.len()).max().unwrap_or_default();
            kept.retain(|(b, _)| b.links.len() == longest && longest > 0);
        }
        for (i, relation) in search.path.iter().enumerate() {
            let fate = match self.relation(relation) {
                None => {
                    let used = |c: usize| kept.iter().any(|(_, p)| paths[*p][i] == c);
                    let name = |c: usize| self.relations[c].to_owned();
                    let by = choices[i].iter().map(|(c, score)| (name(*c), *score, used(*c)));
                    Fate::Replaced { by: by.collect() }
                }
                Some(_) if is_compat && is_skipped[i] => Fate::Skipped,
                Some(_) if kept.is_empty() => Fate::Missing,
                Some(_) => Fate::Matched,
            };
            found.hops.push(hop(relation, fate));
        }
        kept.into_iter().map(|(branch, _)| branch).collect()
    }

    /// The `k` relations whose names are most like a name, the best first.
    fn similar(&self, name: &str, k: usize) -> Vec<(usize, f32)> {
        let index = self.index.get_or_init(|| {
            let words: Vec<String> = self.relations.iter().map(|r| r.replace('_', " ")).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            self.meaning.index(&words)
        });
        let scores = index.scores(&name.replace('_', " "));
        let mut ranked: Vec<(usize, f32)> = scores.into_iter().enumerate().collect();
        ranked.sort_by(|a, b| {
            b.1.total_cmp(&a.1).then_with(|| self.relations[a.0].cmp(self.relations[b.0]))
        });
        ranked.truncate(k.clamp(1, 10));
        ranked
    }

    fn walk(&self, start: NodeIx, path: &[usize]) -> Vec<Branch> {
        let mut branches = vec![Branch { links: Vec::new(), at: start }];
        for relation in path {
            let relation = EdgeTypeIx(*relation as u16);
            let steps = |b: &Branch| {
                let at = b.at;
                self.tails(at, relation).into_iter().map(|t| b.with((at, relation, t))).collect()
            };
            branches = branches.iter().flat_map(|b| -> Vec<Branch> { steps(b) }).collect();
            branches.truncate(MAX_BRANCHES);
        }
        branches
    }

    fn walk_compat(&self, start: NodeIx, path: &[usize], is_skipped: &mut [bool]) -> Branch {
        let mut branch = Branch { links: Vec::new(), at: start };
        for (i, relation) in path.iter().enumerate() {
            let relation = EdgeTypeIx(*relation as u16);
            let from_start = !self.tails(start, relation).is_empty();
            if let Some(tail) = self.tails(branch.at, relation).first()
                && from_start
            {
                branch = branch.with((branch.at, relation, *tail));
                is_skipped[i] = false;
            }
        }
        branch
    }
}

impl Branch {
    fn with(&self, step: (NodeIx, EdgeTypeIx, NodeIx)) -> Self {
        let mut links = self.links.clone();
        links.push(step);
        Self { links, at: step.2 }
    }
}

fn hop(relation: &str, fate: Fate) -> Hop {
    Hop { relation: relation.to_owned(), fate }
}

fn capped(mut branches: Vec<Branch>, notes: &mut Vec<String>) -> Vec<Branch> {
    if branches.len() > MAX_BRANCHES {
        branches.truncate(MAX_BRANCHES);
        notes.push(format!("only the first {MAX_BRANCHES} paths are followed"));
    }
    branches
}

/// The mark that the public code puts behind what a bad extraction gave.
pub const MARK: &str = "<bad_extract>";

/// What searches gave, put together: the links, the text for the next model, and what is measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Extraction {
    /// Search by search; those that could not be read give nothing.
    pub found: Vec<SearchResult>,
    /// Why searches could not be read.
    pub unread: Vec<String>,
    /// What the next model reads of it.
    pub text: String,
    /// The links that count in the scores.
    pub extracted: Extracted,
}

/// Puts together what searches found. `found` has a result for each search that was read.
pub fn gather(found: Vec<SearchResult>, unread: Vec<String>, options: SearchOptions) -> Extraction {
    let links = distinct(found.iter().flat_map(|f| f.branches.iter().flatten()));
    let text = match options.mode {
        Ruleset::Paper => write_links(&links),
        Ruleset::Compat => compat_text(&found, &unread, options.method),
    };
    let is_marked = match options.mode {
        // Relation Retrieval never marks, but for paths that are empty.
        Ruleset::Compat => text.contains(MARK),
        Ruleset::Paper => found.iter().any(|f| f.is_marked) || !unread.is_empty(),
    };
    let is_empty = match options.mode {
        Ruleset::Compat => text.is_empty(),
        Ruleset::Paper => found.is_empty() && unread.is_empty() && links.is_empty(),
    };
    let n_paths = found.len() + unread.len();
    let n_fake_paths = found.iter().filter(|f| f.is_fake).count() + unread.len();
    let extracted = Extracted { links, is_marked, is_empty, n_paths, n_fake_paths };
    Extraction { found, unread, text, extracted }
}

/// Links as the next model reads them.
pub fn write_links(links: &[Link]) -> String {
    let links: Vec<String> =
        links.iter().map(|l| format!("[{}, {}, {}]", l.head, l.relation, l.tail)).collect();
    links.join(", ")
}

fn compat_text(found: &[SearchResult], unread: &[String], method: Method) -> String {
    let mut text = String::new();
    for f in found {
        for branch in f.branches.iter().filter(|b| !b.is_empty()) {
            let links: Vec<String> = branch
                .iter()
                .map(|l| {
                    format!("[{}, {}, {}]", quoted(&l.head), quoted(&l.relation), quoted(&l.tail))
                })
                .collect();
            let mark = if f.is_marked && method != Method::Rr { MARK } else { "" };
            text.push_str(&format!("([{}]){mark}", links.join(", ")));
        }
    }
    for _ in unread {
        text.push_str(MARK);
    }
    text
}

/// A text as Python writes it.
fn quoted(text: &str) -> String {
    if text.contains('\'') && !text.contains('"') {
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
    }
}
