//! What is chosen for a run of Knowledge Graph of Thoughts: the task, who works on it, and how.

use std::collections::BTreeMap;

use protocol::kgot::{KgotByHand, KgotRun};
use protocol::runs::{ModelChoice, StartRun};
use systems::kgot::experiment::{options_of, own_case, system_of, task_of};
use systems::kgot::{GRAPH, KgotLanguage, KgotMethod, KgotOptions, KgotTask, TOOLS, WebTools};
use systems::remote::CopyPlace;
use tasks::kgot::KgotCase;

use super::settings::ModelSettings;

/// What a seat is called where the endpoint in use sits in it.
pub const ENDPOINT: &str = "endpoint";
/// The careful script, which knows the tasks of the set.
const SCRIPT: &str = "script";
/// The order in which the languages of fusion solve a task.
const ORDER: [KgotLanguage; 4] =
    [KgotLanguage::Cypher, KgotLanguage::Sparql, KgotLanguage::Networkx, KgotLanguage::Direct];

/// Whether a graph is grown, and in how many languages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// The tools alone.
    NoGraph,
    /// One graph.
    #[default]
    OneLanguage,
    /// A graph in each of some languages.
    Fusion,
}

/// The task that is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChosenTask {
    /// What is asked, with its files.
    pub task: KgotTask,
    /// The answer that is right, where it is known.
    pub right: Option<String>,
    /// Which of the set it is; none for one's own.
    pub picked: Option<usize>,
    /// What tools read of files that are no text, by their names.
    pub previews: BTreeMap<String, String>,
}

impl ChosenTask {
    /// A task of the set.
    pub fn of_set(index: usize, case: &KgotCase) -> Self {
        Self {
            task: task_of(case),
            right: Some(case.answer.clone()),
            picked: Some(index),
            previews: BTreeMap::new(),
        }
    }

    /// Changes the task. It is one's own then, and nobody knows what is right.
    pub fn change(&mut self, change: impl FnOnce(&mut KgotTask)) {
        change(&mut self.task);
        (self.right, self.picked) = (None, None);
    }
}

/// What the left column chooses beside the task.
#[derive(Clone, Debug, PartialEq)]
pub struct KgotForm {
    /// The numbers of a run.
    pub options: KgotOptions,
    /// Whether a graph is grown.
    pub way: Way,
    /// The languages of fusion, in their order.
    pub members: Vec<KgotLanguage>,
    /// Whether a run pauses before each round.
    pub pauses: bool,
    /// Whether the next run begins with the graph that is shown.
    pub keeps_graph: bool,
    /// Who keeps the graph, and who calls tools.
    pub seats: [String; 2],
    /// The model of the one who calls tools, where it is another at the same endpoint.
    pub tool_model: String,
    /// What of the web tools may ask.
    pub web: WebTools,
    /// Whether models may run Python.
    pub has_python: bool,
    /// Whether the model that calls tools sees images.
    pub sees: bool,
}

impl KgotForm {
    /// What is chosen first.
    pub fn new(is_endpoint: bool) -> Self {
        let mut form = Self {
            options: KgotOptions::default(),
            way: Way::default(),
            members: vec![KgotLanguage::Cypher, KgotLanguage::Direct],
            pauses: false,
            keeps_graph: false,
            seats: Default::default(),
            tool_model: String::new(),
            web: WebTools::default(),
            has_python: false,
            sees: false,
        };
        form.reseat(is_endpoint);
        form
    }

    /// Seats the endpoint in use, or the script where there is none.
    pub fn reseat(&mut self, is_endpoint: bool) {
        let name = if is_endpoint { ENDPOINT } else { SCRIPT };
        self.seats = [name, name].map(str::to_owned);
    }

    /// Whether a graph is grown.
    pub fn has_graph(&self) -> bool {
        self.way != Way::NoGraph
    }

    /// How a run goes about the task.
    pub fn method(&self) -> KgotMethod {
        match self.way {
            Way::NoGraph => KgotMethod::NoGraph,
            Way::OneLanguage => KgotMethod::OneLanguage,
            Way::Fusion => KgotMethod::Fusion { members: self.members.clone() },
        }
    }

    /// Takes a language into fusion, or out of it. The order stays that of the list.
    pub fn take_member(&mut self, language: KgotLanguage, on: bool) {
        let is_in = |l: &KgotLanguage| if *l == language { on } else { self.members.contains(l) };
        self.members = ORDER.into_iter().filter(is_in).collect();
    }

    /// The model in a seat.
    pub fn model(&self, seat: usize, settings: &ModelSettings) -> ModelChoice {
        let name = self.seats[seat].as_str();
        if name != ENDPOINT || !settings.is_brought() {
            let name = if name == ENDPOINT { SCRIPT } else { name };
            return ModelChoice::Script { name: name.to_owned() };
        }
        let other = self.tool_model.trim();
        match settings.choice() {
            ModelChoice::Endpoint { endpoint, .. } if seat == 1 && !other.is_empty() => {
                ModelChoice::Endpoint { endpoint, model: other.to_owned() }
            }
            choice => choice,
        }
    }

    /// Whether a script plays one of the models.
    pub fn is_played(&self, settings: &ModelSettings) -> bool {
        [0, 1].into_iter().any(|seat| self.model(seat, settings).is_script())
    }

    /// Why the task cannot be begun, if so.
    pub fn fault(
        &self,
        chosen: &ChosenTask,
        settings: &ModelSettings,
        has_sparql: bool,
    ) -> Option<String> {
        if chosen.task.question.trim().is_empty() {
            return Some("Write down the task, or take one of the set.".into());
        }
        if chosen.picked.is_none() && self.is_played(settings) {
            let words = "The script knows only the built-in tasks. For a task of your own, \
                         choose a larger model (“Model”, above).";
            return Some(words.into());
        }
        let languages = self.method().languages(&self.options);
        if self.has_graph() && languages.is_empty() {
            return Some("Fusion needs a language; tick one under “Languages”.".into());
        }
        if languages.contains(&KgotLanguage::Sparql) && !has_sparql {
            return Some("SPARQL is not in the page as one file; choose Cypher.".into());
        }
        self.web.check().err().or_else(|| settings.fault())
    }

    /// The request for a run; `copy` is where a copy of its graph goes, if anywhere.
    ///
    /// # Errors
    /// The task cannot be written as JSON.
    pub fn ask(
        &self,
        chosen: &ChosenTask,
        settings: &ModelSettings,
        copy: Option<CopyPlace>,
    ) -> Result<StartRun<KgotRun>, String> {
        let case = own_case(&chosen.task, chosen.right.as_deref())?;
        let method = self.method();
        let system = system_of(&method, self.options.language);
        let mut ask = StartRun::new(system, case).with_model(TOOLS.id, self.model(1, settings));
        if self.has_graph() {
            ask = ask.with_model(GRAPH.id, self.model(0, settings));
        }
        ask.options = options_of(&method, &self.options);
        ask.pauses = self.pauses;
        ask.by_hand = KgotByHand {
            keeps_graph: self.keeps_graph && self.has_graph(),
            web: self.web.clone(),
            python: self.has_python,
            sees: self.sees,
            copy,
        };
        Ok(ask)
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::Who;
    use super::*;

    fn endpoint() -> ModelSettings {
        ModelSettings {
            who: Who::Endpoint,
            base_url: "http://a/v1".into(),
            model: "m".into(),
            ..ModelSettings::default()
        }
    }

    fn of_set() -> ChosenTask {
        let case =
            KgotCase { question: "How many?".into(), answer: "3".into(), ..KgotCase::default() };
        ChosenTask::of_set(4, &case)
    }

    #[test]
    fn a_task_that_is_changed_is_ones_own_and_needs_a_model() {
        let (form, none) = (KgotForm::new(false), ModelSettings::default());
        let mut chosen = of_set();
        assert_eq!(form.fault(&chosen, &none, true), None);
        chosen.change(|task| task.question.push('?'));
        assert_eq!((chosen.right.as_deref(), chosen.picked), (None, None));
        assert!(form.fault(&chosen, &none, true).unwrap().contains("only the built-in tasks"));
        assert_eq!(KgotForm::new(true).fault(&chosen, &endpoint(), true), None);
        chosen.change(|task| task.question.clear());
        assert!(form.fault(&chosen, &none, true).unwrap().starts_with("Write down"));
    }

    #[test]
    fn fusion_keeps_the_order_of_its_languages_and_needs_one() {
        let (chosen, none) = (of_set(), ModelSettings::default());
        let mut form = KgotForm { way: Way::Fusion, ..KgotForm::new(false) };
        form.take_member(KgotLanguage::Sparql, true);
        let all = [KgotLanguage::Cypher, KgotLanguage::Sparql, KgotLanguage::Direct];
        assert_eq!(form.method(), KgotMethod::Fusion { members: all.to_vec() });
        assert!(form.fault(&chosen, &none, false).unwrap().contains("as one file"));
        for language in all {
            form.take_member(language, false);
        }
        assert!(form.fault(&chosen, &none, true).unwrap().contains("needs a language"));
    }

    #[test]
    fn the_tools_may_have_another_model_at_the_endpoint_in_use() {
        let mut form = KgotForm { tool_model: " small ".into(), ..KgotForm::new(true) };
        let name =
            |form: &KgotForm, seat, settings: &ModelSettings| match form.model(seat, settings) {
                ModelChoice::Script { name } | ModelChoice::Endpoint { model: name, .. } => name,
                other => panic!("{other:?}"),
            };
        assert_eq!([0, 1].map(|seat| name(&form, seat, &endpoint())), ["m", "small"]);
        assert_eq!(name(&form, 1, &ModelSettings::default()), "script");
        form.seats[0] = "faulty".into();
        assert_eq!(name(&form, 0, &endpoint()), "faulty");
    }

    #[test]
    fn a_run_without_a_graph_has_one_model_and_keeps_no_graph() {
        let mut form = KgotForm { keeps_graph: true, ..KgotForm::new(false) };
        let none = ModelSettings::default();
        let ask = |form: &KgotForm| form.ask(&of_set(), &none, None).unwrap();
        let grows = ask(&form);
        assert!(grows.by_hand.keeps_graph && grows.models.len() == 2);
        form.way = Way::NoGraph;
        let alone = ask(&form);
        assert!(!alone.by_hand.keeps_graph && alone.models.len() == 1);
    }
}
