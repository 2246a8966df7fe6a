//! How the systems go about it.

use kg::find::FindOptions;
use kg::plan::Semantics;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::kgqa::tiny_semantics;
use text::{NGrams, SimilarityMeasure as _};

/// How a plan is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanForm {
    /// As JSON in the text.
    #[default]
    Json,
    /// As the arguments of a call of `submit_plan`.
    Tool,
    /// In the paper's textual form.
    Paper,
}

/// How Text-RAG ranks texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextRanking {
    /// By BM25 over whole texts of nodes: names, types and attributes.
    #[default]
    Bm25,
    /// By the similarity measure that finds nodes, over names and passages of attributes: with a table
    /// of words or a model by embeddings, as the paper's baseline.
    Similarity,
}

/// How Graph-RAG finds the node in the centre.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RagCentre {
    /// The node with the longest name that the question has in it; where it names none, the most
    /// similar one.
    #[default]
    Named,
    /// The node that is most similar to the question, as in the baseline's code.
    Similar,
}

/// How the systems go about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct KgOptions {
    /// What the paper leaves open of the actions, and what goes beyond it.
    pub semantics: Semantics,
    /// How nodes are found by a hint.
    pub find: FindOptions,
    /// The name of the similarity measure that the graph was opened with. It says what a run was made
    /// with, and chooses nothing: a benchmark refuses a graph that was opened with another.
    pub measure: String,
    /// How a plan is asked for.
    pub form: PlanForm,
    /// Whether a plan is verified and corrected before it runs. Without it a plan that cannot run
    /// gives nothing, and the model answers from that.
    pub verify: bool,
    /// Whether it is verified on the data too.
    ///
    /// `// Departs from §3.3:` the paper verifies on the schema alone.
    pub check_data: bool,
    /// How often the planner is asked to correct its plan.
    pub max_repairs: u32,
    /// The most nodes of the last step that the answering model is shown.
    pub max_shown: usize,
    /// Graph-CoT: the most steps of thought and action.
    pub max_steps: u32,
    /// Text-RAG: how texts are ranked.
    pub ranking: TextRanking,
    /// Text-RAG: how many nodes are retrieved.
    pub n_retrieved: usize,
    /// Graph-RAG: how the node in the centre is found.
    pub centre: RagCentre,
    /// Graph-RAG: how many hops around the best node.
    pub n_hops: u32,
    /// Text-RAG and Graph-RAG: the most characters of context.
    pub max_context_chars: usize,
}

impl Default for KgOptions {
    fn default() -> Self {
        Self {
            semantics: Semantics::default(),
            find: FindOptions::default(),
            measure: NGrams.label(),
            form: PlanForm::Json,
            verify: true,
            check_data: false,
            max_repairs: 3,
            max_shown: 200,
            max_steps: 15,
            ranking: TextRanking::default(),
            n_retrieved: 10,
            centre: RagCentre::default(),
            n_hops: 2,
            // About 3,000 tokens, as the baseline's own limit.
            max_context_chars: 12_000,
        }
    }
}

impl KgOptions {
    /// Those that a system looks at, and no others.
    pub fn of(&self, system: &str) -> Value {
        let all = serde_json::to_value(self).unwrap_or_default();
        let Value::Object(mut all) = all else { return Value::Null };
        let of_it = super::options_of(system);
        all.retain(|name, _| of_it.contains(&name.as_str()));
        Value::Object(all)
    }

    /// As our own model learned to plan on tiny graphs: in the paper's form, with counts and filters.
    /// It reads the latest question alone, so that there is no use in asking it to correct a plan.
    pub fn for_tiny() -> Self {
        let (semantics, form) = (tiny_semantics(), PlanForm::Paper);
        Self { semantics, form, max_repairs: 0, ..Self::default() }
    }
}
