//! What `bench --submit` is asked for.

use std::path::PathBuf;

/// Where the benchmark is to run.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub(super) enum Cluster {
    Slurm,
    Kubernetes,
    Print,
}

/// Options of `--submit`.
#[derive(clap::Args)]
pub(super) struct Submission {
    /// Makes jobs of this command: files in the folder of --out for slurm (an array, then `merge`) or
    /// kubernetes (an indexed job, then `merge`), submitted where `sbatch` or `kubectl` is installed
    /// and --dry-run is not given; or prints a line for each task of any other scheduler.
    #[arg(long, value_name = "CLUSTER")]
    pub(super) submit: Option<Cluster>,
    /// With --submit: tasks.
    #[arg(long, requires = "submit", default_value_t = 8, value_name = "N")]
    pub(super) shards: u32,
    /// With --submit: hours that a task may take.
    #[arg(long, requires = "submit", default_value_t = 24, value_name = "N")]
    pub(super) hours: u32,
    /// With --submit: gigabytes of memory of a task.
    #[arg(long, requires = "submit", default_value_t = 2, value_name = "GB")]
    pub(super) memory: u32,
    /// With --submit: processors of a task; more than one for models that run in it.
    #[arg(long, requires = "submit", default_value_t = 1, value_name = "N")]
    pub(super) cpus: u32,
    /// With --submit slurm: a file with the key for --key-env, which only you can read; without it, the
    /// job has the key of the environment of `sbatch`.
    #[arg(long, requires = "submit", value_name = "FILE")]
    pub(super) key_file: Option<PathBuf>,
    /// With --submit kubernetes: the container image that has `graphground`.
    #[arg(long, requires = "submit", value_name = "NAME")]
    pub(super) image: Option<String>,
    /// With --submit kubernetes: the claim of a volume that all pods can write to.
    #[arg(long, requires = "submit", value_name = "CLAIM")]
    pub(super) volume: Option<String>,
}

/// Options that are not the tasks', each with a value.
pub(super) const OURS: [&str; 10] = [
    "--submit",
    "--shards",
    "--hours",
    "--memory",
    "--cpus",
    "--key-file",
    "--image",
    "--volume",
    "--shard",
    "--out",
];
impl Submission {
    /// Whether this process makes no run, and so needs no key.
    pub(super) fn is_asked(&self) -> bool {
        self.submit.is_some()
    }
}
