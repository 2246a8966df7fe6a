//! The benchmark from a seed: two households, the tools, and samples in four cells with noise.
//!
//! Departs from Paper: FamilyTool §4, whose queries a model wrote and people checked: here a frame of
//! a tool and a phrase of a path make a query, so that every sample carries what a right answer is,
//! and hops are counted along one path.

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use serde_json::{Map, Value};

use super::dice::{below, chance, pick, shuffle};
use super::household::{Extent, Stock, household, opaque, seen_part};
use super::model::{
    Benchmark, Family, FamilyCall, FamilyError, Link, Noise, Novelty, Sample, Search,
};
use super::parameters::{Parameter, Type};
use super::phrase::phrase;
use super::relations::relation;
use super::tools::{ToolTemplate, templates};
use super::values::Kind;

/// What is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The seed; the same seed gives the same benchmark.
    pub seed: u64,
    /// Samples of each cell, in the order of [`Novelty::ALL`].
    pub cells: [usize; 4],
    /// Samples that need nothing of the graph.
    pub n_noise: usize,
    /// Relatives of a household, from 8 to 20.
    pub n_relatives: usize,
    /// People of a household who are no relatives, from 2 to 12.
    pub n_others: usize,
    /// Whether values are ids such as `city_0002` in place of names.
    pub is_opaque: bool,
}

impl Recipe {
    /// The whole benchmark: 770 samples.
    pub fn full(seed: u64) -> Self {
        Self {
            seed,
            cells: [200, 200, 150, 150],
            n_noise: 70,
            n_relatives: 14,
            n_others: 8,
            is_opaque: false,
        }
    }

    /// A family that a page can draw, with 40 samples.
    pub fn small(seed: u64) -> Self {
        Self { cells: [10, 10, 7, 7], n_noise: 6, n_relatives: 9, n_others: 4, ..Self::full(seed) }
    }

    fn check(&self) -> Result<(), FamilyError> {
        let within = |what, found, least, most| {
            let is_within = (least..=most).contains(&found);
            is_within.then_some(()).ok_or(FamilyError::Number { what, found, least, most })
        };
        within("the number of relatives", self.n_relatives, 8, 20)?;
        within("the number of other people", self.n_others, 2, 12)?;
        within("the number of samples of noise", self.n_noise, 0, MAX_SAMPLES)?;
        for n in self.cells {
            within("the number of samples of a cell", n, 0, MAX_SAMPLES)?;
        }
        Ok(())
    }
}

/// The most samples of a cell.
pub const MAX_SAMPLES: usize = 1000;
/// How often a draw may fail before the recipe cannot be met.
const TRIES: usize = 4000;

/// Makes a benchmark. The same recipe makes the same bytes everywhere.
///
/// Families: `h0` is the one that examples may be taken from, `h1` has other people and values;
/// `h0+` and `h1+` have the links of unseen relations too.
///
/// # Errors
/// A number of the recipe is out of its range, or so many different samples cannot be made of such
/// small families.
pub fn generate(recipe: Recipe) -> Result<Benchmark, FamilyError> {
    recipe.check()?;
    let mut rng = ChaCha8Rng::seed_from_u64(recipe.seed);
    let mut stock = Stock::new(&mut rng);
    let extent = Extent { n_relatives: recipe.n_relatives, n_others: recipe.n_others };
    let mut families = Vec::new();
    for (seen, all) in [("h0", "h0+"), ("h1", "h1+")] {
        let mut known = household(all, extent, &mut stock, &mut rng);
        if recipe.is_opaque {
            known = opaque(&known).0;
        }
        families.push(seen_part(&known, seen));
        families.push(known);
    }
    let templates = templates();
    let mut drawer = Drawer { rng, templates: &templates, asked: BTreeSet::new() };
    let mut samples = Vec::new();
    let of_cell = |cell| match cell {
        Novelty::Transductive => 0,
        Novelty::UnseenRelations => 1,
        Novelty::UnseenEntities => 2,
        Novelty::UnseenBoth => 3,
    };
    for (cell, n) in Novelty::ALL.into_iter().zip(recipe.cells) {
        for i in 0..n {
            let family = &families[of_cell(cell)];
            samples.push(drawer.draw(family, cell, None, i)?);
        }
    }
    for i in 0..recipe.n_noise {
        // Noise is spread over the four families and the three kinds.
        let (cell, noise) = (Novelty::ALL[(i / 3) % 4], Noise::ALL[i % 3]);
        samples.push(drawer.draw(&families[of_cell(cell)], cell, Some(noise), i)?);
    }
    for (i, sample) in samples.iter_mut().enumerate() {
        sample.id = format!("f{}-{i:03}", recipe.seed);
    }
    let tools = templates.iter().map(ToolTemplate::definition).collect();
    Ok(Benchmark { families, tools, samples })
}

struct Drawer<'a> {
    rng: ChaCha8Rng,
    templates: &'a [ToolTemplate],
    asked: BTreeSet<(String, Option<String>, String)>,
}

/// A way through the graph to what fills a parameter.
struct Way {
    search: Search,
    links: Vec<Link>,
    values: Vec<String>,
}

/// What a sample is to be like.
#[derive(Clone, Copy)]
struct Wish {
    depth: usize,
    n_targets: usize,
    is_person: bool,
    is_multiple: bool,
    level: u8,
}

impl Drawer<'_> {
    fn draw(
        &mut self,
        family: &Family,
        cell: Novelty,
        noise: Option<Noise>,
        index: usize,
    ) -> Result<Sample, FamilyError> {
        // A quarter, a half and a quarter have one, two and three hops.
        let mut wish = self.wish([1, 2, 2, 3][index % 4]);
        for attempt in 0..TRIES {
            if attempt >= TRIES / 2 {
                // What is rare in a small family gives way after many failures.
                let depth = 1 + below(&mut self.rng, 3);
                wish = self.wish(depth);
            }
            let Some(sample) = self.attempt(family, cell, noise, wish) else { continue };
            let key = (sample.family.clone(), sample.speaker.clone(), sample.query.clone());
            if self.asked.insert(key) {
                return Ok(sample);
            }
        }
        let id = family.id.clone();
        let message = format!(
            "no further sample can be made of a family of {} links; take more relatives or fewer \
             samples",
            family.links.len()
        );
        Err(FamilyError::Sample { id, message })
    }

    fn wish(&mut self, depth: usize) -> Wish {
        Wish {
            depth,
            n_targets: if chance(&mut self.rng, 12) { 2 } else { 1 },
            is_person: chance(&mut self.rng, 5),
            is_multiple: chance(&mut self.rng, 5),
            level: below(&mut self.rng, 3) as u8,
        }
    }

    fn attempt(
        &mut self,
        family: &Family,
        cell: Novelty,
        noise: Option<Noise>,
        wish: Wish,
    ) -> Option<Sample> {
        let relatives: Vec<&str> = family
            .people
            .iter()
            .map(String::as_str)
            .filter(|p| {
                !family.targets(p, "mother").is_empty() || !family.targets(p, "spouse").is_empty()
            })
            .collect();
        let speaker = (*pick(&mut self.rng, &relatives)?).to_owned();
        let template = *pick(&mut self.rng, self.templates)?;
        let said = template.named_parameters();
        let mut open: Vec<&Parameter> =
            said.iter().copied().filter(|p| !p.takes.is_empty()).collect();
        shuffle(&mut self.rng, &mut open);
        if wish.is_multiple && noise.is_none() && !open.iter().any(|p| p.is == Type::Texts) {
            return None;
        }
        let n_filled = match noise {
            None if open.len() < wish.n_targets => return None,
            None => wish.n_targets,
            Some(Noise::Lacking) => open.len().min(1),
            Some(_) => 0,
        };
        let is_lacking = noise == Some(Noise::Lacking);
        if is_lacking && n_filled == 0 {
            return None;
        }
        let mut parameters = Map::new();
        let mut words: Vec<(&str, String)> = Vec::new();
        let (mut ways, mut lacks) = (Vec::new(), None);
        for (i, parameter) in open.iter().take(n_filled).enumerate() {
            // The second of two targets may be nearer than the first.
            let depth = if i == 0 { wish.depth } else { 1 + below(&mut self.rng, wish.depth) };
            let way = self.way(family, &speaker, parameter, Wish { depth, ..wish }, is_lacking)?;
            words.push((parameter.name, phrase(&way.search, wish.level)?));
            if is_lacking {
                lacks = Some(way.search);
                continue;
            }
            let value = match parameter.is {
                Type::Texts => way.values.clone().into(),
                _ => Value::from(way.values.first()?.clone()),
            };
            parameters.insert(parameter.name.to_owned(), value);
            ways.push(way);
        }
        for parameter in &said {
            if words.iter().any(|(name, _)| *name == parameter.name) {
                continue;
            }
            let literal = pick(&mut self.rng, parameter.literals)?;
            words.push((parameter.name, (*literal).to_owned()));
            parameters.insert(parameter.name.to_owned(), parameter.literal(literal));
        }
        let mut query = template.frame.to_owned();
        for (name, text) in &words {
            query = query.replace(&format!("{{{name}}}"), text);
        }
        if noise == Some(Noise::Mention) {
            let search = self.person(family, &speaker)?;
            let who = phrase(&search, wish.level.min(1))?;
            let frames = ["says hello.", "is here with me.", "has just left.", "is asleep."];
            let what = pick(&mut self.rng, &frames)?;
            query = format!("{} {what} {query}", capital(&who));
        }
        let mut links: Vec<Link> = Vec::new();
        for link in ways.iter().flat_map(|w| &w.links) {
            if !links.contains(link) {
                links.push(link.clone());
            }
        }
        let is_unseen =
            |s: &Search| s.path.iter().any(|r| relation(r).is_some_and(|r| r.is_unseen));
        let needs_unseen = matches!(cell, Novelty::UnseenRelations | Novelty::UnseenBoth);
        if noise.is_none() && needs_unseen && !ways.iter().any(|w| is_unseen(&w.search)) {
            return None;
        }
        let last = |w: &Way| w.search.path.last().and_then(|r| relation(r));
        // Parameters stand in the order of the tool's own declaration.
        let order = template.required.iter().chain(template.optional);
        let call = (!is_lacking).then(|| FamilyCall {
            name: template.name.to_owned(),
            parameters: order
                .filter_map(|name| Some(((*name).to_owned(), parameters.get(*name)?.clone())))
                .collect(),
        });
        Some(Sample {
            id: String::new(),
            family: family.id.clone(),
            speaker: Some(speaker),
            query,
            depth: ways.iter().map(|w| w.search.path.len()).max().unwrap_or_default(),
            n_targets: ways.len(),
            is_person_valued: ways.iter().any(|w| last(w).is_some_and(|r| r.range == Kind::Person)),
            is_multiple: ways.iter().any(|w| w.values.len() > 1),
            searches: ways.into_iter().map(|w| w.search).collect(),
            links,
            candidates: self.candidates(&template),
            call,
            cell,
            noise,
            level: wish.level,
            lacks,
        })
    }

    /// A way of some depth that ends at what fills a parameter; with `is_lacking`, one whose last
    /// relation its person does not have.
    fn way(
        &mut self,
        family: &Family,
        speaker: &str,
        parameter: &Parameter,
        wish: Wish,
        is_lacking: bool,
    ) -> Option<Way> {
        let (mut at, mut path, mut links) = (speaker.to_owned(), Vec::new(), Vec::new());
        let mut met: BTreeSet<String> = BTreeSet::from([at.clone()]);
        for _ in 1..wish.depth {
            let (relation, next) = self.step(family, &at, &met)?;
            links.push(Link::new(&at, &relation, &next));
            path.push(relation);
            met.insert(next.clone());
            at = next;
        }
        let known = family.relations();
        let is_list = parameter.is == Type::Texts;
        let fitting: Vec<&super::relations::Relation> = super::relations::RELATIONS
            .iter()
            .filter(|r| parameter.takes.contains(&r.range) && known.contains(r.name))
            .filter(|r| is_list || !r.is_multiple || r.range == Kind::Person)
            .filter(|r| {
                (r.range == Kind::Person) <= (wish.is_person || parameter.takes == [Kind::Person])
            })
            .collect();
        let last = *pick(&mut self.rng, &fitting)?;
        let values: Vec<String> =
            family.targets(&at, last.name).into_iter().map(str::to_owned).collect();
        path.push(last.name.to_owned());
        let search = Search { start: speaker.to_owned(), path };
        if is_lacking {
            return values.is_empty().then_some(Way { search, links: Vec::new(), values });
        }
        // Several values are asked for where a list takes them, and rarely.
        let is_right_number = match values.len() {
            0 => false,
            1 => true,
            _ => is_list && (wish.is_multiple || last.range != Kind::Person),
        };
        if !is_right_number || values.iter().any(|v| met.contains(v)) {
            return None;
        }
        links.extend(values.iter().map(|v| Link::new(&at, last.name, v)));
        Some(Way { search, links, values })
    }

    /// A relation to exactly one person who was not met.
    fn step(
        &mut self,
        family: &Family,
        at: &str,
        met: &BTreeSet<String>,
    ) -> Option<(String, String)> {
        let steps: Vec<&Link> = family
            .links
            .iter()
            .filter(|l| {
                l.head == at && relation(&l.relation).is_some_and(|r| r.range == Kind::Person)
            })
            .filter(|l| !met.contains(&l.tail) && family.targets(at, &l.relation).len() == 1)
            .collect();
        pick(&mut self.rng, &steps).map(|l| (l.relation.clone(), l.tail.clone()))
    }

    fn person(&mut self, family: &Family, speaker: &str) -> Option<Search> {
        let (relation, _) = self.step(family, speaker, &BTreeSet::new())?;
        Some(Search { start: speaker.to_owned(), path: vec![relation] })
    }

    /// The tool with 2 to 8 of its group and up to 4 others.
    fn candidates(&mut self, right: &ToolTemplate) -> Vec<String> {
        let mut near: Vec<&ToolTemplate> = self
            .templates
            .iter()
            .filter(|t| t.group == right.group && t.name != right.name)
            .collect();
        let mut far: Vec<&ToolTemplate> =
            self.templates.iter().filter(|t| t.group != right.group).collect();
        shuffle(&mut self.rng, &mut near);
        shuffle(&mut self.rng, &mut far);
        let n_near = 2 + below(&mut self.rng, 7);
        let n_far = below(&mut self.rng, 5);
        let mut names: Vec<String> = near
            .iter()
            .take(n_near)
            .chain(far.iter().take(n_far))
            .map(|t| t.name.to_owned())
            .collect();
        names.push(right.name.to_owned());
        shuffle(&mut self.rng, &mut names);
        names
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
