//! Blocks of runs that processes share by a folder: a process takes a lease on a block, and another
//! takes over the blocks of a process that died.
//!
//! One operation decides everything: creating a file that must not exist, which network file systems
//! allow one process only. A block's leases are numbered, and none is ever removed or
//! renamed, so that nothing can be taken from a living process by mistake. A process lives as long as
//! a number in its file changes. A process that wants its block watches that by its own clock, so the
//! clocks of machines need not agree.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use eval::{BenchPlan, Entry, Job, Key, Runs, Shard};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::{now, now_ms};
use crate::{input, runs_file};

/// The number of blocks of a benchmark, however many processes make it: enough that the
/// last ones are short, and few files.
const BLOCKS: u32 = 1024;

/// The most bytes of a file in the folder of leases.
pub(super) const MAX_FILE: usize = 4096;

/// What a process says of itself beside its runs file.
#[derive(Serialize, Deserialize)]
pub(super) struct Beat {
    /// Which shard it makes first.
    pub(super) shard: String,
    /// Runs of the whole benchmark.
    pub(super) n_jobs: usize,
    /// Seconds after which a process that does not change its file is dead.
    pub(super) lease_s: f64,
    /// Changes while it lives.
    pub(super) beat: u64,
    /// Whether it came to its end by itself.
    pub(super) is_over: bool,
}

/// The file in which a process shows that it lives.
pub(super) struct Heart {
    path: PathBuf,
    beat: AtomicU64,
    shard: Shard,
    n_jobs: usize,
    lease: Duration,
}

impl Heart {
    /// Changes the file. If this fails, the next beat tries again; without one, others make the runs.
    pub(super) fn beat(&self, is_over: bool) {
        let beat = Beat {
            shard: self.shard.to_string(),
            n_jobs: self.n_jobs,
            lease_s: self.lease.as_secs_f64(),
            beat: self.beat.fetch_add(1, Ordering::Relaxed),
            is_over,
        };
        if let Ok(text) = serde_json::to_string(&beat) {
            let _ = fs::write(&self.path, text);
        }
    }

    /// How often the file has to change.
    pub(super) fn pause(&self) -> Duration {
        self.lease / 4
    }
}

/// The folder of leases in a folder of runs.
pub(super) fn folder_of(runs: &Path) -> PathBuf {
    runs.join("leases")
}

/// The leases of all processes, by block and number.
#[derive(Default)]
struct Listed {
    /// The last lease on each block.
    last: BTreeMap<u32, u32>,
    ended: BTreeSet<(u32, u32)>,
}

/// A block whose lease is this process's.
struct Held {
    generation: u32,
    n_left: usize,
}

/// What there is to do for a process without jobs.
pub(super) enum Taken {
    Jobs(Vec<Job>),
    /// Others hold what is left; they may die.
    Later,
    Nothing,
}

/// The leases of a folder, as one process sees and holds them.
pub(super) struct Leases {
    folder: PathBuf,
    holder: String,
    lease: Duration,
    /// Blocks with runs that are missing, in the order in which this process wants them.
    open: Vec<(u32, Vec<Job>)>,
    held: BTreeMap<u32, Held>,
    /// What came to its end before this process started: its failed runs may be tried again.
    ended_before: BTreeSet<(u32, u32)>,
    /// The last change of each holder's file that was seen.
    seen: BTreeMap<String, (Vec<u8>, Instant)>,
    finished: Finished,
}

impl Leases {
    /// Begins to share the runs of a plan.
    pub(super) fn new(
        folder: &Path,
        shard: Shard,
        lease: Duration,
        plan: &BenchPlan,
        finished: Finished,
    ) -> Result<(Self, Heart)> {
        let leases = folder_of(folder);
        let place = || format!("{}: cannot be written", leases.display());
        fs::create_dir_all(&leases).with_context(place)?;
        let mut blocks: BTreeMap<(u32, u32), Vec<Job>> = BTreeMap::new();
        let mut n_jobs = 0;
        for job in plan.jobs() {
            n_jobs += 1;
            if !finished.has(&job.key) {
                // Our own first, then those of the shards after ours: helpers start apart.
                let block = Shard::index_of(&job.key, BLOCKS);
                let turn = (block % shard.of + shard.of - shard.index) % shard.of;
                blocks.entry((turn, block)).or_default().push(job);
            }
        }
        let open = blocks.into_iter().map(|((_, block), jobs)| (block, jobs)).collect();
        // Two of one shard may live at once, where a scheduler starts one again too early.
        let holder = format!("{}-of-{}-{}-{}", shard.index, shard.of, now_ms(), std::process::id());
        let path = leases.join(format!("{holder}.beat"));
        let heart = Heart { path, beat: AtomicU64::new(0), shard, n_jobs, lease };
        heart.beat(false);
        let mut this = Self {
            folder: leases,
            holder,
            lease,
            open,
            held: BTreeMap::new(),
            ended_before: BTreeSet::new(),
            seen: BTreeMap::new(),
            finished,
        };
        this.ended_before = this.list()?.ended;
        Ok((this, heart))
    }

    /// What other processes and this one have left in the folder.
    fn list(&self) -> Result<Listed> {
        let mut listed = Listed::default();
        let place = || self.folder.display().to_string();
        for entry in fs::read_dir(&self.folder).with_context(place)? {
            let name = entry.with_context(place)?.file_name();
            let parts: Vec<&str> = name.to_str().unwrap_or_default().split('.').collect();
            let [block, generation, kind] = parts[..] else { continue };
            let (Ok(block), Ok(generation)) = (block.parse(), generation.parse::<u32>()) else {
                continue;
            };
            if kind == "ended" {
                listed.ended.insert((block, generation));
            }
            let last = listed.last.entry(block).or_insert(generation);
            *last = generation.max(*last);
        }
        Ok(listed)
    }

    fn path(&self, block: u32, generation: u32, kind: &str) -> PathBuf {
        self.folder.join(format!("{block:04}.{generation}.{kind}"))
    }

    /// Whether the holder's file did not change for a lease while it was watched.
    fn is_dead(&mut self, block: u32, generation: u32) -> bool {
        let lease = self.path(block, generation, "lease");
        let read = |path: &Path| input::bytes(path, MAX_FILE).unwrap_or_default();
        let mut holder = String::from_utf8_lossy(&read(&lease)).into_owned();
        if holder.is_empty() {
            // Its name comes in a moment, or never.
            holder = format!("{block}.{generation}");
        }
        let beat = read(&self.folder.join(format!("{holder}.beat")));
        // One that came to its end and left the block will not come back.
        if serde_json::from_slice::<Beat>(&beat).is_ok_and(|b| b.is_over) {
            return true;
        }
        match self.seen.get(&holder) {
            Some((known, since)) if *known == beat => since.elapsed() > self.lease,
            _ => {
                self.seen.insert(holder, (beat, now()));
                false
            }
        }
    }

    /// Takes a lease, unless another process was faster.
    fn create(&self, block: u32, generation: u32) -> Result<bool> {
        let path = self.path(block, generation, "lease");
        match File::create_new(&path) {
            Ok(mut file) => {
                file.write_all(self.holder.as_bytes())
                    .with_context(|| format!("{}: cannot be written", path.display()))?;
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error).with_context(|| format!("{}: cannot be made", path.display())),
        }
    }

    /// The next block that is free, or whose holder died.
    pub(super) fn take(&mut self) -> Result<Taken> {
        let Listed { last, ended } = self.list()?;
        // Those that others brought to their end are theirs to report.
        let is_new = |at: &(u32, u32)| ended.contains(at) && !self.ended_before.contains(at);
        self.open.retain(|(block, _)| last.get(block).is_none_or(|g| !is_new(&(*block, *g))));
        let mut at = 0;
        while at < self.open.len() {
            let block = self.open[at].0;
            let before = last.get(&block).copied().unwrap_or(0);
            let is_free = before == 0
                || self.ended_before.contains(&(block, before))
                || self.is_dead(block, before);
            if is_free && self.create(block, before + 1)? {
                let (_, mut jobs) = self.open.remove(at);
                if before > 0 {
                    self.finished.refresh()?;
                    jobs.retain(|job| !self.finished.has(&job.key));
                }
                self.held.insert(block, Held { generation: before + 1, n_left: jobs.len() });
                if !jobs.is_empty() {
                    return Ok(Taken::Jobs(jobs));
                }
                self.end(block)?;
                continue;
            }
            at += 1;
        }
        Ok(if self.open.is_empty() { Taken::Nothing } else { Taken::Later })
    }

    /// Gives a job back if it is this process's no more: one that stood still for longer than a lease
    /// may have lost it. A network file system may show that late; then a run is made twice, and
    /// `merge` takes it once.
    pub(super) fn keep(&mut self, job: Job) -> Option<Job> {
        let block = Shard::index_of(&job.key, BLOCKS);
        let next = |held: &Held| self.path(block, held.generation + 1, "lease");
        if self.held.get(&block).is_some_and(|held| !next(held).exists()) {
            return Some(job);
        }
        self.held.remove(&block);
        match self.open.iter_mut().find(|(b, _)| *b == block) {
            Some((_, jobs)) => jobs.push(job),
            None => self.open.push((block, vec![job])),
        }
        None
    }

    /// Whether runs are left that this process did not see come to their end.
    pub(super) fn has_more(&self) -> bool {
        !self.open.is_empty() || !self.held.is_empty()
    }

    /// A run is finished, or failed for good.
    pub(super) fn done(&mut self, key: &Key) -> Result<()> {
        let block = Shard::index_of(key, BLOCKS);
        let Some(held) = self.held.get_mut(&block) else { return Ok(()) };
        held.n_left -= 1;
        if held.n_left == 0 { self.end(block) } else { Ok(()) }
    }

    fn end(&mut self, block: u32) -> Result<()> {
        let Some(held) = self.held.remove(&block) else { return Ok(()) };
        let path = self.path(block, held.generation, "ended");
        File::create(&path).map(drop).with_context(|| format!("{}: cannot be made", path.display()))
    }
}

/// The finished runs of all files of a folder.
#[derive(Default)]
pub(super) struct Finished {
    keys: HashSet<Key>,
    /// Files that were read, with the size that they had.
    sizes: BTreeMap<PathBuf, u64>,
    folder: PathBuf,
}

impl Finished {
    /// Reads a folder.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let mut this = Self { folder: folder.to_owned(), ..Self::default() };
        this.refresh()?;
        Ok(this)
    }

    /// Whether a run is there.
    pub(super) fn has(&self, key: &Key) -> bool {
        self.keys.contains(key)
    }

    fn refresh(&mut self) -> Result<()> {
        let head = Entry::<trace::Trace>::head().line().len() as u64;
        for path in parts(&self.folder)? {
            let size = path.metadata().map_or(0, |about| about.len());
            // A file that was begun a moment ago has no whole line yet.
            if size < head || self.sizes.insert(path.clone(), size) == Some(size) {
                continue;
            }
            let runs: Runs<IgnoredAny> = runs_file::read(&path)?;
            self.keys.extend(runs.runs.into_iter().map(|run| run.key));
        }
        Ok(())
    }
}

/// The runs files of shards in a folder.
pub(super) fn parts(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| folder.display().to_string()),
    };
    let is_part = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("part-") && name.ends_with(".jsonl")
    };
    let mut parts: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_part).collect();
    parts.sort();
    Ok(parts)
}
