//! Dataset: whole files of questions, checked.

use anyhow::Result;

super::screen! {
    /// The page Dataset.
    Dataset
    says {
        summary_says: "[data-testid='dataset-summary']",
        faults_say: ".report.no",
        rules_say: "[data-testid='both-rules']",
        causes_say: "[data-testid='both-rules'] .causes",
        says: ".dataset",
    }
    counts {
        n_rows: "[data-testid='dataset-table'] tbody tr",
        n_faults: "[data-testid='dataset-table'] td.fault",
        n_compared: "[data-testid='both-rules'] tbody tr",
    }
    clicks {
        opens_samples: "dataset-samples",
        opens_answers: "dataset-answers",
    }
    presses {
        unfolds_row: "[data-testid='dataset-table'] tbody button",
    }
}

impl Dataset<'_> {
    /// Chooses files.
    pub(crate) async fn opens(&self, paths: &[std::path::PathBuf]) -> Result<()> {
        self.give("dataset-files", paths).await
    }
}
