//! Which part of a benchmark this process makes.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use eval::Shard;

/// `--shard`: a part that the person names, or the one that a cluster's variables name.
#[derive(Clone, Copy)]
pub(super) enum ShardAsked {
    Auto,
    One(Shard),
}

impl FromStr for ShardAsked {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        text.parse().map(Self::One).map_err(|e: String| format!("{e}, or auto"))
    }
}

/// Options of processes that make one benchmark together.
#[derive(clap::Args)]
pub(super) struct Sharing {
    /// Only the runs of one part, such as 0/4; `merge` puts the files together. In a folder, the part
    /// that is made first. `auto` reads it from the variables of a Slurm array, of a Kubernetes
    /// indexed job (with SHARDS), or from SHARD=i/n.
    #[arg(long, value_name = "I/N|auto")]
    shard: Option<ShardAsked>,
    /// In a folder: seconds without a sign of life after which another process takes over.
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    lease: f64,
}

impl Sharing {
    /// The part that is asked for.
    pub(super) fn shard(&self, out: &Path) -> Result<Option<Shard>> {
        match self.shard {
            None => Ok(None),
            Some(ShardAsked::One(shard)) => Ok(Some(shard)),
            Some(ShardAsked::Auto) if is_folder(out) => {
                read(|name| std::env::var(name).ok()).map(Some)
            }
            Some(ShardAsked::Auto) => bail!(
                "--shard auto writes to a folder that the tasks share; give --out runs/ in place of \
                 --out {}",
                out.display()
            ),
        }
    }

    /// How long a process may give no sign of life.
    pub(super) fn lease(&self) -> Result<Duration> {
        if !(0.1..=86_400.0).contains(&self.lease) {
            bail!("--lease is {}; expected 0.1 to 86400 seconds", self.lease);
        }
        Ok(Duration::from_secs_f64(self.lease))
    }
}

/// Whether `--out` names a folder, which processes share.
pub(super) fn is_folder(out: &Path) -> bool {
    out.is_dir() || out.as_os_str().as_encoded_bytes().last() == Some(&b'/')
}

/// The runs file of a shard in a folder.
pub(super) fn file_name(shard: Shard) -> String {
    format!("part-{}-of-{}.jsonl", shard.index, shard.of)
}

/// Reads the shard from variables of the environment.
pub(super) fn read(find: impl Fn(&str) -> Option<String>) -> Result<Shard> {
    let number = |name: &str| -> Result<Option<u32>> {
        let Some(text) = find(name) else { return Ok(None) };
        let number = text.trim().parse();
        number.map(Some).with_context(|| format!("{name} is {text:?}; expected a number from 0"))
    };
    if let Some(text) = find("SHARD") {
        return text.trim().parse().map_err(|e: String| anyhow::anyhow!("SHARD: {e}"));
    }
    if let Some(id) = number("SLURM_ARRAY_TASK_ID")? {
        let (Some(first), Some(of)) =
            (number("SLURM_ARRAY_TASK_MIN")?, number("SLURM_ARRAY_TASK_COUNT")?)
        else {
            bail!(
                "SLURM_ARRAY_TASK_ID is set, and SLURM_ARRAY_TASK_MIN or SLURM_ARRAY_TASK_COUNT is \
                 not; set SHARD=i/n"
            );
        };
        let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
        let index = id.checked_sub(first).filter(|d| d % step == 0).map(|d| d / step);
        return match index.filter(|index| *index < of) {
            Some(index) => Ok(Shard { index, of }),
            None => bail!(
                "task {id} of a Slurm array of {of} tasks from {first}: the array has gaps; use one \
                 without, such as --array=0-{}, or set SHARD=i/n",
                of.saturating_sub(1)
            ),
        };
    }
    if let Some(index) = number("JOB_COMPLETION_INDEX")? {
        let of = number("SHARDS")?.context(
            "JOB_COMPLETION_INDEX is set, and SHARDS is not; set SHARDS to the job's completions",
        )?;
        if index >= of {
            bail!("JOB_COMPLETION_INDEX is {index}, and SHARDS is {of}; expected a greater SHARDS");
        }
        return Ok(Shard { index, of });
    }
    bail!(
        "--shard auto: no array is set in the environment; looked for SHARD (i/n), \
         SLURM_ARRAY_TASK_ID with _MIN and _COUNT, and JOB_COMPLETION_INDEX with SHARDS"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(variables: &[(&str, &str)]) -> Result<String, String> {
        let find = |name: &str| {
            variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
        };
        read(find).map(|s| s.to_string()).map_err(|e| format!("{e:#}"))
    }

    #[test]
    fn the_shard_is_read_from_what_schedulers_set() {
        let slurm = |id, min, count, step| {
            shard(&[
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_COUNT", count),
                ("SLURM_ARRAY_TASK_STEP", step),
            ])
        };
        assert_eq!(slurm("3", "0", "8", "1").as_deref(), Ok("3/8"));
        assert_eq!(slurm("8", "1", "8", "1").as_deref(), Ok("7/8"));
        assert_eq!(slurm("20", "10", "3", "5").as_deref(), Ok("2/3"));
        let index = ("JOB_COMPLETION_INDEX", "2");
        assert_eq!(shard(&[index, ("SHARDS", "4")]).as_deref(), Ok("2/4"));
        assert_eq!(shard(&[index, ("SHARD", "1/9")]).as_deref(), Ok("1/9"));
        // `--array=1,3,7` numbers its three tasks 1, 3 and 7.
        for (said, words) in [
            (slurm("7", "1", "3", "1"), "the array has gaps"),
            (shard(&[("SLURM_ARRAY_TASK_ID", "1")]), "SLURM_ARRAY_TASK_COUNT is not"),
            (shard(&[index]), "SHARDS is not"),
            (shard(&[index, ("SHARDS", "2")]), "a greater SHARDS"),
            (shard(&[index, ("SHARDS", "two")]), "expected a number"),
            (shard(&[("SHARD", "4/4")]), "0/4"),
            (shard(&[]), "SHARD (i/n), SLURM_ARRAY_TASK_ID with _MIN and _COUNT"),
        ] {
            let said = said.unwrap_err();
            assert!(said.contains(words), "{said}");
        }
    }
}
