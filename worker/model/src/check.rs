//! What a file holds, and whether it can run here.

use gguf::{File, GgufError, ModelSummary};
use js_sys::Reflect;
use modelfiles::{FileAbout, LEAST_CTX, MEMORY_BYTES, N_CTX, megabytes};

use crate::reader::Reader;

/// What a tokenizer, a template and everything beside weights and context take of the memory, at most.
const BESIDE: u64 = 128 << 20;
/// The memory for a model and its context: what the module may have, or half of the machine's memory
/// where the browser reports that (`navigator.deviceMemory`, in GB) and it is less.
pub(crate) fn budget() -> u64 {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).unwrap_or_default();
    let device = Reflect::get(&navigator, &"deviceMemory".into()).unwrap_or_default();
    let half = device.as_f64().map_or(MEMORY_BYTES, |gb| (gb * 0.5 * (1_u64 << 30) as f64) as u64);
    MEMORY_BYTES.min(half).saturating_sub(BESIDE)
}

/// Whether the browser gives a model its memory now. What was asked for stays with the module, so that
/// loading finds it there.
pub(crate) fn reserve(bytes: u64) -> Result<(), String> {
    let mut room: Vec<u8> = Vec::new();
    let is_there = usize::try_from(bytes).is_ok_and(|n| room.try_reserve_exact(n).is_ok());
    // The compiler may leave out memory that nobody looks at.
    std::hint::black_box(&mut room);
    let missing = || {
        format!(
            "the browser does not give this page the {} that the model needs; close other pages, or \
             choose a smaller model",
            megabytes(bytes as f64)
        )
    };
    is_there.then_some(()).ok_or_else(missing)
}

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
    match summary.fits(budget(), most) {
        Ok(_) => Ok(most),
        Err(GgufError::TooLarge { largest: Some(n), .. }) if n >= LEAST_CTX => Ok(n.min(most)),
        // The least that would be of use, so that the numbers are those of the closest miss.
        Err(GgufError::TooLarge { .. }) => {
            summary.fits(budget(), most.min(LEAST_CTX)).map(|_| most.min(LEAST_CTX))
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
        let fit = summary.fits(budget(), n_ctx)?;
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
