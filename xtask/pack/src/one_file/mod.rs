//! The whole page as one HTML file that opens from a disk.
//!
//! A page from a disk can neither fetch nor load modules, so everything is inline: the modules as
//! gzip in base64, the worker as a classic script that becomes a blob. The same WebAssembly as
//! for the served page goes in, so nothing is compiled a second time.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use crate::compressed::gzip;
use crate::parts;

/// Where data goes that a program puts into the file; `docs/sharing.md` promises these bytes.
const EMBEDDED: &str = r#"<script type="application/json" id="embedded"></script>"#;

#[derive(clap::Args)]
pub struct Args {
    /// The page's module as the compiler left it.
    #[arg(long)]
    page: PathBuf,
    /// The engine's module.
    #[arg(long)]
    engine: PathBuf,
    /// Weights of our own model, which a page from a disk cannot fetch: paths from the folder that
    /// has `www`.
    #[arg(long)]
    own: Vec<String>,
    /// The folder with `index.html` and what that names.
    #[arg(long)]
    www: PathBuf,
    /// The file to write.
    out: PathBuf,
}

/// Writes the one file out of the modules that are already built.
pub fn run(Args { page, engine, own, www, out }: &Args) -> Result<()> {
    let index = fs::read_to_string(www.join("index.html"))?;
    let mut weights = Vec::new();
    for path in own {
        let bytes = fs::read(www.join("..").join(path));
        weights.push((path.clone(), bytes.with_context(|| format!("cannot read {path}"))?));
    }
    let (page, engine) = (Module::of(page)?, Module::of(engine)?);
    let html = assemble(&index, &page_styles(www, &index)?, &page, &engine, &weights, &|name| {
        fs::read_to_string(www.join(name)).with_context(|| format!("cannot read www/{name}"))
    })?;
    if let Some(folder) = out.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(out, html).with_context(|| format!("cannot write {}", out.display()))
}

/// A WebAssembly module and its glue as a classic script.
struct Module {
    glue: String,
    wasm: Vec<u8>,
}

impl Module {
    fn of(path: &Path) -> Result<Self> {
        let bin = path.file_stem().unwrap_or_default().to_string_lossy();
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut made = wasm_bindgen_cli_support::Bindgen::new()
            .input_module(&bin, parts::join(&bytes, false)?)
            .no_modules(true)
            .map_err(|e| anyhow!("{e}"))?
            .typescript(false)
            .omit_default_module_path(true)
            .remove_name_section(true)
            .remove_producers_section(true)
            .generate_output()
            .map_err(|e| anyhow!("wasm-bindgen on {bin}: {e:#}"))?;
        let snippets = made.snippets().iter().filter(|(_, list)| !list.is_empty());
        if let Some(name) = snippets.map(|(n, _)| n).chain(made.local_modules().keys()).next() {
            bail!("{name} brings JavaScript of its own, which a page from a disk cannot load");
        }
        Ok(Self { glue: made.js().to_owned(), wasm: made.wasm_mut().emit_wasm() })
    }
}

/// The style sheets that the index does not name: those of single pages, which the page switches on.
fn page_styles(www: &Path, index: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(www.join("styles"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".css") && !index.contains(&format!("styles/{name}")) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// A style sheet's text, if a page from a disk can have it in itself.
fn style(name: &str, read: &dyn Fn(&str) -> Result<String>) -> Result<String> {
    let text = read(name)?;
    if text.contains("url(") || text.contains("@import") || text.contains("</") {
        bail!("www/{name} names another file, which a page from a disk cannot load");
    }
    Ok(text)
}

/// The file: the served page's index with everything that it names in it, and the styles of its pages.
fn assemble(
    index: &str,
    styles: &[String],
    page: &Module,
    engine: &Module,
    weights: &[(String, Vec<u8>)],
    read: &dyn Fn(&str) -> Result<String>,
) -> Result<String> {
    let start = format!("{}\n{}", page.glue, include_str!("start.js"));
    let worker = format!("{}\n{}", engine.glue, include_str!("worker.js"));
    for script in [&start, &worker] {
        if script.to_ascii_lowercase().contains("</script") || script.contains("<!--") {
            bail!("a script holds what would end it in a page; the glue has changed");
        }
    }
    let hash = BASE64.encode(Sha256::digest(start.as_bytes()));
    let mut html = String::new();
    for line in index.lines() {
        match piece(line) {
            Piece::Keep => html.push_str(line),
            Piece::Drop => continue,
            Piece::Policy(policy) => html.push_str(&line.replace(policy, &narrowed(policy, &hash))),
            Piece::Style(name) => {
                html.push_str(&format!("<style>\n{}</style>", style(name, read)?));
            }
            Piece::HeadEnd => {
                for name in styles {
                    let text = style(&format!("styles/{name}"), read)?;
                    html.push_str(&format!(
                        "<style data-styles=\"{name}\" media=\"not all\">\n{text}</style>\n"
                    ));
                }
                html.push_str(line);
            }
            Piece::Icon(name) => {
                let data = format!("data:image/svg+xml;base64,{}", BASE64.encode(read(name)?));
                html.push_str(&line.replace(name, &data));
            }
            Piece::End => {
                let packed =
                    |module: &Module| Ok::<_, anyhow::Error>(BASE64.encode(gzip(&module.wasm)?));
                html.push_str(EMBEDDED);
                for (path, bytes) in weights {
                    let packed = BASE64.encode(gzip(bytes)?);
                    html.push_str(&format!(
                        "\n<script type=\"text/plain\" id=\"{path}\">{packed}</script>"
                    ));
                }
                html.push_str(&format!(
                    "\n<script type=\"text/plain\" id=\"engine-glue\">{worker}</script>\n\
                     <script type=\"text/plain\" id=\"engine-module\">{}</script>\n\
                     <script type=\"text/plain\" id=\"page-module\">{}</script>\n\
                     <script>{start}</script>\n</body>",
                    packed(engine)?,
                    packed(page)?,
                ));
            }
        }
        html.push('\n');
    }
    for (what, n) in [("<style>", 1), (EMBEDDED, 1), ("connect-src *", 1), (hash.as_str(), 1)] {
        if html.matches(what).count() < n {
            bail!("www/index.html has changed: the file lacks {what}");
        }
    }
    for what in ["src=\"", "rel=\"stylesheet\"", "modulepreload"] {
        if let Some(at) = html.find(what).filter(|at| !page.glue.contains(what) && *at < html.len())
        {
            let near: String = html[at..].chars().take(60).collect();
            bail!("www/index.html has changed: the file would still load {near:?}");
        }
    }
    Ok(html)
}

/// What becomes of a line of `www/index.html`.
enum Piece<'a> {
    Keep,
    Drop,
    Policy(&'a str),
    Style(&'a str),
    Icon(&'a str),
    HeadEnd,
    End,
}

fn piece(line: &str) -> Piece<'_> {
    let attribute = |name: &str| line.split_once(&format!("{name}=\""))?.1.split('"').next();
    // A file on a disk has no picture beside it.
    let is_picture = line.contains("og:image") || line.contains("twitter:card");
    if is_picture || line.contains("data-trunk") || line.contains("Only Trunk") {
        return Piece::Drop;
    }
    if line.contains("Content-Security-Policy") {
        return attribute("content").map_or(Piece::Keep, Piece::Policy);
    }
    match (line.trim(), attribute("rel"), attribute("href")) {
        ("</body>", ..) => Piece::End,
        ("</head>", ..) => Piece::HeadEnd,
        (_, Some("stylesheet"), Some(name)) => Piece::Style(name),
        (_, Some("icon"), Some(name)) => Piece::Icon(name),
        (_, Some("modulepreload"), _) => Piece::Drop,
        (script, ..) if script.starts_with("<script") => Piece::Drop,
        _ => Piece::Keep,
    }
}

/// The served page's policy for a page without a site: nothing is its own, one script may run.
fn narrowed(policy: &str, hash: &str) -> String {
    let directives = policy.split(';').map(str::trim).filter(|d| !d.is_empty());
    let narrowed = directives.map(|directive| {
        let (name, sources) = directive.split_once(' ').unwrap_or((directive, ""));
        match name {
            "script-src" => format!("script-src 'sha256-{hash}' 'wasm-unsafe-eval'"),
            "worker-src" => "worker-src blob:".to_owned(),
            _ => {
                let rest: Vec<&str> = sources.split(' ').filter(|s| *s != "'self'").collect();
                format!("{name} {}", rest.join(" "))
            }
        }
    });
    narrowed.collect::<Vec<String>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    fn module(glue: &str) -> Module {
        Module { glue: glue.into(), wasm: b"\0asm\x01\0\0\0".to_vec() }
    }

    fn made(index: &str, glue: &str, style: &str) -> Result<String> {
        let styles = ["kg.css".to_owned()];
        let engine = module("let engine;");
        let weights = [("own.bin".to_owned(), b"weights".to_vec())];
        assemble(index, &styles, &module(glue), &engine, &weights, &|_| Ok(style.to_owned()))
    }

    fn index() -> String {
        fs::read_to_string(root().join("www/index.html")).unwrap()
    }

    #[test]
    fn the_file_loads_nothing_and_its_one_script_is_known_by_its_hash() {
        let html = made(&index(), "let page;", "p { margin: 0 }").unwrap();
        assert_eq!(html.matches(EMBEDDED).count(), 1);
        assert_eq!(html.matches("<style data-styles=\"kg.css\" media=\"not all\">").count(), 1);
        let policy = html.split("content=\"default-src").nth(1).unwrap();
        let policy = policy.split('"').next().unwrap();
        assert!(!policy.contains("'self'"), "{policy}");
        assert!(policy.contains("worker-src blob:") && policy.contains("connect-src *;"));
        // The one script that runs is the last; the hash is of what stands between its tags.
        let script = html.rsplit_once("<script>").unwrap().1.split("</script>").next().unwrap();
        let hash = BASE64.encode(Sha256::digest(script.as_bytes()));
        assert!(policy.contains(&format!("script-src 'sha256-{hash}' 'wasm-unsafe-eval'")));
        assert_eq!(html.matches("<script>").count(), 1);
        for what in ["<link rel=\"stylesheet\"", "boot.js", "modulepreload", "data-trunk"] {
            assert!(!html.contains(what), "{what} is still there");
        }
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let html = made(&index(), "let page;", "").unwrap();
        for (id, expected) in [("page-module", module("").wasm), ("own.bin", b"weights".to_vec())] {
            let packed = html.split(&format!("id=\"{id}\">")).nth(1).unwrap();
            let bytes = BASE64.decode(packed.split('<').next().unwrap()).unwrap();
            let mut plain = Vec::new();
            let mut gzip = flate2::read::GzDecoder::new(bytes.as_slice());
            std::io::Read::read_to_end(&mut gzip, &mut plain).unwrap();
            assert_eq!(plain, expected);
        }
    }

    #[test]
    fn what_cannot_be_in_one_file_is_refused() {
        let index = index();
        assert!(made(&index, "'</SCRIPT>'", "").is_err(), "a script that ends itself");
        assert!(made(&index, "", "p { background: url(a.png) }").is_err(), "a picture");
        assert!(made(&index, "", "</style><p>").is_err(), "a style that ends itself");
        assert!(made(&index.replace("connect-src *", "connect-src 'self'"), "", "").is_err());
        let image = index.replace("<noscript>", "<img src=\"a.png\"><noscript>");
        assert!(made(&image, "", "").is_err(), "an image");
    }
}
