//! What the Family page holds: a benchmark, the request that is asked, what came of it.

pub mod drawing;

use protocol::family::{AskedFamily, FamilyRun, FoundLinks};
use protocol::runs::{ModelChoice, StartRun};
use serde_json::{Value, json};
use systems::experiment::Finished;
use systems::kgetool::experiment::{CALLER, Outcome, SEARCHER, case, system_of};
use systems::kgetool::scripted::FamilyScript;
use systems::kgetool::{EpisodeOptions, Fate, SEARCH, Scores, SearchOptions};
use tasks::family::score::Ruleset;
use tasks::family::{Benchmark, Family, FamilyError, Link, Novelty, Sample, ToolDef};
use trace::{Record, RecordScore, Step, StepBody, ToolResult};

use super::settings::ModelSettings;
use super::used_endpoints::{UsedEndpoints, id_of};

/// What a seat is called where the endpoint in use sits in it, whichever that is.
pub const ENDPOINT: &str = "endpoint";

/// What came of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyResult {
    /// The request.
    pub sample: Sample,
    /// Whether it is known what is right.
    pub is_scored: bool,
    /// What the models did.
    pub run: Finished<Outcome>,
    /// What the searches found.
    pub found: FoundLinks,
}

impl FamilyResult {
    /// Whether a model searched the graph.
    pub fn has_searched(&self) -> bool {
        !self.found.by_method.is_empty()
    }

    /// Where the searches end in the steps: all of them, where nothing was searched.
    pub fn n_searching(&self) -> usize {
        let steps = &self.run.trace.steps;
        let is_prompt = |s: &Step| matches!(s.body, StepBody::Prompt { .. });
        steps.iter().position(is_prompt).unwrap_or(steps.len())
    }

    /// Its scores by a set of rules.
    pub fn scores(&self, rules: Ruleset) -> Option<Scores> {
        self.is_scored.then(|| self.run.outcome.scores(&self.sample, rules))
    }
}

/// The page's state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FamilyState {
    /// The benchmark, with what the person has added.
    pub benchmark: Benchmark,
    /// Which of its families is looked at.
    pub family: usize,
    /// Which request is asked: one of the benchmark, or `None` for what is typed.
    pub sample: Option<usize>,
    /// What is typed.
    pub typed: String,
    /// Who speaks, where the request is typed.
    pub speaker: String,
    /// How many links the person has added to the family that is looked at.
    pub n_added: usize,
    /// What came of the last request.
    pub done: Option<FamilyResult>,
}

impl FamilyState {
    /// Another benchmark.
    pub fn open(&mut self, benchmark: Benchmark) {
        *self = Self { benchmark, ..Self::default() };
        // One with a chain and a right answer shows most.
        let samples = &self.benchmark.samples;
        let first = samples.iter().position(|s| s.depth == 2 && s.noise.is_none());
        self.pick(first.or(if samples.is_empty() { None } else { Some(0) }));
        if self.sample.is_none() {
            self.look(0);
        }
    }

    /// Takes a request of the benchmark; its family is looked at from then on.
    pub fn pick(&mut self, sample: Option<usize>) {
        self.sample = sample.filter(|i| *i < self.benchmark.samples.len());
        self.done = None;
        let Some(i) = self.sample else { return };
        let sample = &self.benchmark.samples[i];
        let of = self.benchmark.families.iter().position(|f| f.id == sample.family);
        self.typed.clone_from(&sample.query);
        self.speaker = sample.speaker.clone().unwrap_or_default();
        self.family = of.unwrap_or_default();
        self.n_added = 0;
    }

    /// Looks at a family; the request is then typed.
    pub fn look(&mut self, family: usize) {
        self.family = family.min(self.benchmark.families.len().saturating_sub(1));
        self.sample = None;
        self.done = None;
        self.n_added = 0;
        let first = self.now().and_then(|f| {
            f.people.first().cloned().or_else(|| f.people().first().map(|p| (*p).to_owned()))
        });
        self.speaker = first.unwrap_or_default();
        self.typed.clear();
    }

    /// Takes what is typed: words of a request of the benchmark that were changed are one's own.
    pub fn type_in(&mut self, words: String) {
        if self.picked().is_some_and(|s| s.query != words) {
            self.sample = None;
        }
        self.typed = words;
    }

    /// Lets somebody speak.
    pub fn speak_as(&mut self, speaker: String) {
        if self.picked().is_some_and(|s| s.speaker.as_deref() != Some(speaker.as_str())) {
            self.sample = None;
        }
        self.speaker = speaker;
    }

    /// The request of the benchmark that is asked, if it is one.
    pub fn picked(&self) -> Option<&Sample> {
        self.benchmark.samples.get(self.sample?)
    }

    /// The family that is looked at.
    pub fn now(&self) -> Option<&Family> {
        self.benchmark.families.get(self.family)
    }

    /// Adds a link to the family that is looked at. It is known to the next request at once.
    ///
    /// # Errors
    /// It does not fit the family.
    pub fn add(&mut self, link: Link) -> Result<(), FamilyError> {
        if let Some(family) = self.benchmark.families.get_mut(self.family) {
            family.add(link)?;
            self.n_added += 1;
        }
        Ok(())
    }

    /// Takes the link that was added last away again.
    pub fn take_back(&mut self) {
        if self.n_added > 0
            && let Some(family) = self.benchmark.families.get_mut(self.family)
        {
            family.links.pop();
            self.n_added -= 1;
        }
    }

    /// The request as it is asked.
    pub fn asked(&self) -> Sample {
        if let Some(sample) = self.picked() {
            return sample.clone();
        }
        let family = self.now().map(|f| f.id.clone()).unwrap_or_default();
        Sample {
            id: "typed".into(),
            family,
            speaker: Some(self.speaker.trim().to_owned()).filter(|s| !s.is_empty()),
            query: self.typed.trim().to_owned(),
            searches: Vec::new(),
            links: Vec::new(),
            candidates: Vec::new(),
            call: None,
            cell: Novelty::default(),
            noise: None,
            level: 0,
            depth: 0,
            n_targets: 0,
            is_person_valued: false,
            is_multiple: false,
            lacks: None,
        }
    }

    /// The tools that the request may use: its candidates, or all for one that is typed.
    ///
    /// # Errors
    /// A candidate is none of the benchmark's tools.
    pub fn tools(&self) -> Result<Vec<ToolDef>, FamilyError> {
        match self.picked() {
            Some(sample) => self.benchmark.candidates(sample),
            None => Ok(self.benchmark.tools.clone()),
        }
    }

    /// What the engine is asked.
    ///
    /// # Errors
    /// There is no family, or a tool is missing.
    pub fn run(
        &self,
        seats: (ModelChoice, ModelChoice),
        options: EpisodeOptions,
    ) -> Result<StartRun<FamilyRun>, String> {
        let family = self.now().ok_or("there is no family yet; make one first")?.clone();
        let sample = self.asked();
        let tools = self.tools().map_err(|e| e.to_string())?;
        let system = system_of(options.search.method, options.source);
        let mut ask = StartRun::new(system, case(&sample, "")?);
        for (role, model) in [(SEARCHER, seats.0), (CALLER, seats.1)] {
            ask = ask.with_model(role.id, model);
        }
        let SearchOptions { mode, k, .. } = options.search;
        ask.options = json!({ "mode": mode, "k": k });
        ask.by_hand = AskedFamily { family, tools };
        Ok(ask)
    }
}

/// The model in a seat: a script by its name, the endpoint in use, or one that was in use before.
pub fn seated(seat: &str, settings: &ModelSettings, used: &UsedEndpoints) -> ModelChoice {
    if seat == ENDPOINT && settings.is_brought() {
        return settings.choice();
    }
    if let Some(known) = used.find(seat) {
        return known.choice();
    }
    // Where no endpoint is in use, its seat is the careful script's. The engine knows which other names
    // are scripts.
    let name = if seat == ENDPOINT { FamilyScript::Right.name() } else { seat };
    ModelChoice::Script { name: name.into() }
}

/// Who can sit in a seat, by name and in words: the endpoint in use, those that were in use before,
/// and the scripts. The one in use stands there under its own name too where a seat holds to it.
pub fn seatable(
    seat: &str,
    settings: &ModelSettings,
    used: &UsedEndpoints,
) -> Vec<(String, String)> {
    let in_use = settings.is_brought().then(|| (ENDPOINT.to_owned(), settings.words()));
    let now = settings.is_brought().then(|| id_of(settings));
    let others = used.named().into_iter();
    let others = others.filter(|(id, _)| seat == id || now.as_ref() != Some(id));
    let scripts = FamilyScript::ALL.into_iter();
    let scripts = scripts.map(|x| (x.name().to_owned(), format!("Script: {}", x.title())));
    in_use.into_iter().chain(others).chain(scripts).collect()
}

/// Who sits in a seat after somebody began to use an endpoint, or none any more. A seat that holds
/// to an endpoint of its own keeps it.
pub fn reseated(seat: &str, is_endpoint: bool, used: &UsedEndpoints) -> String {
    match used.find(seat) {
        Some(_) => seat.to_owned(),
        None if is_endpoint => ENDPOINT.to_owned(),
        None => FamilyScript::Right.name().to_owned(),
    }
}

/// The links that a step has found.
pub fn links_of(step: &Step) -> Vec<Link> {
    let StepBody::Call { call, result: ToolResult::Value { value, .. }, .. } = &step.body else {
        return Vec::new();
    };
    if call.name != SEARCH {
        return Vec::new();
    }
    let links = value.get("links").cloned().unwrap_or(Value::Null);
    serde_json::from_value(links).unwrap_or_default()
}

/// What became of a hop, in words.
pub fn fate(fate: &Fate) -> String {
    match fate {
        Fate::Matched => "matched".into(),
        Fate::Expanded { n_links } => format!("expanded to {n_links} links"),
        Fate::Replaced { by } => {
            let names: Vec<String> = by
                .iter()
                .map(|(name, score, used)| {
                    format!("{}{name} {score:.2}", if *used { "✓ " } else { "" })
                })
                .collect();
            format!("replaced by {}", names.join(", "))
        }
        Fate::Missing => "not there".into(),
        Fate::Skipped => "passed over".into(),
    }
}

/// The hops of each search by each method: the search's number and relation, then one text for each
/// method.
pub fn hop_rows(by_method: &[systems::kgetool::Extraction]) -> Vec<(usize, String, Vec<String>)> {
    let Some(first) = by_method.first() else { return Vec::new() };
    let mut rows = Vec::new();
    for (s, found) in first.found.iter().enumerate() {
        for (h, hop) in found.hops.iter().enumerate() {
            let of = |e: &systems::kgetool::Extraction| {
                let hop = e.found.get(s).and_then(|f| f.hops.get(h));
                hop.map_or_else(String::new, |hop| fate(&hop.fate))
            };
            rows.push((s + 1, hop.relation.clone(), by_method.iter().map(of).collect()));
        }
    }
    rows
}

/// A request as a record of a file.
pub fn record(done: &FamilyResult) -> Record {
    let score = done.scores(Ruleset::Paper).map(|scores| {
        let value = scores.call.exact_match;
        RecordScore {
            name: "exact_match".into(),
            label: format!("{value:.2}"),
            value,
            explanation: done.run.score.explanation.clone(),
        }
    });
    let mut metadata = serde_json::Map::new();
    if let Some(scores) = done.scores(Ruleset::Paper).filter(|_| done.has_searched()) {
        metadata.insert("links_f1".into(), json!(scores.extraction.f1));
    }
    Record {
        id: done.sample.id.clone(),
        task: "family".into(),
        input: done.sample.spoken(),
        started_at: None,
        score,
        metadata,
        trace: done.run.trace.clone(),
    }
}

#[cfg(test)]
mod tests {
    use tasks::family::{Recipe, generate};

    use super::*;

    fn state() -> FamilyState {
        let mut state = FamilyState::default();
        state.open(generate(Recipe::small(2)).unwrap());
        state
    }

    #[test]
    fn a_request_of_the_benchmark_that_is_changed_is_ones_own() {
        let mut state = state();
        let sample = state.asked();
        assert!(sample.call.is_some() && sample.depth == 2);
        assert_eq!(state.now().unwrap().id, sample.family);
        assert_eq!(state.tools().unwrap().len(), sample.candidates.len());
        state.type_in("Call my mother.".into());
        let typed = state.asked();
        assert!(typed.call.is_none() && typed.speaker == sample.speaker);
        assert_eq!(state.tools().unwrap().len(), 102);
        state.speak_as(String::new());
        assert_eq!(state.asked().speaker, None);
    }

    #[test]
    fn links_are_added_and_taken_back_where_the_person_looks() {
        let mut state = state();
        let n = state.now().unwrap().links.len();
        state.add(Link::new("Zed", "likes", "snow")).unwrap();
        assert!(state.now().unwrap().people().contains("Zed"));
        assert!(state.add(Link::new("Zed", "likes", "snow")).is_err());
        state.take_back();
        state.take_back();
        assert_eq!(state.now().unwrap().links.len(), n);
    }

    #[test]
    fn a_seat_has_a_script_or_the_endpoint_in_use() {
        let settings = ModelSettings::default();
        let none = UsedEndpoints::default();
        assert_eq!(name("mistaken-hop", &settings, &none), "mistaken-hop");
        assert_eq!(name(ENDPOINT, &settings, &none), "script");
        assert_eq!(name("of-an-old-link", &settings, &none), "of-an-old-link", "no other script");
        assert_eq!(name(ENDPOINT, &at("http://a/v1", "m"), &none), "m at http://a/v1");
    }

    fn at(base_url: &str, model: &str) -> ModelSettings {
        ModelSettings {
            who: super::super::settings::Who::Endpoint,
            base_url: base_url.into(),
            model: model.into(),
            ..ModelSettings::default()
        }
    }

    fn name(seat: &str, settings: &ModelSettings, used: &UsedEndpoints) -> String {
        match seated(seat, settings, used) {
            ModelChoice::Script { name } => name,
            ModelChoice::Endpoint { endpoint, model } => {
                format!("{model} at {}", endpoint.base_url)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn two_seats_have_two_endpoints() {
        let (first, second) = (at("http://a/v1", "m"), at("http://b/v1", "n"));
        let mut used = UsedEndpoints::default();
        used.note(&first);
        used.note(&second);
        // The second is in use; a seat holds to the first.
        let own = id_of(&first);
        assert_eq!(name(&own, &second, &used), "m at http://a/v1");
        assert_eq!(name(ENDPOINT, &second, &used), "n at http://b/v1");
        let of = |seat: &str, settings: &ModelSettings| -> Vec<String> {
            let all = seatable(seat, settings, &used).into_iter().map(|(_, words)| words);
            all.filter(|words| !words.starts_with("Script: ")).collect()
        };
        assert_eq!(of(ENDPOINT, &second), ["n at b", "m at a"]);
        // What a seat holds to stays among its choices when it comes into use again.
        assert_eq!(of(&own, &first), ["m at a", "m at a", "n at b"]);
        assert_eq!(of("script", &ModelSettings::default()), ["m at a", "n at b"]);
        assert_eq!(reseated(&own, false, &used), own);
        assert_eq!(reseated("mistaken-hop", true, &used), ENDPOINT);
        assert_eq!(reseated(ENDPOINT, false, &used), "script");
    }

    #[test]
    fn fates_are_told_in_words() {
        let by = vec![("son".to_owned(), 0.5, true), ("sun".to_owned(), 0.4, false)];
        assert_eq!(fate(&Fate::Replaced { by }), "replaced by ✓ son 0.50, sun 0.40");
        assert_eq!(fate(&Fate::Expanded { n_links: 3 }), "expanded to 3 links");
    }
}
