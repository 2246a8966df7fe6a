//! What fills a module: its code by crate, its data, and functions that are in it many times.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use wasmparser::{KnownCustom, Name, Parser, Payload, TypeRef};

/// Crates that are listed by name; the others are one line.
const MOST_CRATES: usize = 24;
/// Functions that are listed.
const MOST_FUNCTIONS: usize = 16;

/// Bytes, and of how many functions.
type Weight = (usize, usize);

/// A module, taken apart.
#[derive(Default)]
struct Parts {
    crates: BTreeMap<String, Weight>,
    /// By name without what generics were filled with.
    functions: BTreeMap<String, Weight>,
    code: usize,
    data: usize,
}

impl Parts {
    fn of(bytes: &[u8]) -> Result<Self> {
        let mut parts = Self::default();
        let mut n_imported = 0;
        let mut bodies: Vec<usize> = Vec::new();
        let mut names: BTreeMap<u32, String> = BTreeMap::new();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        n_imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => bodies.push(body.range().len()),
                Payload::DataSection(data) => parts.data = data.range().len(),
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(sections) = section.as_known() {
                        for section in sections {
                            if let Name::Function(map) = section? {
                                for naming in map {
                                    let naming = naming?;
                                    names.insert(naming.index, naming.name.to_owned());
                                }
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        ensure!(!names.is_empty(), "the module has no names: is it the one before wasm-bindgen?");
        for (i, size) in bodies.into_iter().enumerate() {
            let name = names.get(&(n_imported + i as u32)).map_or("(no name)", String::as_str);
            let name = format!("{:#}", rustc_demangle::demangle(name));
            parts.code += size;
            for (list, key) in
                [(&mut parts.crates, crate_of(&name).to_owned()), (&mut parts.functions, name)]
            {
                let weight = list.entry(key).or_default();
                weight.0 += size;
                weight.1 += 1;
            }
        }
        Ok(parts)
    }
}

/// The crate that a function is of. What drops a value is of the value's crate, and a method of a
/// type is of the type's.
fn crate_of(name: &str) -> &str {
    let mut rest = name;
    loop {
        let before = rest;
        for start in ["core::ptr::drop_in_place", "<", "&", "mut ", "dyn ", "(", "[", "*const "] {
            rest = rest.strip_prefix(start).unwrap_or(rest);
        }
        if rest == before {
            break;
        }
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    match &rest[..end] {
        of if !of.is_empty() && rest[end..].starts_with("::") => of,
        _ => "(no crate)",
    }
}

fn heaviest(list: &BTreeMap<String, Weight>) -> Vec<(&String, Weight)> {
    let mut rows: Vec<_> = list.iter().map(|(name, weight)| (name, *weight)).collect();
    rows.sort_by_key(|(_, (size, _))| std::cmp::Reverse(*size));
    rows
}

/// Prints what fills each module.
pub fn run(modules: &[PathBuf]) -> Result<()> {
    for path in modules {
        let bytes = fs::read(path).with_context(|| {
            format!("no module {}: run `cargo xtask engine` first", path.display())
        })?;
        let bin = path.file_stem().unwrap_or_default().to_string_lossy();
        let parts = Parts::of(&bytes)?;
        let kb = |n: usize| n as f64 / 1e3;
        println!("\n{bin}: code {:.0} KB, data {:.0} KB", kb(parts.code), kb(parts.data));
        println!("\n| crate | code, KB | functions |\n|---|---:|---:|");
        let rows = heaviest(&parts.crates);
        for (name, (size, n)) in rows.iter().take(MOST_CRATES) {
            println!("| {name} | {:.0} | {n} |", kb(*size));
        }
        let rest = rows.iter().skip(MOST_CRATES).map(|r| r.1);
        let (size, n) = rest.fold((0, 0), |sum, w| (sum.0 + w.0, sum.1 + w.1));
        println!("| {} others | {:.0} | {n} |", rows.len().saturating_sub(MOST_CRATES), kb(size));
        println!("\n| in it more than once | times | together, KB |\n|---|---:|---:|");
        let many = heaviest(&parts.functions).into_iter().filter(|(_, (_, n))| *n > 1);
        for (name, (size, n)) in many.take(MOST_FUNCTIONS) {
            println!("| `{name}` | {n} | {:.0} |", kb(size));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_of_the_crate_of_its_type() {
        assert_eq!(crate_of("<leptos::view::View as tachys::Render>::build"), "leptos");
        assert_eq!(crate_of("core::ptr::drop_in_place<alloc::vec::Vec<app::State>>"), "alloc");
        assert_eq!(crate_of("<&mut app::Row as core::fmt::Debug>::fmt"), "app");
        assert_eq!(crate_of("tasks::verify::judge"), "tasks");
        assert_eq!(crate_of("__wbindgen_malloc"), "(no crate)");
    }

    #[test]
    fn what_is_no_module_is_an_error() {
        assert!(Parts::of(b"not wasm").is_err());
        assert!(Parts::of(b"\0asm\x01\0\0\0").is_err(), "it has no names");
    }
}
