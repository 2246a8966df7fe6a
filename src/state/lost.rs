//! How it is said that an engine is not there, or no longer.

/// What is said of a worker that is gone: the browser ended it, or it broke.
pub const GONE: &str = "the engine ended before it answered; the next request starts it again";

/// What is said where something came that is of another build than the page.
pub const OUTDATED: &str = "this page was updated; reload it, and your runs are still there";

/// Whether `bundles.js` names a build; `None` where it names none.
pub fn is_of_build(bundles: &str, build: &str) -> Option<bool> {
    let (_, rest) = bundles.split_once("export const build = \"")?;
    let (named, _) = rest.split_once('"')?;
    Some(named == build)
}

/// Why the worker of model files is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LostModel {
    /// The browser ended it.
    Gone,
    /// It broke, and said this.
    Failed(String),
    /// It did not come; the words say why, as far as the page can tell.
    NotLoaded(String),
    /// It is of another build than the page.
    Outdated,
    /// It did not hear that a job was to stop.
    Stopped,
}

impl LostModel {
    /// What the job about a file is told; the name is empty where it was about none.
    pub fn words(&self, name: &str) -> String {
        let words = match self {
            Self::Gone => {
                "the model's worker ended, as it does where the memory of a page is used up; \
                 the next request starts it again"
                    .to_owned()
            }
            Self::Failed(said) => {
                format!("the model's worker failed ({said}); the next request starts it again")
            }
            Self::NotLoaded(why) => {
                format!("the module for model files could not be loaded; {why}")
            }
            Self::Outdated => OUTDATED.to_owned(),
            Self::Stopped => "stopped; the model's worker did not answer and was ended".to_owned(),
        };
        if name.is_empty() { words } else { format!("{name}: {words}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_worker_is_reported_with_the_file_that_it_was_busy_with() {
        let failed = LostModel::Failed("RangeError: Maximum call stack size exceeded".into());
        let words = failed.words("small.gguf");
        assert!(words.starts_with("small.gguf: the model's worker failed (RangeError"), "{words}");
        assert_eq!(LostModel::Outdated.words(""), OUTDATED);
        assert!(LostModel::Gone.words("").starts_with("the model's worker ended"));
    }

    #[test]
    fn another_build_is_known_by_its_name() {
        let bundles = "export const threads = true;\nexport const build = \"0a1b\";\n";
        assert_eq!(is_of_build(bundles, "0a1b"), Some(true));
        assert_eq!(is_of_build(bundles, "ffff"), Some(false));
        assert_eq!(is_of_build("<!doctype html>", "ffff"), None);
    }
}
