//! What people come for, each from its beginning to its end. Selectors are in `screens`.

mod asking;
mod benchmarking;
mod catching;
mod checking_datasets;
mod comparing;
mod connecting;
mod failing;
mod family;
mod filling_up;
mod first_visit;
mod inline;
mod keeping;
mod keeping_secrets;
mod kg;
mod looks;
mod model_files;
mod names;
mod own_model;
mod publishing;
mod python;
mod rescuing;
mod researching;
mod sharing;
mod solving;
mod teaching;
mod thoughts;
mod touching;
pub(crate) mod tracing;
mod watching;
mod whole;

/// What finds something on a page or runs JavaScript in it belongs to screens.
#[test]
fn journeys_have_no_selectors() -> anyhow::Result<()> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/journeys");
    let kinds = ["run", "promised", "find", "by_id", "click", "press", "choose", "set", "give"];
    let waits = ["until", "count", "text", "content", "value", "type_into", "client"];
    let calls: Vec<String> =
        kinds.iter().chain(&waits).map(|call| format!("page.{call}")).collect();
    for entry in std::fs::read_dir(folder)?.flatten() {
        let text = std::fs::read_to_string(entry.path())?;
        for (i, line) in text.lines().enumerate() {
            let has = |word: &str| entry.file_name() != "mod.rs" && line.contains(word);
            let found = calls.iter().find(|call| has(call));
            let is_script = ["testid", "querySelector"].into_iter().find(|word| has(word));
            anyhow::ensure!(
                found.is_none() && is_script.is_none(),
                "{}:{}: a screen does this: {line}",
                entry.path().display(),
                i + 1
            );
        }
    }
    Ok(())
}
