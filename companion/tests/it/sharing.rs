//! Processes that make one benchmark together in a folder: alive, killed, stopped, with a budget.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use test_support::{Folder, StubServer};

use crate::program::{Server, both, complaint, printed, program};

/// The runs files of a folder.
fn parts(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path());
    files.filter(|f| f.extension().is_some_and(|e| e == "jsonl")).collect()
}

/// Each finished run with its verdict, as often as it is there.
fn runs(files: &[PathBuf]) -> Vec<(String, Value)> {
    let mut runs = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).unwrap();
        // A process that was killed leaves a line without its end.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let entries = whole.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
        let entries = entries.filter(|e| e["type"] == "run");
        runs.extend(entries.map(|e| (e["key"].to_string(), e["score"]["verdict"].clone())));
    }
    runs
}

fn verdicts(files: &[PathBuf]) -> BTreeMap<String, Value> {
    runs(files).into_iter().collect()
}

/// 96 runs on a slow endpoint.
fn bench(server: &Server, out: &Path, shard: &str) -> Command {
    let mut command = program();
    command
        .args(["bench", "--difficulty", "easy", "--n", "6", "--concurrency", "2"])
        .args(["--model", "script,mistaken", "--endpoint", &server.url("/v1")])
        .args(["--lease", "0.4", "--shard", shard, "--out"])
        .arg(out)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// What one process makes of the same.
fn whole(server: &Server, folder: &Folder) -> BTreeMap<String, Value> {
    let out = folder.join("whole.jsonl");
    assert!(bench(server, &out, "0/1").status().unwrap().success());
    verdicts(&[out])
}

/// Waits until a process has made some runs.
fn wait_for(n: usize, part: &Path) {
    for _ in 0..30_000 {
        if part.exists() && runs(&[part.to_owned()]).len() >= n {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("{} has no {n} runs", part.display());
}

fn signal(process: &Child, name: &str) {
    let done = Command::new("kill").args([name, &process.id().to_string()]).status().unwrap();
    assert!(done.success());
}

#[test]
fn processes_of_a_folder_make_each_run_once_and_take_over_from_one_that_was_killed() {
    let (server, folder) = (Server::of_scripts(), Folder::new());
    let out = folder.join("runs/");
    let mut killed = bench(&server, &out, "0/3").spawn().unwrap();
    wait_for(10, &out.join("part-0-of-3.jsonl"));
    let mut others = ["1/3", "2/3"].map(|shard| bench(&server, &out, shard).spawn().unwrap());
    wait_for(5, &out.join("part-1-of-3.jsonl"));
    killed.kill().unwrap();
    killed.wait().unwrap();
    for other in &mut others {
        assert!(other.wait().unwrap().success());
    }
    let (all, expected) = (runs(&parts(&out)), whole(&server, &folder));
    assert_eq!(expected.len(), 96);
    assert_eq!(all.len(), 96, "a run was made twice or is missing");
    assert_eq!(all.into_iter().collect::<BTreeMap<_, _>>(), expected);
    // The scheduler starts the task that died again: there is nothing left to do.
    assert!(bench(&server, &out, "0/3").status().unwrap().success());
    assert_eq!(runs(&parts(&out)).len(), 96);
    let merged = folder.join("merged.jsonl");
    let done = program().arg("merge").args(parts(&out)).arg("--out").arg(&merged).output().unwrap();
    assert!(both(&done).contains("96 runs, 0 that failed; 0 were in several"), "{}", both(&done));
    assert_eq!(verdicts(&[merged]), expected);
}

#[cfg(unix)]
#[test]
fn a_process_that_stood_still_leaves_its_runs_to_those_that_took_them() {
    let (server, folder) = (Server::of_scripts(), Folder::new());
    let out = folder.join("runs/");
    let mut still = bench(&server, &out, "0/2").spawn().unwrap();
    wait_for(10, &out.join("part-0-of-2.jsonl"));
    signal(&still, "-STOP");
    assert!(bench(&server, &out, "1/2").status().unwrap().success());
    let files = parts(&out);
    assert_eq!(verdicts(&files), whole(&server, &folder), "the other made all that was left");
    signal(&still, "-CONT");
    assert!(still.wait().unwrap().success());
    // At most what it had begun before it stood still is there twice.
    let n = runs(&files).len();
    assert!((96..=98).contains(&n), "{n}");
}

#[test]
fn a_task_of_an_array_finds_its_shard_and_its_part_of_the_budget() {
    let folder = Folder::new();
    let answer = json!({
        "choices": [{"message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100},
    });
    let server = StubServer::start(move |_| (200, "application/json", answer.to_string()));
    let task = |id: &str, out: &str| {
        let mut command = program();
        command
            .current_dir(&folder)
            .args(["bench", "--difficulty", "easy", "--n", "3", "--system", "standalone"])
            .args(["--model", "m", "--no-stream", "--endpoint", &server.url])
            .args(["--concurrency", "1", "--max-tokens", "800", "--shard", "auto", "--out", out])
            .env("SLURM_ARRAY_TASK_ID", id)
            .env("SLURM_ARRAY_TASK_MIN", "1")
            .env("SLURM_ARRAY_TASK_COUNT", "4");
        command.output().unwrap()
    };
    for id in ["1", "2", "3", "4"] {
        let done = task(id, "runs/");
        assert!(both(&done).contains("the budget of 200 tokens is used up"), "{}", both(&done));
    }
    // Two of a hundred tokens each, and none of another's.
    let parts = parts(&folder.join("runs"));
    assert!(
        parts.len() == 4 && parts.iter().all(|p| runs(std::slice::from_ref(p)).len() == 2),
        "{parts:?}"
    );
    assert_eq!(verdicts(&parts).len(), 8);

    assert!(complaint(&task("1", "runs.jsonl")).contains("give --out runs/"));
    let alone = program()
        .args(["bench", "--shard", "auto", "--out"])
        .arg(folder.join("other/"))
        .env_remove("SLURM_ARRAY_TASK_ID")
        .output()
        .unwrap();
    assert!(complaint(&alone).contains("looked for SHARD (i/n), SLURM_ARRAY_TASK_ID"));
}

/// The job's files do what they say without Slurm: they are programs for a shell.
#[cfg(unix)]
#[test]
fn the_jobs_that_are_submitted_make_the_benchmark_and_merge_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let (server, folder) = (Server::of_scripts(), Folder::new());
    let write = |name: &str, text: &str, mode: u32| {
        std::fs::write(folder.join(name), text).unwrap();
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(folder.join(name), mode).unwrap();
    };
    write("sbatch", "#!/bin/sh\necho \"$@\" >> sbatch.log\necho '42;cluster'\n", 0o755);
    write("key", "sk-canary-4711\n", 0o644);
    let submit = |cluster: &str, more: &[&str]| {
        let mut command = program();
        command
            .current_dir(&folder)
            .args(["bench", "--submit", cluster, "--shards=2", "--task", "cycle", "--n", "4"])
            .args(["--endpoint", &server.url("/v1"), "--key-env", "MY_KEY", "--out", "runs/"])
            .args(more)
            .env("PATH", format!("{}:/usr/bin:/bin", folder.display()));
        command.output().unwrap()
    };
    assert!(complaint(&submit("slurm", &["--key-file", "key"])).contains("chmod 600"));
    write("key", "sk-canary-4711\n", 0o600);
    let done = submit("slurm", &["--key-file", "key"]);
    assert!(
        both(&done).contains("submitted job 42, and job 42;cluster to merge"),
        "{}",
        both(&done)
    );
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(
        read("sbatch.log"),
        "--parsable runs/job.sh\n--dependency=afterany:42 --parsable runs/merge.sh\n"
    );
    assert!(read("runs/job.sh").contains("#SBATCH --array=0-1\n"));
    assert!(!read("runs/job.sh").contains("canary"));

    let script = |name: &str, id: &str| {
        let mut command = Command::new("bash");
        command.current_dir(&folder).arg(name).env("SLURM_ARRAY_TASK_ID", id);
        command.env("SLURM_ARRAY_TASK_MIN", "0").env("SLURM_ARRAY_TASK_COUNT", "2");
        command.output().unwrap()
    };
    let status = || {
        let done = program().current_dir(&folder).args(["bench", "--status", "runs"]).output();
        let done = done.unwrap();
        (done.status.code(), both(&done))
    };
    let done = script("runs/job.sh", "0");
    assert!(done.status.success(), "{}", both(&done));
    // The first task found no other, and made everything.
    assert!(status().1.contains("12 of 12 runs finished, 0 failed"), "{}", status().1);
    assert!(script("runs/job.sh", "1").status.success());
    assert_eq!(status().0, Some(0));
    let more = program()
        .current_dir(&folder)
        .args(["bench", "--task", "cycle", "--n", "5", "--endpoint", "http://127.0.0.1:9/v1"])
        .args(["--model", "script", "--lease", "0.2", "--out", "runs/"])
        .output()
        .unwrap();
    assert_eq!(more.status.code(), Some(3), "{}", both(&more));
    assert!(status().1.contains("12 of 15 runs finished, 3 failed"), "{}", status().1);
    assert!(script("runs/merge.sh", "").status.success());
    assert_eq!(verdicts(&[folder.join("runs/merged.jsonl")]).len(), 12);

    // For others: lines for a shell, and files that name a secret.
    let lines = printed(&submit("print", &[]));
    assert!(lines.starts_with("SHARD=0/2 graphground bench --task cycle --n 4"), "{lines}");
    assert!(lines.lines().nth(2).unwrap().contains("graphground merge runs/part-*.jsonl"));
    assert!(complaint(&submit("kubernetes", &[])).contains("needs --image NAME and --volume"));
    printed(&submit("kubernetes", &["--image", "i", "--volume", "v", "--dry-run"]));
    let job: Value = serde_json::from_str(&read("runs/job.json")).unwrap();
    let container = &job["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(container["env"][0], json!({"name": "SHARDS", "value": "2"}));
    assert_eq!(container["env"][1]["valueFrom"]["secretKeyRef"]["key"], "MY_KEY");
}
