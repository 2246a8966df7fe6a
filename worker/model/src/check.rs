//! What a file holds, and whether it can run here.

use gguf::{File, GgufError, ModelSummary};
use modelfiles::{FileAbout, LEAST_CTX, MEMORY_BYTES, N_CTX, megabytes};

use crate::reader::Reader;

/// What a tokenizer, a template and everything beside weights and context take of the memory, at most.
const BESIDE: u64 = 128 << 20;
/// The memory for a model and its context.
pub(crate) const BUDGET: u64 = MEMORY_BYTES - BESIDE;

/// An error in words; those about memory in megabytes.
pub(crate) fn words(error: &GgufError) -> String {
    match error {
        GgufError::TooLarge { needed, weights, cache, n_ctx, budget, .. } => format!(
            "the model needs {} of memory ({} for its weights, {} for a context of {n_ctx} tokens), and a page \
             has {} for it; a smaller model, or one with fewer bits for each number, would fit",
            megabytes(*needed as f64),
            megabytes(*weights as f64),
            megabytes(*cache as f64),
            megabytes(*budget as f64)
        ),
        other => other.to_string(),
    }
}

/// The context that a model gets here: what it was trained for, if that is not too long and fits.
pub(crate) fn context(summary: &ModelSummary) -> Result<usize, GgufError> {
    let most = summary.n_ctx_trained.min(N_CTX);
    match summary.fits(BUDGET, most) {
        Ok(_) => Ok(most),
        Err(GgufError::TooLarge { largest: Some(n), .. }) if n >= LEAST_CTX => Ok(n.min(most)),
        // The least that would be of use, so that the numbers are those of the closest miss.
        Err(GgufError::TooLarge { .. }) => {
            summary.fits(BUDGET, most.min(LEAST_CTX)).map(|_| most.min(LEAST_CTX))
        }
        Err(error) => Err(error),
    }
}

/// Reads a file's head, its tokenizer and its template.
///
/// # Errors
/// It is no model that runs here; the words say why.
pub(crate) fn check(reader: Reader) -> Result<FileAbout, String> {
    let about = |reader| {
        let file = File::over(reader)?;
        let summary = file.summary();
        let n_ctx = context(summary)?;
        let fit = summary.fits(BUDGET, n_ctx)?;
        Ok(FileAbout {
            title: summary.name.clone(),
            quantisation: summary.quantisation.clone(),
            n_parameters: summary.n_parameters as f64,
            n_ctx,
            n_ctx_trained: summary.n_ctx_trained,
            memory_bytes: fit.needed as f64,
            knows_tools: file.template()?.knows_tools(),
        })
    };
    about(reader).map_err(|error| words(&error))
}
