//! `bench --submit`: the same benchmark as a job of a cluster, in files that a person can read.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::options::Args;
use super::shards;
use super::submission::{Cluster, OURS, Submission};
use crate::output;

/// The secret with the keys, and the name of the job.
const NAME: &str = "graphground";

/// Writes the jobs and submits them.
pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let asked = &args.submission;
    let Some(cluster) = asked.submit else { bail!("internal error: nothing to submit") };
    if asked.shards == 0 || asked.hours == 0 || asked.memory == 0 || asked.cpus == 0 {
        bail!("--shards, --hours, --memory and --cpus are at least 1");
    }
    if !shards::is_folder(&args.out) {
        bail!(
            "--submit writes to a folder that the tasks share; give --out runs/ in place of --out {}",
            args.out.display()
        );
    }
    // What is wrong is said now, and not by each task.
    let work = args.work()?;
    args.check_budget(&work.plan, &args.prices()?)?;
    let words = task_words(std::env::args().skip(2));
    let out = args.out.display().to_string();
    let folder = out.trim_end_matches('/');
    if cluster == Cluster::Print {
        let mut to = output::stdout();
        let line = line(&[NAME, "bench"], &words, folder);
        for index in 0..asked.shards {
            writeln!(to, "SHARD={index}/{} {line}", asked.shards)?;
        }
        writeln!(to, "{}", merge(NAME, folder))?;
        to.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("{}: cannot be made", args.out.display()))?;
    let (job, then) = match cluster {
        Cluster::Slurm => ("job.sh", "merge.sh"),
        _ => ("job.json", "merge.json"),
    };
    let (job, then) = (args.out.join(job), args.out.join(then));
    if cluster == Cluster::Slurm {
        output::write(&job, slurm_job(args, &words, folder)?)?;
        output::write(&then, slurm_merge(asked, folder)?)?;
        submit_to_slurm(args, &job, &then)?;
    } else {
        let (bench, merge) = kubernetes(args, &words)?;
        output::write(&job, serde_json::to_string_pretty(&bench)? + "\n")?;
        output::write(&then, serde_json::to_string_pretty(&merge)? + "\n")?;
        submit_to_kubernetes(args, &job, &then)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The command line of a task.
fn task_words(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut words = Vec::new();
    let mut all = all;
    while let Some(word) = all.next() {
        let name = word.split('=').next().unwrap_or_default();
        if OURS.contains(&name) {
            if name == word {
                all.next();
            }
        } else if word != "--dry-run" {
            words.push(word);
        }
    }
    words
}

/// A word as a shell reads it.
fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn line(program: &[&str], words: &[String], folder: &str) -> String {
    let rest = ["--shard", "auto", "--out"].map(str::to_owned);
    let folder = format!("{folder}/");
    let all = program.iter().copied().chain(words.iter().chain(&rest).map(String::as_str));
    all.chain([folder.as_str()]).map(quote).collect::<Vec<_>>().join(" ")
}

/// What puts the parts together; the parts remain, so that it may be done again.
fn merge(program: &str, folder: &str) -> String {
    let (program, folder) = (quote(program), quote(folder));
    format!(
        "rm -f {folder}/merged.jsonl && {program} merge {folder}/part-*.jsonl --out \
         {folder}/merged.jsonl"
    )
}

/// This program, where the nodes of a cluster find it, too: in a folder that they share.
fn this_program() -> Result<String> {
    let path = std::env::current_exe().context("the path of this program is unknown")?;
    Ok(path.to_string_lossy().into_owned())
}

fn slurm_head(asked: &Submission, name: &str, log: &str) -> String {
    format!(
        "#!/bin/bash\n#SBATCH --job-name={name}\n#SBATCH --time={}\n#SBATCH --mem={}G\n\
         #SBATCH --output=\"{log}\"\n#SBATCH --open-mode=append\n",
        asked.hours * 60,
        asked.memory,
    )
}

fn slurm_job(args: &Args, words: &[String], folder: &str) -> Result<String> {
    let asked = &args.submission;
    let mut text = slurm_head(asked, NAME, &format!("{folder}/log-%a.txt"));
    write!(
        text,
        "#SBATCH --array=0-{}\n#SBATCH --cpus-per-task={}\n#SBATCH --requeue\n",
        asked.shards - 1,
        asked.cpus
    )?;
    for name in args.key_names() {
        match &asked.key_file {
            Some(file) if Some(&name) == args.key_env.as_ref() => {
                check_key_file(file)?;
                let file = file.canonicalize().unwrap_or_else(|_| file.clone());
                let file = quote(&file.to_string_lossy());
                writeln!(text, "{name}=$(cat {file}) || exit 1\nexport {name}")?;
            }
            _ => writeln!(text, ": \"${{{name}:?export it before sbatch, or use --key-file}}\"")?,
        }
    }
    let program = this_program()?;
    writeln!(text, "exec {}", line(&[&program, "bench"], words, folder))?;
    Ok(text)
}

fn slurm_merge(asked: &Submission, folder: &str) -> Result<String> {
    let mut text = slurm_head(asked, "graphground-merge", &format!("{folder}/log-merge.txt"));
    writeln!(text, "{}", merge(&this_program()?, folder))?;
    Ok(text)
}

/// A key that others can read is no secret.
fn check_key_file(path: &Path) -> Result<()> {
    let about = path.metadata().with_context(|| format!("--key-file {}", path.display()))?;
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o077 != 0 {
        bail!("{}: others can read it; run `chmod 600` on it first", path.display());
    }
    if about.is_file() { Ok(()) } else { bail!("{}: is no file", path.display()) }
}

fn submit_to_slurm(args: &Args, job: &Path, then: &Path) -> Result<()> {
    let (shown, after) = (quote(&job.to_string_lossy()), quote(&then.to_string_lossy()));
    let by_hand = format!(
        "wrote {shown} and {after}; submit them with: sbatch --dependency=afterany:$(sbatch \
         --parsable {shown}) {after}"
    );
    if args.dry_run {
        output::complain(&by_hand);
        return Ok(());
    }
    let Some(id) = ask(Command::new("sbatch").arg("--parsable").arg(job))? else {
        output::complain(&format!("sbatch is not installed here; {by_hand}"));
        return Ok(());
    };
    // With the cluster's name behind it, where there are several.
    let id = id.split(';').next().unwrap_or_default();
    let mut second = Command::new("sbatch");
    second.arg(format!("--dependency=afterany:{id}")).arg("--parsable").arg(then);
    let merge = ask(&mut second)?.unwrap_or_default();
    output::complain(&format!("submitted job {id}, and job {merge} to merge; {}", status(args)));
    Ok(())
}

fn status(args: &Args) -> String {
    format!("`graphground bench --status {}` shows how far they are", args.out.display())
}

/// What a program answers; nothing where it is not installed.
fn ask(command: &mut Command) -> Result<Option<String>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = match command.output() {
        Ok(done) => done,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("{name} cannot be started")),
    };
    if !done.status.success() {
        bail!("{name}: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    Ok(Some(String::from_utf8_lossy(&done.stdout).trim().to_owned()))
}

/// An indexed job, and a job that merges when it is done: one job cannot wait for another.
fn kubernetes(args: &Args, words: &[String]) -> Result<(Value, Value)> {
    let asked = &args.submission;
    let (Some(image), Some(volume)) = (&asked.image, &asked.volume) else {
        bail!("--submit kubernetes needs --image NAME and --volume CLAIM");
    };
    let mut command = vec![NAME.to_owned(), "bench".to_owned()];
    command.extend(words.iter().cloned());
    command.extend(["--shard", "auto", "--out", "/runs/"].map(str::to_owned));
    let mut env = vec![json!({"name": "SHARDS", "value": asked.shards.to_string()})];
    env.extend(args.key_names().into_iter().map(|name| {
        let key = json!({"name": NAME, "key": name});
        json!({"name": name, "valueFrom": {"secretKeyRef": key}})
    }));
    let spec = |command: Value, env: Value| {
        let memory = format!("{}Gi", asked.memory);
        json!({"spec": {
            "restartPolicy": "Never",
            "containers": [{
                "name": NAME, "image": image, "command": command, "env": env,
                "resources": {
                    "requests": {"cpu": asked.cpus.to_string(), "memory": memory},
                    "limits": {"memory": memory},
                },
                "volumeMounts": [{"name": "runs", "mountPath": "/runs"}],
            }],
            "volumes": [{"name": "runs", "persistentVolumeClaim": {"claimName": volume}}],
        }})
    };
    let seconds = asked.hours * 3600;
    let bench = json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": NAME},
        "spec": {
            "completionMode": "Indexed",
            "completions": asked.shards, "parallelism": asked.shards,
            "backoffLimitPerIndex": 3,
            "activeDeadlineSeconds": seconds,
            "template": spec(json!(command), json!(env)),
        },
    });
    let wait =
        format!("until {NAME} bench --status /runs; do sleep 60; done; {}", merge(NAME, "/runs"));
    let then = json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "graphground-merge"},
        "spec": {
            "backoffLimit": 3,
            "activeDeadlineSeconds": seconds,
            "template": spec(json!(["sh", "-c", wait]), json!([])),
        },
    });
    Ok((bench, then))
}

fn submit_to_kubernetes(args: &Args, job: &Path, then: &Path) -> Result<()> {
    let names = args.key_names();
    if !names.is_empty() {
        let keys: Vec<String> = names.iter().map(|n| format!("--from-file={n}=FILE")).collect();
        output::complain(&format!(
            "the key is read from a secret: kubectl create secret generic {NAME} {}",
            keys.join(" ")
        ));
    }
    let by_hand = format!(
        "kubectl create -f {} -f {}",
        quote(&job.to_string_lossy()),
        quote(&then.to_string_lossy())
    );
    if args.dry_run {
        output::complain(&format!("wrote the jobs; submit them with: {by_hand}"));
        return Ok(());
    }
    let mut create = Command::new("kubectl");
    create.arg("create").arg("-f").arg(job).arg("-f").arg(then);
    match ask(&mut create)? {
        Some(said) => output::complain(&said),
        None => output::complain(&format!(
            "kubectl is not installed here; wrote the jobs; submit them with: {by_hand}"
        )),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_has_the_options_of_its_benchmark_alone() {
        let all = "--model m --submit slurm --shards=9 --endpoint http://a/v1 --dry-run --out runs/ \
                   --key-env K --image x --task cycle";
        let words = task_words(all.split_whitespace().map(str::to_owned));
        assert_eq!(words.join(" "), "--model m --endpoint http://a/v1 --key-env K --task cycle");
        let words = ["--title".to_owned(), "it's a `$b`".to_owned(), String::new()];
        let said = Command::new("sh")
            .args(["-c", &format!("printf '<%s>' {}", line(&["a b"], &words, "c d"))])
            .output()
            .unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        assert_eq!(said, "<a b><--title><it's a `$b`><><--shard><auto><--out><c d/>");
    }
}
