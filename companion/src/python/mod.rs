//! Python for the tools of Knowledge Graph of Thoughts and for programs that models write, as a process of
//! this machine.
//!
//! **This is no sandbox.** The code of a model runs as the person who started the companion, and can
//! read and write what that person can. Each process has bounds on memory, processor time and the size
//! of a file (`ulimit`, because setting limits by ourselves needs unsafe code). What all processes of
//! a run have together, and what is in its folder, is looked at while it runs (`watch`). The
//! environment is not handed on, and where the system lets us (`unshare`, on Linux) there is no
//! network, and no process outlives the run. So it is off unless somebody asks for it.

mod watch;

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use llm::BoxFuture;
use serde::Deserialize;
use systems::kgot::{PythonFailure, PythonFault, PythonReply, PythonRequest, PythonRunner};

/// What runs the code, in Python itself: what the page runs too, and what makes it a process.
const PROGRAM: &str =
    concat!(include_str!("../../../www/python/run.py"), include_str!("process.py"));
/// Kilobytes of memory that a process of a run, and all of them together, may have.
const MEMORY_KB: u64 = 1_000_000;
/// The most processes of a run at once.
const MAX_PROCESSES: usize = 32;
/// The most bytes in the folder of a run.
const MAX_FOLDER: u64 = 100_000_000;
/// How often a run is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// What `unshare` may be able to do, the most first: no network, processes that end with the first of
/// them, and no sight of others.
const WALLS: [&[&str]; 3] = [
    &["-r", "-n", "-p", "--kill-child", "--mount-proc"],
    &["-r", "-n", "-p", "--kill-child"],
    &["-r", "-n"],
];
/// Blocks of 512 bytes that a file of a run may have: 50 MB.
const FILE_BLOCKS: u64 = 100_000;
/// The most bytes that a run answers: those of its graph, and those of its result.
const MAX_ANSWER: u64 = 16_000_000;
/// Milliseconds that Python may take to start, beside those of the run.
const START_MS: u64 = 5_000;

/// A Python of this machine.
#[derive(Clone, Debug)]
pub(crate) struct LocalPython {
    /// Its program, the real one: what stands in the path may need an environment.
    program: String,
    /// What `unshare` is given; nothing where a run cannot be kept from the network.
    walls: &'static [&'static str],
}

/// An answer of the program.
#[derive(Deserialize)]
struct Answer {
    ok: bool,
    kind: Option<PythonFault>,
    #[serde(default)]
    message: String,
    line: Option<u64>,
    exit: Option<i64>,
    #[serde(flatten)]
    reply: PythonReply,
}

impl LocalPython {
    /// Finds Python 3 and looks at what it has.
    ///
    /// # Errors
    /// There is none, or it has no networkx.
    pub(crate) fn find() -> Result<Self> {
        let ask = "import sys, networkx; print(sys.executable)";
        let found = Command::new("python3").args(["-I", "-c", ask]).output();
        let found = found.context("--python needs python3, which cannot be started")?;
        let program = String::from_utf8_lossy(&found.stdout).trim().to_owned();
        if !found.status.success() || program.is_empty() {
            bail!(
                "--python needs a python3 with networkx: python3 -m pip install networkx, in a \
                 virtual environment that is active"
            );
        }
        let quiet = |command: &mut Command| {
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        let holds = |walls: &&&[&str]| quiet(Command::new("unshare").args(**walls).arg("true"));
        let walls = WALLS.iter().find(holds).copied().unwrap_or_default();
        watch::remove_left_folders();
        Ok(Self { program, walls })
    }

    /// What a person should know before a model's code runs.
    pub(crate) fn warning(&self) -> String {
        let network = if self.walls.is_empty() { "WITH your network" } else { "without a network" };
        format!(
            "the code that a model writes runs on this machine, as you and {network}: it can read \
             and write your files"
        )
    }

    fn run_now(&self, request: &PythonRequest) -> Result<PythonReply, PythonFailure> {
        let unavailable = |why: String| failure(PythonFault::Unavailable, why);
        let body = serde_json::to_vec(request).map_err(|e| unavailable(e.to_string()))?;
        let limit_ms = request.limit_ms.clamp(1, 600_000);
        let seconds = limit_ms.div_ceil(1_000) + 1;
        // The shell sets the limits, for itself and for what it becomes.
        let script = format!(
            "ulimit -v {MEMORY_KB} && ulimit -S -t {seconds} && ulimit -H -t {} && \
             ulimit -f {FILE_BLOCKS} && exec \"$0\" \"$@\"",
            seconds + 1
        );
        let folder = watch::folder().map_err(|e| unavailable(format!("its folder: {e}")))?;
        let run = watch::Run::new(folder.path());
        let mut words = vec!["-c", script.as_str()];
        if !self.walls.is_empty() {
            words.push("unshare");
            words.extend(self.walls);
            // The first process of a namespace does not hear of its processor time, and how it ended
            // is not said; so that is a shell, which says it.
            words.extend(["--", "sh", "-c", "\"$0\" \"$@\"; exit $?"]);
        }
        words.extend([self.program.as_str(), "-I", "-c", PROGRAM]);
        let mut command = Command::new("sh");
        command.args(words).current_dir(folder.path()).env_clear();
        command.env("LANG", "C.UTF-8").env("OPENBLAS_NUM_THREADS", "1");
        command.env("TMPDIR", folder.path()).env(watch::MARK, run.mark());
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|e| unavailable(format!("sh: {e}")))?;
        let (Some(mut to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(unavailable("the process has no pipes".into()));
        };
        // A process that does not read must not hold us up.
        std::thread::spawn(move || drop(to.write_all(&body)));
        let (sender, heard) = mpsc::channel();
        std::thread::spawn(move || {
            let mut answer = Vec::new();
            let read = from.take(MAX_ANSWER + 1).read_to_end(&mut answer);
            let _ = sender.send(read.map(|_| answer));
        });
        #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
        let begun = Instant::now();
        let patience = Duration::from_millis(limit_ms + START_MS);
        let heard = loop {
            match heard.recv_timeout(LOOK) {
                Err(RecvTimeoutError::Timeout) if begun.elapsed() < patience => {}
                heard => break Ok(heard),
            }
            if let Some(fault) = run.fault() {
                break Err(fault);
            }
            // What it started may hold the pipe open.
            if child.try_wait().is_ok_and(|status| status.is_some()) {
                run.end();
            }
        };
        // Whatever it started ends with it.
        let _ = Command::new("kill")
            .args(["-KILL", "--", &format!("-{}", child.id())])
            .stderr(Stdio::null())
            .status();
        let _ = child.kill();
        let status = child.wait();
        run.end();
        let answer = match heard? {
            Err(_) => {
                let words = format!("it was ended after {} ms", limit_ms);
                return Err(failure(PythonFault::Timeout, words));
            }
            Ok(Err(error)) => return Err(unavailable(error.to_string())),
            Ok(Ok(answer)) if answer.len() as u64 > MAX_ANSWER => {
                let words = format!("its answer has more than {MAX_ANSWER} bytes");
                return Err(failure(PythonFault::TooLarge, words));
            }
            Ok(Ok(answer)) => answer,
        };
        // The program says that it has begun, before any code of a model runs.
        let has_begun = !answer.is_empty();
        let Ok(answer) = serde_json::from_slice::<Answer>(&answer) else {
            return Err(ended(status.ok(), has_begun, begun.elapsed().as_secs() >= seconds));
        };
        if answer.ok {
            return Ok(answer.reply);
        }
        Err(PythonFailure {
            kind: answer.kind.unwrap_or(PythonFault::Runtime),
            message: answer.message,
            line: answer.line,
            output: answer.reply.output,
            errors: answer.reply.errors,
            exit: answer.exit,
        })
    }
}

/// Why a process ended without an answer: limits end it by a signal.
fn ended(
    status: Option<std::process::ExitStatus>,
    has_begun: bool,
    is_late: bool,
) -> PythonFailure {
    #[cfg(unix)]
    let signal = status.and_then(|s| std::os::unix::process::ExitStatusExt::signal(&s));
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    // As a shell says it.
    let said = status.and_then(|s| s.code()).filter(|code| *code > 128).map(|code| code - 128);
    match signal.or(said) {
        // SIGXCPU: the limit on processor time; what ignores it is killed a second later.
        Some(24) => failure(PythonFault::Timeout, "it used up its processor time".into()),
        Some(9) if is_late => failure(PythonFault::Timeout, "it used up its processor time".into()),
        Some(number) => failure(
            PythonFault::Memory,
            format!(
                "it was ended by signal {number}; did it need more than {} MB?",
                MEMORY_KB / 1_000
            ),
        ),
        None => {
            let code = status.and_then(|s| s.code()).unwrap_or_default();
            let kind = if has_begun { PythonFault::Runtime } else { PythonFault::Unavailable };
            let exit = has_begun.then(|| code.into());
            let words = format!("it ended with code {code} and no answer");
            PythonFailure { exit, ..failure(kind, words) }
        }
    }
}

fn failure(kind: PythonFault, message: String) -> PythonFailure {
    PythonFailure::new(kind, message)
}

impl PythonRunner for LocalPython {
    fn run<'a>(
        &'a self,
        request: PythonRequest,
    ) -> BoxFuture<'a, Result<PythonReply, PythonFailure>> {
        Box::pin(async move { self.run_now(&request) })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use systems::kgot::{PythonFile, PythonGraph};

    use super::*;

    /// Python with networkx, where there is one.
    fn python() -> Option<LocalPython> {
        let python = LocalPython::find().ok();
        if python.is_none() {
            test_data::missing("a python3 with networkx");
        }
        python
    }

    fn run(python: &LocalPython, code: &str) -> Result<PythonReply, PythonFailure> {
        let graph: PythonGraph = serde_json::from_value(json!({
            "nodes": [
                { "id": "0", "labels": ["Person"], "properties": { "name": "Ada" } },
                { "id": "1", "labels": ["Text"], "properties": { "name": "Notes" } },
                { "id": "2", "labels": [], "properties": {} },
            ],
            "edges": [
                { "id": "0", "source": "0", "target": "1", "type": "WROTE", "properties": { "y": 3 } },
                { "id": "1", "source": "1", "target": "2", "type": "R", "properties": {} },
            ],
        }))
        .unwrap();
        let files = vec![PythonFile { name: "b.txt".into(), text: "é".into() }];
        python.run_now(&request(code, Some(graph), files))
    }

    fn request(code: &str, graph: Option<PythonGraph>, files: Vec<PythonFile>) -> PythonRequest {
        let code = code.to_owned();
        PythonRequest { code, graph, files, limit_ms: 2_000, ..PythonRequest::default() }
    }

    #[test]
    fn code_gives_what_it_printed_and_its_result() {
        let Some(python) = python() else { return };
        let reply = run(&python, "print('hi')\nnx.shortest_path(G, 'Ada', '2')");
        let reply = reply.unwrap();
        assert_eq!((reply.output.as_str(), &reply.result), ("hi\n", &json!(["Ada", "Notes", "2"])));
        let result = |code: &str| run(&python, code).unwrap().result;
        assert_eq!(result("result = {3, 1, 2}"), json!([1, 2, 3]));
        assert_eq!(result("self.G.edges['Ada', 'Notes', '0']"), json!({ "y": 3, "type": "WROTE" }));
        assert_eq!(result("open('b.txt').read()"), json!("é"));
        assert_eq!(
            result("[float('nan'), 10**30, (1, 2)]"),
            json!([null, "1000000000000000000000000000000", [1, 2]])
        );
        assert_eq!(result("pass"), Value::Null);
    }

    #[test]
    fn failures_say_what_and_where_and_nothing_goes_on() {
        let Some(python) = python() else { return };
        let failed = |code: &str| run(&python, code).unwrap_err();
        let syntax = failed("x = 1\nif");
        assert_eq!((syntax.kind, syntax.line), (PythonFault::Syntax, Some(2)));
        let error = failed("print('before')\n\n1 / 0");
        assert_eq!((error.kind, error.line), (PythonFault::Runtime, Some(3)));
        assert_eq!(error.message, "ZeroDivisionError: division by zero");
        assert_eq!(error.output, "before\n");
        assert_eq!(failed("while True: pass").kind, PythonFault::Timeout);
        assert_eq!(failed("import time; time.sleep(60)").kind, PythonFault::Timeout);
        assert_eq!(failed("x = 'a' * 8_000_000_000").kind, PythonFault::Memory);
        let ended = failed("import os; os._exit(3)");
        assert_eq!((ended.kind, ended.exit), (PythonFault::Runtime, Some(3)));
        assert!(
            failed("open('x', 'w').write('a' * 100_000_000)").message.contains("File too large")
        );
        let long = run(&python, "print('x' * 10_000_000); 'y' * 100_000").unwrap();
        assert!(long.output.len() < 100_100 && long.result_text.len() <= 20_000);
        assert_eq!(failed("'y' * 10_000_000").kind, PythonFault::TooLarge);
        let out = PythonFile { name: "../out.txt".into(), text: "no".into() };
        let error = python.run_now(&request("1", None, vec![out])).unwrap_err();
        assert!(error.message.contains("no name of a file"), "{}", error.message);
    }

    #[test]
    fn a_program_has_no_names_but_its_own_and_ends_as_programs_do() {
        let Some(python) = python() else { return };
        let program = |code: &str| {
            python.run_now(&PythonRequest { is_program: true, ..request(code, None, vec![]) })
        };
        let reply = program(
            "import sys, networkx as nx\nif __name__ == '__main__':\n    \
             print(nx.path_graph(2).edges)\n    print('careful', file=sys.stderr)\n    sys.exit(0)",
        );
        let reply = reply.unwrap();
        assert_eq!((reply.output.as_str(), reply.errors.as_str()), ("[(0, 1)]\n", "careful\n"));
        let failed = |code: &str| program(code).unwrap_err();
        let nameless = failed("print(1)\nG.add_edge(0, 1)");
        assert_eq!((nameless.exit, nameless.line), (Some(1), Some(2)));
        assert_eq!(nameless.output, "1\n");
        assert!(nameless.message.contains("'G' is not defined"), "{nameless}");
        for (code, exit, said) in [
            ("import sys; sys.exit(7)", Some(7), "sys.exit(7)"),
            ("exit('no')", Some(1), "sys.exit('no')"),
            ("x = input()", Some(1), "EOFError"),
            ("import no_such_module", Some(1), "ModuleNotFoundError"),
            ("print(", Some(1), "SyntaxError"),
            ("import os; os._exit(3)", Some(3), "code 3"),
        ] {
            let failure = failed(code);
            assert_eq!(failure.exit, exit, "{code}: {failure}");
            assert!(failure.message.contains(said), "{code}: {failure}");
            assert!(failure.kind != PythonFault::Unavailable, "{code}: {failure}");
        }
        assert_eq!(failed("while True: print('x' * 1000)").kind, PythonFault::Timeout);
        let long = program("for i in range(1000): print('x' * 100_000)").unwrap();
        assert!(long.output.len() < 100_100);
    }

    #[test]
    fn the_graph_after_the_code_comes_back_with_the_ids_that_were_there() {
        let Some(python) = python() else { return };
        let code = "G.add_edge('Ada', 'Zoe', type='KNOWS'); G.nodes['Zoe']['labels'] = ['Person']";
        let graph: PythonGraph = serde_json::from_value(json!({
            "nodes": [{ "id": "7", "labels": ["Person"], "properties": { "name": "Ada" } }],
            "edges": [],
        }))
        .unwrap();
        let request = PythonRequest { wants_graph: true, ..request(code, Some(graph), vec![]) };
        let told = serde_json::to_value(python.run_now(&request).unwrap().graph).unwrap();
        let ids: Vec<&Value> =
            told["nodes"].as_array().unwrap().iter().map(|node| &node["id"]).collect();
        assert_eq!(ids, [&json!("7"), &Value::Null], "{told}");
        let edge = &told["edges"][0];
        assert_eq!((&edge["source"], &edge["target"]), (&json!("Ada"), &json!("Zoe")), "{told}");
        assert_eq!((&edge["type"], &edge["id"]), (&json!("KNOWS"), &Value::Null), "{told}");
    }

    /// A Python that can be walled in by nothing, as in many containers.
    fn bare(python: &LocalPython) -> LocalPython {
        LocalPython { walls: &[], ..python.clone() }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_of_a_run_is_left_behind() {
        let Some(python) = python() else { return };
        let kept = test_support::Folder::new();
        let alive = kept.join("alive");
        let code = format!(
            "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        \
             while True:\n            open({:?}, 'a').write('x'); time.sleep(0.02)\n    os._exit(0)\n\
             for i in range(20): open(f'f{{i}}', 'w').write('a' * 1000)\nos.getcwd()",
            alive.display().to_string()
        );
        for python in [python.clone(), bare(&python)] {
            let folder = run(&python, &code).unwrap().result;
            assert!(!std::path::Path::new(folder.as_str().unwrap()).exists(), "{folder}");
            let len = || std::fs::metadata(&alive).map_or(0, |about| about.len());
            let before = len();
            std::thread::sleep(Duration::from_millis(200));
            assert_eq!(len(), before);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_all_processes_and_files_have_together_is_bounded() {
        let Some(python) = python() else { return };
        let failed = |code: &str| run(&bare(&python), code).unwrap_err();
        let files = failed(
            "for i in range(400): open(f'f{i}', 'w').write('a' * 1_000_000)\nwhile True: pass",
        );
        assert!(files.message.contains("bytes of files"), "{}", files.message);
        let eaters = "import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        x = b'a' * 450_000_000; time.sleep(9)\ntime.sleep(9)";
        assert_eq!(failed(eaters).kind, PythonFault::Memory);
        let many = failed(
            "import os, time\nfor _ in range(60):\n    if os.fork() == 0: time.sleep(9)\ntime.sleep(9)",
        );
        assert!(many.message.contains("processes"), "{}", many.message);
    }

    #[test]
    fn code_sees_no_environment_of_ours_and_no_network_where_that_can_be() {
        let Some(python) = python() else { return };
        let names = run(&python, "import os; sorted(os.environ)").unwrap().result;
        let names: Vec<String> = serde_json::from_value(names).unwrap();
        // The first five are ours; the others are Python's and the shell's own.
        let known = [
            watch::MARK,
            "TMPDIR",
            "LANG",
            "OPENBLAS_NUM_THREADS",
            "PATH",
            "LC_CTYPE",
            "PWD",
            "OLDPWD",
            "SHLVL",
            "_",
        ];
        assert!(names.iter().all(|name| known.contains(&name.as_str())), "{names:?}");
        if !python.walls.is_empty() {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            let code = format!("import socket; socket.create_connection(('127.0.0.1', {port}), 1)");
            assert_eq!(run(&python, &code).unwrap_err().kind, PythonFault::Runtime);
        }
        assert!(python.warning().contains("as you"));
    }
}
