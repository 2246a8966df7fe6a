//! Parts of a module that load later: `wasm_split_helpers` marks where they begin, and they are cut
//! out of the linked module here. A module may also stay whole; then it calls itself where it would
//! call a part.
//!
//! Code that several parts use goes into a file for just those parts. There would be hundreds of them,
//! most of a few functions; so what the first visit needs anyway, and what is small, stays in the
//! module that is always loaded.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};
use walrus::ir::Value;
use walrus::{FunctionId, ImportKind, Module, ModuleConfig};
use wasmparser::{KnownCustom, Name, Parser, Payload, TypeRef};

/// The script that loads parts, beside the module's glue.
const LINK: &str = "./__wasm_split.js";
/// What the compiler takes for that script.
const PLACEHOLDER: &str = "__wasm_split_placeholder__";
/// Beside the module: which files each marked function needs.
pub const FILES: &str = "parts.json";
/// How exports are called that keep functions in the module that is always loaded.
const KEPT: &str = "__kept_";
/// Bytes of code and data below which what parts share is not worth a file.
const SMALL: usize = 6000;

/// Bytes below which a file is not worth a request: it stands in the script that loads parts.
const TINY: usize = 3000;

/// What that script does for them in the place of `fetch`.
const TAKE_IN: &str = r#"
async function takeIn(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(bytes, { headers: { "content-type": "application/wasm" } });
}
"#;

/// The files of each part.
type Files = BTreeMap<String, Vec<String>>;

/// Cuts a linked module up: the parts and the script that loads them go into a folder, and what is
/// left is given. It must have its glue as `bin` in that folder. What the parts in `first` share with
/// others is left in it, for they are always loaded.
///
/// # Errors
/// It was linked without its relocations, or cannot be read.
pub fn cut(
    bin: &str,
    module: &[u8],
    first: &[String],
    folder: &Path,
    names: bool,
) -> Result<Module> {
    let trial = folder.join("trial");
    let (_, files) = cut_as_it_is(bin, module, &trial)?;
    let mut shared: Vec<(BTreeSet<String>, Inside)> = Vec::new();
    for (chunk, parts) in sharing(&files) {
        shared.push((parts, Inside::of(&fs::read(trial.join(&chunk))?)?));
    }
    // What is kept is kept with all that it calls, which is for the same parts or more. So those of
    // many parts come first, and what may call code that is not kept is not kept either.
    shared.sort_by_key(|(parts, _)| std::cmp::Reverse(parts.len()));
    let (mut kept, mut left) = (BTreeSet::new(), Vec::<BTreeSet<String>>::new());
    for (parts, inside) in shared {
        let is_first = parts.iter().any(|part| first.contains(part));
        let is_small = inside.bytes < SMALL && !left.iter().any(|more| more.is_superset(&parts));
        if is_first || is_small {
            kept.extend(inside.own_names());
        } else {
            left.push(parts);
        }
    }
    fs::remove_dir_all(&trial)?;
    let (main, mut files) = cut_as_it_is(bin, &keeping(module, &kept)?, folder)?;
    let mut script = fs::read_to_string(folder.join(LINK))?;
    script.push_str(TAKE_IN);
    let id = Sha256::digest(module)[..4].iter().map(|b| format!("{b:02x}")).collect::<String>();
    for name in files.values().flatten().cloned().collect::<BTreeSet<_>>() {
        let path = folder.join(&name);
        let bytes = stripped(&fs::read(&path)?)?;
        fs::remove_file(path)?;
        if bytes.len() > TINY {
            let called = called(&name, &id);
            fs::write(folder.join(&called), bytes)?;
            let place = |name: &str| format!("new URL(\"./{name}\", import.meta.url)");
            replace(&mut script, &place(&name), &place(&called))?;
            files
                .values_mut()
                .flatten()
                .filter(|n| **n == name)
                .for_each(|n| n.clone_from(&called));
        } else {
            let fetched = format!("fetch(new URL(\"./{name}\", import.meta.url))");
            let taken = format!("takeIn(\"{}\")", BASE64.encode(bytes));
            replace(&mut script, &fetched, &taken)?;
            files.values_mut().for_each(|names| names.retain(|n| *n != name));
        }
    }
    fs::write(folder.join(LINK), script)?;
    let marked = Inside::of(module)?.imports.into_iter().filter_map(|name| {
        let (part, function) = name.strip_prefix("__wasm_split_00")?.split_once("00_import_")?;
        // Between them stands a hash.
        Some((function.split_once('_')?.1.to_owned(), files.get(part)?.clone()))
    });
    fs::write(folder.join(FILES), serde_json::to_string_pretty(&marked.collect::<Files>())?)?;
    let mut main = read(&main, names)?;
    let ours = |e: &&walrus::Export| e.name.starts_with(KEPT);
    let exports: Vec<_> = main.exports.iter().filter(ours).map(walrus::Export::id).collect();
    for export in exports {
        main.exports.delete(export);
    }
    Ok(main)
}

/// What a part's file is called: a page that stays open while its server gets a new one finds none of the new
/// parts, which would not fit its module.
fn called(name: &str, id: &str) -> String {
    format!("{}-{id}.wasm", name.trim_end_matches(".wasm"))
}

/// Replaces a piece of the script that loads parts.
fn replace(script: &mut String, piece: &str, by: &str) -> Result<()> {
    ensure!(script.contains(piece), "the script that loads parts has no {piece}");
    *script = script.replace(piece, by);
    Ok(())
}

/// Cuts a module as its marks say; gives what is left, and the files of each part.
fn cut_as_it_is(bin: &str, module: &[u8], folder: &Path) -> Result<(Vec<u8>, Files)> {
    let main = folder.join("main.wasm");
    let glue = format!("./{bin}.js");
    let mut options = wasm_split_cli_support::Options::new(module);
    options.output_dir = folder;
    options.main_out_path = &main;
    options.main_module = &glue;
    options.link_name = LINK;
    let made = wasm_split_cli_support::transform(options)
        .map_err(|e| anyhow!("{bin} cannot be cut into parts: {e:?}"))?;
    let left = fs::read(&main)?;
    fs::remove_file(&main)?;
    let file = |name: String| format!("{name}.wasm");
    let of = |(part, files): (_, Vec<String>)| (part, files.into_iter().map(file).collect());
    Ok((left, made.prefetch_map.into_iter().map(of).collect()))
}

/// The files that several parts need, with those parts.
fn sharing(files: &Files) -> BTreeMap<String, BTreeSet<String>> {
    let mut parts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (part, names) in files {
        for name in names {
            parts.entry(name.clone()).or_default().insert(part.clone());
        }
    }
    parts.retain(|_, parts| parts.len() > 1);
    parts
}

/// What is in a module.
#[derive(Default)]
struct Inside {
    /// Bytes of code and data.
    bytes: usize,
    /// The functions that are imported; their numbers come before the module's own.
    imports: Vec<String>,
    names: BTreeMap<u32, String>,
}

impl Inside {
    fn of(module: &[u8]) -> Result<Self> {
        let mut inside = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        if matches!(import.ty, TypeRef::Func(_)) {
                            inside.imports.push(import.name.to_owned());
                        }
                    }
                }
                Payload::CodeSectionStart { size, .. } => inside.bytes += size as usize,
                Payload::DataSection(data) => inside.bytes += data.range().len(),
                Payload::CustomSection(section) => {
                    let KnownCustom::Name(sections) = section.as_known() else { continue };
                    for section in sections {
                        let Name::Function(map) = section? else { continue };
                        for naming in map {
                            let naming = naming?;
                            inside.names.insert(naming.index, naming.name.to_owned());
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(inside)
    }

    /// The names of the module's own functions.
    fn own_names(self) -> impl Iterator<Item = String> {
        let n_imported = self.imports.len();
        self.names.into_iter().filter(move |(i, _)| *i as usize >= n_imported).map(|(_, name)| name)
    }
}

/// A module that exports the functions of those names too: what is exported is never cut off.
fn keeping(module: &[u8], names: &BTreeSet<String>) -> Result<Vec<u8>> {
    let inside = Inside::of(module)?;
    let indices: Vec<u32> =
        inside.names.iter().filter(|(_, name)| names.contains(*name)).map(|(i, _)| *i).collect();
    let mut made = module[..8].to_vec();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        let Some((id, range)) = payload.as_section() else { continue };
        let mut body = module[range].to_vec();
        if let Payload::ExportSection(exports) = &payload {
            let entries = body.split_off(number(exports.count()).len());
            body = number(exports.count() + u32::try_from(indices.len())?);
            ensure!(!entries.is_empty(), "a module that exports nothing");
            body.extend(entries);
            for index in &indices {
                let name = format!("{KEPT}{index}");
                body.extend(number(u32::try_from(name.len())?));
                body.extend(name.bytes());
                body.push(0);
                body.extend(number(*index));
            }
        }
        push_section(&mut made, id, &body)?;
    }
    Ok(made)
}

/// A module without what only people read.
fn stripped(module: &[u8]) -> Result<Vec<u8>> {
    let mut made = module[..8].to_vec();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        if let Some((id, range)) = payload.as_section()
            && !matches!(payload, Payload::CustomSection(_))
        {
            push_section(&mut made, id, &module[range])?;
        }
    }
    Ok(made)
}

fn push_section(module: &mut Vec<u8>, id: u8, body: &[u8]) -> Result<()> {
    module.push(id);
    module.extend(number(u32::try_from(body.len())?));
    module.extend(body);
    Ok(())
}

/// A number as modules write it, seven bits a byte.
fn number(mut n: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    while n > 0x7f {
        bytes.push((n & 0x7f) as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
    bytes
}

fn read(module: &[u8], names: bool) -> Result<Module> {
    let mut config = ModuleConfig::new();
    config.strict_validate(false).generate_producers_section(false);
    config.generate_name_section(names);
    config.parse(module)
}

/// Which functions a linked module wants of its parts, by their names.
fn wanted(module: &Module) -> Vec<(FunctionId, String)> {
    let of_parts = module.imports.iter().filter(|import| import.module == PLACEHOLDER);
    of_parts
        .filter_map(|import| match import.kind {
            ImportKind::Function(id) => Some((id, import.name.clone())),
            _ => None,
        })
        .collect()
}

/// Makes a linked module whole: every part is in it, and is there when it is asked for.
///
/// # Errors
/// It cannot be read, or lacks what its parts have.
pub fn join(module: &[u8], names: bool) -> Result<Module> {
    let mut module = read(module, names)?;
    // What a module is cut by.
    let relocations = |name: &str| name == "linking" || name.starts_with("reloc.");
    let customs: Vec<String> = module.customs.iter().map(|(_, c)| c.name().to_owned()).collect();
    for name in customs.iter().filter(|name| relocations(name)) {
        module.customs.remove_raw(name);
    }
    let wanted = wanted(&module);
    if wanted.is_empty() {
        return Ok(module);
    }
    let table = module.tables.main_function_table()?.context("no table of functions")?;
    let callback = module.types.add(&[walrus::ValType::I32; 2], &[]);
    for (id, name) in wanted {
        if name.starts_with("__wasm_split_load_") {
            module.replace_imported_func(id, |(body, given)| {
                body.local_get(given[1]).const_(Value::I32(1)).local_get(given[0]);
                body.call_indirect(callback, table);
            })?;
            continue;
        }
        let own = name.replacen("00_import_", "00_export_", 1);
        let export = module.exports.iter().find(|e| e.name == own);
        let (export, function) = match export.map(|e| (e.id(), e.item)) {
            Some((id, walrus::ExportItem::Function(function))) => (id, function),
            _ => return Err(anyhow!("no function {own}")),
        };
        module.replace_imported_func(id, |(body, given)| {
            for local in given {
                body.local_get(*local);
            }
            body.call(function);
        })?;
        module.exports.delete(export);
    }
    Ok(module)
}

#[cfg(test)]
mod tests {
    use walrus::{ConstExpr, FunctionBuilder, RefType, ValType};

    use super::*;

    const HASH: &str = "0123456789abcdef0123456789abcdef";

    /// A module as the linker leaves it: `start` wants `twice` of a part, which the module has too.
    fn linked() -> Vec<u8> {
        let mut module = Module::default();
        let (int, unit) = ([ValType::I32], []);
        let table = module.tables.add_local(false, 1, None, RefType::FUNCREF);
        module.exports.add("__indirect_function_table", table);
        let load = module.types.add(&[ValType::I32; 2], &unit);
        let import = |module: &mut Module, name: String, ty| {
            module.add_import_func(PLACEHOLDER, &name, ty).0
        };
        let load = import(&mut module, "__wasm_split_load_maths".into(), load);
        let ty = module.types.add(&int, &int);
        let wanted = import(&mut module, format!("__wasm_split_00maths00_import_{HASH}_twice"), ty);
        let local = |module: &mut Module,
                     name: &str,
                     calls: FunctionId,
                     params: &[ValType],
                     results: &[ValType]| {
            let mut made = FunctionBuilder::new(&mut module.types, params, results);
            let given: Vec<_> = params.iter().map(|ty| module.locals.add(*ty)).collect();
            for local in &given {
                made.func_body().local_get(*local);
            }
            made.name(name.to_owned()).func_body().call(calls);
            made.finish(given, &mut module.funcs)
        };
        let mut twice = FunctionBuilder::new(&mut module.types, &int, &int);
        let x = module.locals.add(ValType::I32);
        twice
            .name("twice".into())
            .func_body()
            .local_get(x)
            .i32_const(2)
            .binop(walrus::ir::BinaryOp::I32Mul);
        let twice = twice.finish(vec![x], &mut module.funcs);
        module.exports.add(&format!("__wasm_split_00maths00_export_{HASH}_twice"), twice);
        let start = local(&mut module, "start", wanted, &int, &int);
        module.exports.add("start", start);
        let begin = local(&mut module, "begin", load, &[ValType::I32; 2], &unit);
        module.exports.add("begin", begin);
        let items = walrus::ElementItems::Functions(vec![start]);
        let offset = ConstExpr::Value(Value::I32(0));
        module.elements.add(walrus::ElementKind::Active { table, offset }, items);
        module
            .tables
            .get_mut(table)
            .elem_segments
            .extend(module.elements.iter().map(walrus::Element::id));
        module.emit_wasm()
    }

    #[test]
    fn a_module_that_stays_whole_wants_nothing_of_its_parts() {
        let before = linked();
        assert_eq!(Inside::of(&before).unwrap().imports.len(), 2);
        let whole = join(&before, true).unwrap().emit_wasm();
        assert_eq!(Inside::of(&whole).unwrap().imports, Vec::<String>::new());
        let module = read(&whole, true).unwrap();
        let exports: Vec<&str> = module.exports.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(exports, ["__indirect_function_table", "start", "begin"]);
        wasmparser::Validator::new().validate_all(&whole).unwrap();
        // What another build lacks is said.
        let text = [b"00_export_".as_slice(), b"00_expert_".as_slice()];
        let at = before.windows(10).position(|w| w == text[0]).unwrap();
        let mut broken = before.clone();
        broken[at..at + 10].copy_from_slice(text[1]);
        let error = join(&broken, true).unwrap_err().to_string();
        assert!(error.starts_with("no function __wasm_split_00maths00_export_"), "{error}");
    }

    #[test]
    fn functions_are_kept_by_their_names() {
        let before = linked();
        let names = BTreeSet::from(["twice".to_owned(), "unknown".to_owned()]);
        let kept = keeping(&before, &names).unwrap();
        wasmparser::Validator::new().validate_all(&kept).unwrap();
        let module = read(&kept, true).unwrap();
        let ours: Vec<&walrus::Export> =
            module.exports.iter().filter(|e| e.name.starts_with(KEPT)).collect();
        assert_eq!(ours.len(), 1);
        let walrus::ExportItem::Function(function) = ours[0].item else { panic!("no function") };
        assert_eq!(module.funcs.get(function).name.as_deref(), Some("twice"));
        assert_eq!(keeping(&before, &BTreeSet::new()).unwrap(), before);
    }

    #[test]
    fn what_people_alone_read_is_left_out() {
        let before = linked();
        let bare = stripped(&before).unwrap();
        wasmparser::Validator::new().validate_all(&bare).unwrap();
        assert!(bare.len() < before.len() && Inside::of(&bare).unwrap().names.is_empty());
        assert_eq!(Inside::of(&bare).unwrap().bytes, Inside::of(&before).unwrap().bytes);
    }

    #[test]
    fn numbers_are_written_as_modules_have_them() {
        assert_eq!(number(0), [0]);
        assert_eq!(number(127), [127]);
        assert_eq!(number(128), [0x80, 1]);
        assert_eq!(number(624_485), [0xe5, 0x8e, 0x26]);
        assert_eq!(number(u32::MAX), [0xff, 0xff, 0xff, 0xff, 0x0f]);
    }

    #[test]
    fn parts_are_called_by_the_module_that_they_are_of() {
        assert_eq!(called("chunk_1.wasm", "0a1b2c3d"), "chunk_1-0a1b2c3d.wasm");
        let mut script = "fetch(new URL(\"./chunk_1.wasm\", import.meta.url))".to_owned();
        replace(&mut script, "./chunk_1.wasm", "./chunk_1-0a1b2c3d.wasm").unwrap();
        assert_eq!(script, "fetch(new URL(\"./chunk_1-0a1b2c3d.wasm\", import.meta.url))");
        let error = replace(&mut script, "./chunk_2.wasm", "").unwrap_err().to_string();
        assert!(error.ends_with("has no ./chunk_2.wasm"), "{error}");
    }

    #[test]
    fn what_parts_share_is_known() {
        let files = Files::from([
            ("a".to_owned(), vec!["chunk_1.wasm".to_owned(), "split_a.wasm".to_owned()]),
            ("b".to_owned(), vec!["chunk_1.wasm".to_owned()]),
        ]);
        let parts = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        assert_eq!(sharing(&files), BTreeMap::from([("chunk_1.wasm".to_owned(), parts)]));
    }
}
