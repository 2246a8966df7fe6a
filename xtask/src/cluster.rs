//! A benchmark on a real Slurm on this machine, with tasks that die, beside one process; and the files
//! for Kubernetes against its published schema.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::readers::python_with;
use crate::steps::{output, root, run, say};

/// Has Kubernetes' schemas in it.
const SCHEMA: &str = "kubernetes-validate==1.37.0";
/// Debian's packages, whose further dependencies a Debian system has.
const PACKAGES: [&str; 4] = ["slurmctld", "slurmd", "slurm-client", "munge"];
/// Tasks of the array.
const TASKS: usize = 8;

/// All of it; what cannot be installed is an error, because this is what the command is for.
pub fn run_all() -> Result<()> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    run(
        "building the companion",
        Command::new("cargo").args(["build", "--package", "graphground"]).current_dir(root()),
    )?;
    let companion = target.join("debug/graphground");
    let folder = target.join("peers-slurm");
    let work = folder.join("work");
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work)?;
    check_kubernetes(&companion, &target, &work)?;
    check_slurm(&companion, &unpacked(&folder)?, &work)
}

/// Debian's Slurm in a folder; nothing of the system changes.
fn unpacked(folder: &Path) -> Result<PathBuf> {
    let to = folder.join("root");
    if to.join("usr/sbin/slurmctld-wlm").exists() {
        return Ok(to);
    }
    let missing = "needs Debian's apt-get and dpkg, with slurm-wlm among the packages";
    let planned = output(
        Command::new("apt-get").args(["install", "-s", "--no-install-recommends"]).args(PACKAGES),
    )
    .context(missing)?;
    let names = planned.lines().filter_map(|l| l.strip_prefix("Inst ")?.split(' ').next());
    let packages = folder.join("packages");
    fs::create_dir_all(&packages)?;
    run(
        "fetching Debian's Slurm under target/",
        // Those that are installed already are needed all the same.
        Command::new("apt-get").arg("download").args(names).current_dir(&packages),
    )?;
    for package in fs::read_dir(&packages)? {
        let mut unpack = Command::new("dpkg");
        unpack.arg("-x").arg(package?.path()).arg(&to);
        output(&mut unpack).context(missing)?;
    }
    Ok(to)
}

/// A process that ends with this.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A controller and a node on the loopback.
struct Slurm {
    root: PathBuf,
    conf: PathBuf,
    _daemons: Vec<Daemon>,
}

impl Slurm {
    fn start(root: &Path, work: &Path) -> Result<Self> {
        let work = work.join("slurm");
        fs::create_dir_all(work.join("state"))?;
        let host = output(&mut Command::new("hostname")).context("no hostname")?;
        let user = output(Command::new("id").arg("-un")).context("no user")?;
        let (at, lib) = (work.display(), root.join("usr/lib/x86_64-linux-gnu/slurm-wlm"));
        let port = 20_000 + std::process::id() % 20_000;
        let conf = work.join("slurm.conf");
        // One user runs everything, so there is no secret to share.
        let text = format!(
            "ClusterName=loopback\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser={user}\n\
             SlurmdUser={user}\nAuthType=auth/none\nCredType=cred/none\nSlurmctldPort={port}\n\
             SlurmdPort={}\nStateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool\n\
             SlurmctldPidFile={at}/controller.pid\nSlurmdPidFile={at}/node.pid\n\
             SlurmctldLogFile={at}/controller.log\nSlurmdLogFile={at}/node.log\nPluginDir={}\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\n\
             MpiDefault=none\nJobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\nSelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core\nSlurmdParameters=config_overrides\nReturnToService=2\n\
             JobRequeue=1\nNodeName={host} NodeAddr=127.0.0.1 CPUs={TASKS} RealMemory=65536\n\
             PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP\n",
            port + 1,
            lib.display(),
        );
        fs::write(&conf, text)?;
        let mut slurm = Self { root: root.to_owned(), conf, _daemons: Vec::new() };
        let stepd = root.join("usr/sbin/slurmstepd-wlm");
        for (name, rest) in [("slurmctld-wlm", vec![]), ("slurmd-wlm", vec!["-d".into(), stepd])] {
            let mut daemon = slurm.command(&format!("sbin/{name}"));
            daemon.arg("-D").args(rest).stdout(Stdio::null()).stderr(Stdio::null());
            let child = daemon.spawn().with_context(|| format!("{name} cannot be started"))?;
            slurm._daemons.push(Daemon(child));
        }
        wait_until("Slurm has an idle node", || {
            let states = output(slurm.command("bin/sinfo").args(["--noheader", "--format=%t"]));
            Ok(states.is_some_and(|s| s.trim() == "idle"))
        })?;
        Ok(slurm)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.root.join("usr").join(name));
        self.set(&mut command);
        command
    }

    /// Lets a program find this Slurm.
    fn set(&self, command: &mut Command) {
        let lib = self.root.join("usr/lib/x86_64-linux-gnu");
        let libs = format!("{}:{}", lib.display(), lib.join("slurm-wlm").display());
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env("SLURM_CONF", &self.conf)
            .env("LD_LIBRARY_PATH", libs)
            .env("PATH", format!("{}:{path}", self.root.join("usr/bin").display()));
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> Result<bool>) -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(300) {
        if is_so()? {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    bail!("waited five minutes, and it did not come to this: {what}")
}

/// The verdict of each run of a file, and how many lines of runs it has.
fn verdicts(path: &Path) -> Result<(BTreeMap<String, String>, usize)> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let (mut verdicts, mut n) = (BTreeMap::new(), 0);
    for line in text.lines() {
        let Ok(entry) = serde_json::from_str::<Value>(line) else { continue };
        if entry["type"] == "run" {
            verdicts.insert(entry["key"].to_string(), entry["score"]["verdict"].to_string());
            n += 1;
        }
    }
    Ok((verdicts, n))
}

fn bench(companion: &Path, url: &str) -> Command {
    let mut command = Command::new(companion);
    command
        .args(["bench", "--task", "all", "--difficulty", "easy", "--n", "10", "--lease", "3"])
        .args(["--system", "grounded,standalone", "--model", "script,mistaken"])
        .args(["--endpoint", url, "--concurrency", "1", "--key-env", "PEER_KEY"]);
    command
}

fn check_slurm(companion: &Path, root: &Path, work: &Path) -> Result<()> {
    let mut serve = Command::new(companion);
    serve.args(["serve", "--port", "0"]);
    let mut server = Daemon(serve.stdout(Stdio::piped()).spawn()?);
    let mut said = String::new();
    BufReader::new(server.0.stdout.take().context("no output")?).read_line(&mut said)?;
    let at = said.find("http://").with_context(|| format!("no address in {said:?}"))?;
    let url = said[at..].split_whitespace().next().unwrap_or_default().trim_end_matches('/');
    let url = if url.ends_with("/v1") { url.to_owned() } else { format!("{url}/v1") };

    let one = work.join("one.jsonl");
    run(
        "the benchmark in one process",
        bench(companion, &url)
            .arg("--out")
            .arg(&one)
            .env("PEER_KEY", "sk-peer")
            .stderr(Stdio::null()),
    )?;
    let slurm = Slurm::start(root, work)?;
    let (runs, key) = (work.join("runs"), work.join("key"));
    fs::create_dir_all(&runs)?;
    fs::write(&key, "sk-peer\n")?;
    output(Command::new("chmod").arg("600").arg(&key)).context("chmod failed")?;
    let mut submit = bench(companion, &url);
    slurm.set(&mut submit);
    submit.args(["--submit", "slurm", "--shards", &TASKS.to_string(), "--memory", "1"]);
    run("the same as a Slurm array", submit.arg("--key-file").arg(&key).arg("--out").arg(&runs))?;

    let part = |task: usize| runs.join(format!("part-{task}-of-{TASKS}.jsonl"));
    let has = |task: usize| verdicts(&part(task)).is_ok_and(|(_, n)| n >= 5);
    let jobs = output(slurm.command("bin/squeue").args([
        "--noheader",
        "--format=%F",
        "--name=graphground",
    ]));
    let job = jobs.unwrap_or_default().lines().next().unwrap_or_default().trim().to_owned();
    wait_until("tasks 2 and 5 make runs", || Ok(has(2) && has(5)))?;
    output(slurm.command("bin/scancel").args(["--signal=KILL", "--full"]).arg(format!("{job}_2")))
        .context("scancel failed")?;
    output(slurm.command("bin/scontrol").arg("requeue").arg(format!("{job}_5")))
        .context("scontrol requeue failed")?;
    say("task 2 was killed, task 5 was requeued");
    let merged = runs.join("merged.jsonl");
    wait_until("the dependent job has merged", || Ok(merged.exists()))?;

    let mut n_lines = 0;
    for task in 0..TASKS {
        let n = verdicts(&part(task)).map_or(0, |(_, n)| n);
        say(&format!("task {task} made {n} runs"));
        n_lines += n;
    }
    let ((expected, _), (found, _)) = (verdicts(&one)?, verdicts(&merged)?);
    if expected != found {
        bail!(
            "one process made {} runs, the array {}, or verdicts differ",
            expected.len(),
            found.len()
        );
    }
    let status = Command::new(companion).args(["bench", "--status"]).arg(&runs).output()?;
    print!("{}", String::from_utf8_lossy(&status.stdout));
    if !status.status.success() {
        bail!("--status says that runs are missing");
    }
    say(&format!(
        "{} runs with the verdicts of one process; {} of them were made twice",
        found.len(),
        n_lines - found.len()
    ));
    Ok(())
}

/// The files for Kubernetes are what its schema wants, without a field that it does not know.
fn check_kubernetes(companion: &Path, target: &Path, work: &Path) -> Result<()> {
    let python = python_with(&target.join("peers-venv-kubernetes"), &[SCHEMA])
        .context("Kubernetes' schemas cannot be installed from PyPI")?;
    let runs = work.join("kubernetes");
    fs::create_dir_all(&runs)?;
    run(
        "writing jobs for Kubernetes",
        bench(companion, "http://models.example/v1")
            .args(["--submit", "kubernetes", "--image", "registry.example/graphground"])
            .args(["--volume", "runs", "--dry-run", "--out"])
            .arg(&runs),
    )?;
    let validate = |file: &Path| {
        let mut command = Command::new(python.with_file_name("kubernetes-validate"));
        command.arg("--strict").arg(file);
        command
    };
    let (job, merge) = (runs.join("job.json"), runs.join("merge.json"));
    run("checking them against Kubernetes' schema", validate(&job).arg(&merge))?;
    // A check that passes everything checks nothing.
    let wrong = runs.join("wrong.json");
    fs::write(&wrong, fs::read_to_string(&job)?.replace("completionMode", "completionMood"))?;
    if output(&mut validate(&wrong)).is_some() {
        bail!("the schema takes a field that there is not");
    }
    Ok(())
}
