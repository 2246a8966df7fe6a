//! Time spent on a set of problems; the clock is the caller's.

use super::DatasetReport;

impl DatasetReport {
    /// Spreads the seconds that a file took over its tasks and levels by their number of problems.
    pub fn spread_seconds(&mut self, seconds: f64) {
        let each = seconds / self.totals.questions.max(1) as f64;
        self.totals.seconds = seconds;
        for task in self.tasks.values_mut() {
            task.total.seconds = each * task.total.questions as f64;
            for level in task.difficulties.values_mut() {
                level.seconds = each * level.questions as f64;
            }
        }
    }
}
