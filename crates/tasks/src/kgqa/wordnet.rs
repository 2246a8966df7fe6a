//! Questions on the graph of WordNet that ships with the page.

use kg::plan::Plan;

use super::KgQuestion;

const QUESTIONS: &str = include_str!("../../../../assets/kgs/wordnet/questions.jsonl");

/// The questions, each with its answers and a plan that finds them.
pub fn wordnet() -> Vec<KgQuestion> {
    QUESTIONS.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The plan that a script knows for a question: of a generated graph, of WordNet's graph, or made from
/// the types and edges of any graph.
pub fn plan_of(question: &str) -> Option<Plan> {
    // Those about texts have the longer wordings.
    super::town::plan_of_told(question)
        .or_else(|| super::recognise(question).map(|(_, plan)| plan))
        .or_else(|| super::read_typed(question))
        .or_else(|| wordnet().into_iter().find(|known| known.question == question.trim())?.plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_is_read_and_has_its_plan() {
        let n_lines = QUESTIONS.lines().count();
        assert_eq!(wordnet().len(), n_lines);
        assert!(n_lines >= 3);
        for known in wordnet() {
            assert_eq!(plan_of(&known.question), known.plan);
            assert!(known.plan.is_some() && !known.answers.is_empty());
        }
    }
}
