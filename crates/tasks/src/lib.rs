//! Benchmark tasks: problems, answers, verdicts with certificates.
