//! Dataset: whole files of questions, checked.

use anyhow::Result;

super::screen! {
    /// The page Dataset.
    Dataset
    says {
        summary_says "@dataset-summary", faults_say ".report.no", rules_say "@both-rules",
        causes_say "@both-rules .causes", says ".dataset", samples_are "@dataset-samples",
    }
    counts {
        n_rows "@dataset-table tbody tr", n_faults "@dataset-table td.fault",
        n_compared "@both-rules tbody tr",
    }
    has { has_samples "@dataset-samples" }
    clicks { opens_answers "dataset-answers" }
    presses { unfolds_row "@dataset-table tbody button" }
}

impl Dataset<'_> {
    /// Chooses files.
    pub(crate) async fn opens(&self, paths: &[std::path::PathBuf]) -> Result<()> {
        self.give("dataset-files", paths).await
    }
}
