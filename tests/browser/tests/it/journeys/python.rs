//! Python that models write: what it can do, and what it cannot.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use crate::screens::{Sandbox, left_out};
use crate::served::Port;

fn graph() -> Value {
    let node = |id: &str, name: &str| json!({ "id": id, "labels": ["Town"], "properties": { "name": name } });
    let edge = |id: &str, source: &str, target: &str, km: u32| {
        json!({
            "id": id, "source": source, "target": target, "type": "ROAD", "properties": { "km": km },
        })
    };
    json!({
        "directed": true,
        "nodes": [node("n0", "Ulm"), node("n1", "Jena"), node("n2", "Kiel")],
        "edges": [edge("e0", "n0", "n1", 3), edge("e1", "n1", "n2", 4), edge("e2", "n0", "n2", 9)],
    })
}

async fn computes(sandbox: &Sandbox) -> Result<()> {
    let reply =
        sandbox.run("print('a')\nimport sys\nprint('b', file=sys.stderr)\n{'x': {2, 1}}").await?;
    ensure!(reply["result"] == json!({ "x": [1, 2] }) && reply["output"] == "a\nb\n", "{reply}");
    ensure!(reply["result_text"] == "{'x': {1, 2}}" && reply["graph"] == Value::Null, "{reply}");

    let code = "result = nx.shortest_path(self.G, 'Ulm', 'Kiel', weight='km')";
    let reply = sandbox.ask(json!({ "code": code, "graph": graph() }), 10_000).await?;
    ensure!(reply["result"] == json!(["Ulm", "Jena", "Kiel"]), "{reply}");

    let code = "G.add_edge('Kiel', 'Oslo', type='FERRY')\ndel self.G.nodes['Ulm']['name']";
    let request = json!({ "code": code, "graph": graph(), "wants_graph": true });
    let after = &sandbox.ask(request, 10_000).await?["graph"];
    ensure!(
        after["nodes"][0]["id"] == "n0" && after["nodes"][0]["properties"] == json!({}),
        "{after}"
    );
    ensure!(
        after["nodes"][3]["id"] == Value::Null && after["nodes"][3]["key"] == "Oslo",
        "{after}"
    );
    let ferry = &after["edges"][3 - 1];
    ensure!(after["edges"].as_array().map(Vec::len) == Some(4), "{after}");
    ensure!(ferry["id"] == "e1" || ferry["id"] == "e2", "{after}");

    let file = json!({ "name": "towns.csv", "text": "Ulm,Jena\n" });
    let code = "import csv, os\nresult = [os.listdir(), *csv.reader(open('towns.csv'))]";
    let reply = sandbox.ask(json!({ "code": code, "files": [file] }), 10_000).await?;
    ensure!(reply["result"] == json!([["towns.csv"], ["Ulm", "Jena"]]), "{reply}");
    ensure!(sandbox.run("import os\nos.listdir()").await?["result"] == json!([]));

    // Nothing of a run is left for the next one.
    sandbox.run("nx.shortest_path = None\nimport json\njson.dumps = None\nx = 1").await?;
    ensure!(
        sandbox.run("nx.shortest_path(nx.path_graph(3), 0, 2)").await?["result"]
            == json!([0, 1, 2])
    );
    ensure!(sandbox.run("x").await?["message"] == "NameError: name 'x' is not defined");
    // Nor does anything depend on chance.
    let code = "import random\n[random.random(), [*{'a', 'b', 'c', 'd'}]]";
    ensure!(sandbox.run(code).await?["result"] == sandbox.run(code).await?["result"]);
    Ok(())
}

async fn reports_faults_with_their_lines(sandbox: &Sandbox) -> Result<()> {
    let failed = sandbox.fails("x = 1\nif x\n  y", "syntax", 10_000).await?;
    ensure!(failed["line"] == 2 && failed["message"] == "SyntaxError: expected ':'", "{failed}");
    let failed =
        sandbox.fails("def f():\n  return 1 / 0\nprint('here')\nf()", "runtime", 10_000).await?;
    ensure!(failed["line"] == 2 && failed["output"] == "here\n", "{failed}");
    ensure!(failed["message"] == "ZeroDivisionError: division by zero", "{failed}");
    let failed = sandbox.fails("def f(n): return f(n + 1)\nf(0)", "runtime", 10_000).await?;
    ensure!(
        failed["message"].as_str().is_some_and(|m| m.starts_with("RecursionError")),
        "{failed}"
    );
    // What ends the interpreter itself.
    for code in [
        "import sys\nsys.setrecursionlimit(10**9)\ndef f(n): return f(n + 1)\nf(0)",
        "a = []\nfor _ in range(10**6): a = [a]\nrepr(a)",
        "import os\nos.abort()",
        "import os\nos._exit(0)",
        "exit()",
    ] {
        sandbox.fails(code, "runtime", 20_000).await?;
    }
    Ok(())
}

async fn ends_what_never_ends(sandbox: &Sandbox) -> Result<()> {
    let started = Instant::now();
    let failed = sandbox.fails("print('before')\nwhile True: pass", "timeout", 2_000).await?;
    ensure!(started.elapsed() < Duration::from_secs(15), "it took {:?}", started.elapsed());
    ensure!(failed["took_ms"].as_f64().is_some_and(|ms| ms < 4_000.0), "{failed}");
    ensure!(failed["output"] == "before\n", "{failed}");
    for code in [
        "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
        "import time\ntime.sleep(100)",
        "'a' * 10**8 + 'b' in 'a' * 10**9",
        "2 ** 10**9 % 7 ** 10**8",
        "import re\nre.match('(a+)+$', 'a' * 50 + 'b')",
        "class C:\n  def __repr__(self):\n    while True: pass\nC()",
    ] {
        sandbox.fails(code, "timeout", 1_000).await.or_else(|e| {
            // What is too large for the memory ends earlier.
            if e.to_string().contains("memory") { Ok(Value::Null) } else { Err(e) }
        })?;
    }
    Ok(())
}

async fn bounds_memory_files_output_and_results(sandbox: &Sandbox) -> Result<()> {
    for code in [
        "x = bytearray(2 * 1024**3 - 1)",
        "x = []\nwhile True: x.append(bytearray(50_000_000))",
        "x = []\nwhile True: x.append([0] * 1000)",
        "x = [bytearray(1024**3 // 4) for _ in range(32)]",
    ] {
        sandbox.fails(code, "memory", 60_000).await?;
    }
    for code in [
        "i = 0\nwhile True:\n  open(f'f{i}', 'wb').write(b'x' * 10_000_000); i += 1",
        "open('f', 'wb').truncate(10**9)",
        "f = open('f', 'wb')\nwhile True: f.write(b'x' * 1000)",
    ] {
        let failed = sandbox.fails(code, "runtime", 30_000).await?;
        let message = failed["message"].as_str().unwrap_or_default();
        ensure!(message.contains("No space left"), "{code}: {failed}");
    }
    let failed = sandbox.fails("while True: print('x' * 1000)", "timeout", 2_000).await?;
    let written = failed["output"].as_str().map_or(0, str::len);
    ensure!((1_000..110_000).contains(&written), "{written}");
    let reply = sandbox.run("import os\nfor _ in range(1000): os.write(1, b'y' * 1000)\n1").await?;
    ensure!(reply["output"].as_str().is_some_and(|o| o.len() < 101_000), "{}", reply["ok"]);
    for code in ["list(range(10**6))", "'x' * 10**7", "{i: i for i in range(10**6)}"] {
        sandbox.fails(code, "too_large", 30_000).await?;
    }
    let doubled = sandbox.run("a = 'x' * 1000\nfor _ in range(40): a = [a, a]\na").await?;
    ensure!(doubled["ok"] == false, "{doubled}");
    let request = json!({ "code": "G.add_nodes_from(range(10**6))", "wants_graph": true });
    let failed = sandbox.ask(request, 60_000).await?;
    ensure!(failed["kind"] == "too_large" || failed["kind"] == "memory", "{failed}");
    ensure!(
        sandbox.run("(i for i in range(10**9))").await?["result"].as_array().map(Vec::len)
            == Some(500)
    );
    Ok(())
}

#[tokio::test]
async fn a_models_code_computes_fails_with_its_line_and_is_bounded() -> Result<()> {
    if left_out() {
        return Ok(());
    }
    let sandbox = Sandbox::served(true).await?.open(json!({})).await?;
    computes(&sandbox).await?;
    reports_faults_with_their_lines(&sandbox).await?;
    ends_what_never_ends(&sandbox).await?;
    bounds_memory_files_output_and_results(&sandbox).await?;
    sandbox.close().await
}

/// Everything by which code could say something to a port of this machine, each for itself. Where a
/// browser's functions can be had, they are had.
fn attack(port: u16) -> String {
    format!(
        r#"
import time
URL = "http://127.0.0.1:{port}/"
tried = {{}}
def attempt(name, act):
    try:
        tried[name] = "did " + str(act())[:100]
    except BaseException as error:
        tried[name] = type(error).__name__ + ": " + str(error)[:150]
def js():
    import js
    return js
def xhr():
    request = js().XMLHttpRequest.new()
    request.open("GET", URL + "xhr", False)
    request.send()
def get_socket():
    import socket
    socket.create_connection(("127.0.0.1", {port}), 2).send(b"socket")
def get_urllib():
    import urllib.request
    return urllib.request.urlopen(URL + "urllib", timeout=2).read()
def get_client():
    import http.client
    client = http.client.HTTPConnection("127.0.0.1", {port}, timeout=2)
    client.request("GET", "/client")
def get_pyfetch():
    from pyodide.http import pyfetch
    pyfetch(URL + "pyfetch").send(None)
def get_open_url():
    from pyodide.http import open_url
    return open_url(URL + "open_url").read()
def get_run_js():
    from pyodide.code import run_js
    run_js("fetch(" + repr(URL + "run_js") + ")")
def get_import():
    js().eval("import(" + repr(URL + "import") + ")")
def get_load():
    import pyodide_js
    pyodide_js.loadPackage(URL + "package-1.0-py3-none-any.whl")
def get_nested():
    source = "fetch(" + repr(URL + "nested") + ")"
    from pyodide.ffi import to_js
    blob = js().Blob.new(to_js([source]))
    return js().Worker.new(js().URL.createObjectURL(blob))
attempt("fetch", lambda: js().fetch(URL + "fetch"))
attempt("xhr", xhr)
attempt("WebSocket", lambda: js().WebSocket.new("ws://127.0.0.1:{port}/websocket"))
attempt("EventSource", lambda: js().EventSource.new(URL + "events"))
attempt("WebTransport", lambda: js().WebTransport.new("https://127.0.0.1:{port}/transport"))
attempt("importScripts", lambda: js().importScripts(URL + "scripts"))
attempt("Worker", lambda: js().Worker.new(URL + "worker"))
attempt("beacon", lambda: js().navigator.sendBeacon(URL + "beacon"))
for name, act in list(globals().items()):
    if name.startswith("get_"):
        attempt(name, act)
time.sleep(2)
result = tried
"#
    )
}

async fn cannot_get_javascript(sandbox: &Sandbox) -> Result<()> {
    for code in [
        "import js",
        "import pyodide_js",
        "from pyodide_js import FS",
        "from pyodide.code import run_js",
        "import pyodide.http",
        "import _pyodide_core",
        "import ctypes",
        "from pyodide.ffi.wrappers import set_timeout",
    ] {
        let failed = sandbox.run(code).await?;
        ensure!(failed["ok"] == false, "{code}: {failed}");
        let message = failed["message"].as_str().unwrap_or_default();
        ensure!(
            message.contains("ModuleNotFoundError") || message.contains("ImportError"),
            "{failed}"
        );
    }
    // Code that digs gets objects of JavaScript, but none from which a global can be reached.
    let code = "
import _imp, gc, sys, importlib.machinery as machinery
for name in [n for n, m in sys.modules.items() if m is None]: del sys.modules[name]
spec = machinery.ModuleSpec('_pyodide_core', machinery.BuiltinImporter)
core = _imp.create_builtin(spec)
_imp.exec_builtin(core)
found = {}
def attempt(name, act):
    try: found[name] = str(act())[:100]
    except BaseException as error: found[name] = 'refused: ' + str(error)[:100]
def by_name(name):
    __import__(name)
    return sys.modules[name]
array = core.to_js([1])
attempt('array', lambda: array.constructor.name)
attempt('function', lambda: array.constructor.constructor('return globalThis')())
attempt('async', lambda: array.at.constructor('return self')())
attempt('js', lambda: by_name('js').fetch)
attempt('pyodide_js', lambda: by_name('pyodide_js').FS)
attempt('code', lambda: by_name('pyodide.code').run_js('1'))
kinds = {type(o).__name__ for o in gc.get_objects() if not isinstance(o, type)}
found['kinds'] = sorted(k for k in kinds if 'JsProxy' in k or 'JsCallable' in k)
result = found";
    let reply = sandbox.run(code).await?;
    println!("DUG {:#}", reply["result"]);
    for name in ["function", "async", "js", "pyodide_js", "code"] {
        let said = reply["result"][name].as_str().unwrap_or_default();
        ensure!(said.starts_with("refused"), "{name}: {reply}");
    }
    ensure!(sandbox.overheard().await? == json!([]));
    Ok(())
}

#[tokio::test]
async fn nothing_leaves_the_sandbox() -> Result<()> {
    if left_out() {
        return Ok(());
    }
    let port = Port::listen()?;
    let sandbox = Sandbox::served(true).await?;
    // A frame that has an origin takes nothing.
    let refused = sandbox.opened(json!({ "unboxed": true })).await;
    ensure!(refused.is_err_and(|e| e.to_string().contains("says nothing")));
    let sandbox = sandbox.open(json!({})).await?;
    let reply = sandbox.run(&attack(port.port)).await?;
    ensure!(reply["ok"] == true, "{reply}");
    println!("TRIED {:#}", reply["result"]);
    let did: Vec<&String> = reply["result"]
        .as_object()
        .context("no list")?
        .iter()
        .filter(|(_, v)| v.as_str().is_some_and(|v| v.starts_with("did")))
        .map(|(name, _)| name)
        .collect();
    ensure!(did.is_empty(), "these did something: {did:?}");
    ensure!(port.arrived().await.is_empty(), "{:?}", port.arrived().await);
    cannot_get_javascript(&sandbox).await?;
    sandbox.close().await
}

/// The browser's own walls hold where code has all of JavaScript.
async fn reaches_nothing_with_the_doors_open(sandbox: &Sandbox, port: &Port) -> Result<()> {
    let reply = sandbox.run(&attack(port.port)).await?;
    println!("TRIED {:#}", reply["result"]);
    // It could call the functions: the doors were open.
    let fetch = reply["result"]["fetch"].as_str().unwrap_or_default();
    ensure!(fetch.starts_with("did"), "{reply}");
    ensure!(port.arrived().await.is_empty(), "{:?}", port.arrived().await);

    let code = "
import js
tried = {}
for name in ['localStorage', 'document', 'parent', 'cookieStore', 'SharedWorker']:
    tried[name] = hasattr(js, name) and str(getattr(js, name))
for name, act in {
    'origin': lambda: js.self.origin,
    'indexedDB': lambda: js.indexedDB.open('x'),
    'caches': lambda: js.caches.open('x'),
    'eval': lambda: js.eval('1 + 1'),
    'function': lambda: js.Object.constructor('return 1')(),
    'channel': lambda: js.BroadcastChannel.new('canary').postMessage('heard?'),
}.items():
    try: tried[name] = str(act())
    except BaseException as error: tried[name] = 'refused: ' + str(error)[:100]
import time
time.sleep(1)
result = tried";
    let reply = sandbox.run(code).await?;
    println!("REACHED {:#}", reply["result"]);
    let reached = &reply["result"];
    ensure!(reached["origin"] == "null" && reached["localStorage"] == false, "{reply}");
    for name in ["eval", "function", "indexedDB"] {
        let said = reached[name].as_str().unwrap_or_default();
        ensure!(said.starts_with("refused"), "{name}: {reply}");
    }
    ensure!(sandbox.overheard().await? == json!([]), "{}", sandbox.overheard().await?);
    Ok(())
}

async fn forges_no_reply_but_its_own(sandbox: &Sandbox) -> Result<()> {
    let post =
        |said: &str| format!("import js, time\njs.postMessage({said})\ntime.sleep(1)\n'true'");
    let fake = r#"'{"id":2,"ok":true,"result":"forged","output":[],"more":1,"took_ms":"x"}'"#;
    // Two at once: the second one waits while the first one forges its reply.
    let both = sandbox.both(&post(fake), "'second'").await?;
    let (first, second) = (&both[0], &both[1]);
    ensure!(first["id"] == 1 && second["id"] == 2 && second["result"] == "second", "{both}");
    ensure!(
        first["output"] == "" && first["more"] == Value::Null && first["took_ms"] == 0,
        "{both}"
    );
    for said in ["5", "None", "'no json'", "'[]'", "'null'", r#"'{"ok":true}'"#, "'x' * 13_000_000"]
    {
        let reply = sandbox.run(&post(said)).await?;
        ensure!(reply["id"].is_u64() && reply["ok"].is_boolean(), "{said}: {reply}");
        ensure!(sandbox.run("1").await?["result"] == 1, "after {said}");
    }
    // What it said of its output is no more than a text, and no longer than one may be.
    let code = r#"
import js
for _ in range(100): js.postMessage('{"so_far":' + '"' + 'y' * 500_000 + '"}')
js.postMessage('{"so_far":{"a":1}}')
js.postMessage('{"so_far":')
while True: pass"#;
    let reply = sandbox.ask(json!({ "code": code }), 3_000).await?;
    ensure!(reply["kind"] == "timeout" || reply["kind"] == "runtime", "{reply}");
    ensure!(sandbox.overheard().await? == json!([]));
    Ok(())
}

#[tokio::test]
async fn code_that_has_all_of_javascript_reaches_nothing_and_forges_its_own_reply_at_most()
-> Result<()> {
    if left_out() {
        return Ok(());
    }
    let port = Port::listen()?;
    let sandbox = Sandbox::served(true).await?;
    let sandbox = sandbox.open(json!({ "worker.js": "worker-open.js" })).await?;
    // First: what it forges has the number of the second run.
    forges_no_reply_but_its_own(&sandbox).await?;
    reaches_nothing_with_the_doors_open(&sandbox, &port).await?;
    sandbox.close().await
}

/// What the two tests before look for is found where the sandbox is off; with it, a host that sends no
/// headers is enough.
#[tokio::test]
async fn without_headers_it_works_and_without_the_sandbox_it_would_leave() -> Result<()> {
    if left_out() {
        return Ok(());
    }
    let port = Port::listen()?;
    let sandbox = Sandbox::served(false).await?.open(json!({})).await?;
    ensure!(sandbox.figures["isolated"] == false);
    ensure!(sandbox.run("nx.path_graph(3).size()").await?["result"] == 2);
    let files = json!({ "worker.js": "worker-open.js", "frame": "python-open.html" });
    let sandbox = sandbox.open(files).await?;
    let reply = sandbox.run(&attack(port.port)).await?;
    // An EventSource connects from the event loop, which the code holds until its worker is ended:
    // whether it arrives is chance.
    let ways = ["/fetch", "/xhr", "/websocket", "/pyfetch", "/open_url", "/run_js", "/import"];
    let mut arrived = port.arrived().await;
    // Some are on their way for a while on a busy machine.
    for _ in 0..20 {
        if ways.iter().all(|way| arrived.iter().any(|line| line.contains(way))) {
            break;
        }
        arrived = port.arrived().await;
    }
    println!("ARRIVED {arrived:#?}");
    for way in ways {
        ensure!(
            arrived.iter().any(|line| line.contains(way)),
            "not by {way}: {arrived:?}; {reply}"
        );
    }
    sandbox.close().await
}

/// Prints how long Python takes.
#[tokio::test]
#[ignore = "prints times"]
async fn times() -> Result<()> {
    if left_out() {
        return Ok(());
    }
    let sandbox = Sandbox::served(true).await?.open(json!({})).await?;
    println!("LOAD {}", sandbox.figures);
    println!("TIMES {}", sandbox.times().await?);
    sandbox.close().await
}
