//! The table of words: the most frequent words that a dictionary has, through MiniLM, in fewer
//! dimensions and four bits a number.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use ml::distil::{RankedWord, distil};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::RowAccessor as _;
use sha2::{Digest as _, Sha256};

use super::fetch::{self, WORDS};
use crate::wordnet::Lemmas;
use companion::packages::cache;
use companion::{minilm, output};

/// Words this frequent are kept whether or not the dictionary has them: `the`, `who`.
const ALWAYS: usize = 5_000;
/// Texts that go to the model between two steps of the progress bar.
const BATCH: usize = 512;

/// Options of `meaning distil`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file to write.
    #[arg(long)]
    out: PathBuf,
    /// How many words the table has.
    #[arg(long, default_value_t = 30_000)]
    words: usize,
    /// Dimensions.
    #[arg(long, default_value_t = 96)]
    dims: usize,
    /// The folder with WordNet's `index.*` files (Debian's package `wordnet-base` has them).
    #[arg(long, default_value = "/usr/share/wordnet")]
    wordnet: PathBuf,
    /// The cache; else `GRAPHGROUND_CACHE`, else a folder of the person's own cache.
    #[arg(long)]
    cache: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let cache = cache(args.cache.as_deref())?;
    let model = minilm::load(&cache)?;
    if args.dims == 0 || args.dims > model.n_dims() || !args.dims.is_multiple_of(2) {
        bail!("--dims is {}; expected an even number up to {}", args.dims, model.n_dims());
    }
    let (words, n_all) = choose(&cache, &args.wordnet, args.words)?;
    let bar = ProgressBar::new(words.len() as u64);
    bar.set_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} words, {eta} left")?);
    let mut vectors = Vec::with_capacity(words.len());
    for batch in words.chunks(BATCH) {
        let texts: Vec<&str> = batch.iter().map(|w| w.word.as_str()).collect();
        vectors.extend(model.vectors(&texts)?);
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    let bytes = distil(&words, &vectors, n_all, args.dims)?;
    output::write(&args.out, &bytes)?;
    let sha256: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    output::complain(&format!(
        "{}: {} words, {} dimensions, {} bytes, sha256 {sha256}",
        args.out.display(),
        words.len(),
        args.dims,
        bytes.len()
    ));
    Ok(ExitCode::SUCCESS)
}

/// The most frequent words that are in the dictionary, and the number of all words.
fn choose(cache: &Path, wordnet: &Path, n: usize) -> anyhow::Result<(Vec<RankedWord>, usize)> {
    let lemmas = Lemmas::read(wordnet)?;
    let bytes = fetch::read(&WORDS, "glove_6B_index.parquet", cache)
        .context("the list of words is missing; `graphground meaning fetch --words` brings it")?;
    let reader =
        SerializedFileReader::new(bytes::Bytes::from(bytes)).context("the list of words")?;
    let n_all = usize::try_from(reader.metadata().file_metadata().num_rows()).unwrap_or_default();
    let mut words = Vec::with_capacity(n);
    for (rank, row) in reader.get_row_iter(None).context("the list of words")?.enumerate() {
        if words.len() == n {
            break;
        }
        let row = row.context("the list of words")?;
        let word = row.get_string(0).context("the list of words")?;
        let is_plain = !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
        if is_plain && (rank < ALWAYS || lemmas.has_form(word)) {
            words.push(RankedWord { word: word.clone(), rank });
        }
    }
    if words.len() < n {
        bail!("--words is {n}; the dictionary has only {} of the frequent ones", words.len());
    }
    Ok((words, n_all))
}
