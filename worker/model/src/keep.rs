//! Adding, downloading and deleting files.

use std::rc::Rc;

use js_sys::Uint8Array;
use modelfiles::{FromModel, KeptFile, MEMORY_BYTES, megabytes, name_of};
use web_sys::File;

use crate::check;
use crate::host::Host;
use crate::reader::{Reader, Source};
use crate::store::{self, Opened, Unwritten};

/// Bytes of a file of the person's own that are copied at once; a stop is heard between them.
const PIECE: f64 = 4e6;
/// Bytes after which what was written is to be on the disk.
const SAFE: u64 = 16_000_000;

/// A file whose bytes are coming.
pub(crate) struct Writing {
    file: KeptFile,
    opened: Opened,
    at: u64,
    /// Bytes that are surely on the disk.
    safe: u64,
}

impl Writing {
    async fn new(file: KeptFile) -> Result<Self, Unwritten> {
        let at = file.bytes as u64;
        let opened = store::open_to_write(&file.name).await?;
        // The note first: what is there is half a file until the note says that it is whole.
        store::note(&KeptFile { is_whole: false, about: None, fault: None, ..file.clone() })
            .await?;
        opened.cut(at)?;
        Ok(Self { file, opened, at, safe: at })
    }

    fn write(&mut self, bytes: &Uint8Array) -> Result<(), Unwritten> {
        let end = self.at + u64::from(bytes.length());
        if end > MEMORY_BYTES {
            return Err(too_large(end as f64).into());
        }
        self.opened.write(bytes, self.at)?;
        self.at = end;
        if self.at - self.safe > SAFE {
            self.opened.flush()?;
            self.safe = self.at;
        }
        Ok(())
    }

    /// Closes the file; of a whole one the note says what it holds.
    async fn end(self, is_whole: bool) -> Result<(), Unwritten> {
        let Self { file, opened, at, .. } = self;
        opened.flush()?;
        drop(opened);
        if !is_whole {
            return Ok(());
        }
        let reader = Reader::new(Source::Kept(store::open_to_read(&file.name).await?));
        let checked = check::check(reader);
        let bytes = at as f64;
        let (about, fault) = match checked {
            Ok(about) => (Some(about), None),
            Err(fault) => (None, Some(fault)),
        };
        let file = KeptFile { bytes, total: Some(bytes), is_whole: true, about, fault, ..file };
        store::note(&file).await?;
        match file.fault {
            Some(fault) => Err(format!("{} cannot be used: {fault}", file.name).into()),
            None => Ok(()),
        }
    }
}

fn too_large(bytes: f64) -> String {
    format!(
        "the file has {}, and a model file in this page may have at most {}; run a larger one with a \
         server on this machine, and name it as an endpoint",
        megabytes(bytes),
        megabytes(MEMORY_BYTES as f64)
    )
}

/// Tells which files there are now, and what went wrong.
pub(crate) async fn tell(host: &Rc<Host>, job: u32, fault: Option<String>) {
    let (files, unlisted) = match store::list().await {
        Ok(files) => (files, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    host.post(job, &FromModel::Listed { files, fault: fault.or(unlisted) });
}

/// Copies a file of the person's own. What cannot be used is refused before.
pub(crate) async fn add(host: &Rc<Host>, job: u32, name: String, own: &File) -> Result<(), String> {
    let name = name_of(&name)?;
    let size = own.size();
    if size > MEMORY_BYTES as f64 {
        return Err(format!("{name} was not added: {}", too_large(size)));
    }
    let checked = check::check(Reader::new(Source::Own(own.clone().into())));
    checked.map_err(|fault| format!("{name} was not added: {fault}"))?;
    let validator = Some(format!("{}", own.last_modified()));
    let there = store::kept(&name).await;
    let is_same = |kept: &&KeptFile| kept.total == Some(size) && kept.validator == validator;
    let from = match &there {
        Some(kept) if kept.is_whole && kept.fault.is_none() => {
            return match is_same(&kept) {
                true => Ok(()),
                false => Err(format!(
                    "another file is kept as {name}; delete that one first, or rename this one"
                )),
            };
        }
        // It broke off, and the first part is of the same file.
        Some(kept) if is_same(&kept) && kept.bytes < size => kept.bytes,
        _ => 0.0,
    };
    store::room_for(&name, size - from).await?;
    let file = KeptFile {
        name: name.clone(),
        bytes: from,
        total: Some(size),
        validator,
        ..KeptFile::default()
    };
    match copy(host, job, file, own).await {
        Err(Unwritten::NoRoom(has)) => Err(store::give_up(&name, size, has).await),
        Err(Unwritten::Other(words)) => Err(words),
        Ok(()) => Ok(()),
    }
}

/// Copies what is not here yet of a file, until it is whole or somebody stops it.
async fn copy(host: &Rc<Host>, job: u32, file: KeptFile, own: &File) -> Result<(), Unwritten> {
    let (mut at, size) = (file.bytes, own.size());
    let mut writing = Writing::new(file).await?;
    while at < size {
        let to = (at + PIECE).min(size);
        let unread =
            "the file could not be read any further; was it moved or changed? What is here is kept";
        let piece = own.slice_with_f64_and_f64(at, to).map_err(|_| unread.to_owned())?;
        let buffer = store::waited(piece.array_buffer()).await.map_err(|_| unread.to_owned())?;
        let buffer: js_sys::ArrayBuffer = buffer;
        writing.write(&Uint8Array::new(&buffer))?;
        at = to;
        host.post(job, &FromModel::Progress { done: at, total: size });
        if host.is_stopped(job) {
            break;
        }
    }
    writing.end(at >= size).await
}

/// Opens a file for bytes that are to come.
pub(crate) async fn begin(host: &Rc<Host>, file: KeptFile) -> Result<(), String> {
    let name = name_of(&file.name)?;
    if let Some(total) = file.total {
        if total > MEMORY_BYTES as f64 {
            return Err(too_large(total));
        }
        store::room_for(&name, (total - file.bytes).max(0.0)).await?;
    }
    let needs = file.total.unwrap_or_default();
    match Writing::new(KeptFile { name: name.clone(), ..file }).await {
        Ok(writing) => {
            host.writing.replace(Some(writing));
            Ok(())
        }
        Err(Unwritten::NoRoom(has)) => Err(store::give_up(&name, needs, has).await),
        Err(Unwritten::Other(words)) => Err(words),
    }
}

/// Puts bytes behind the others.
pub(crate) async fn more(host: &Rc<Host>, bytes: &Uint8Array) -> Result<(), String> {
    let mut writing = host.writing.take().ok_or("internal error: no file was begun")?;
    let mut refused = None;
    if writing.at == 0 && bytes.length() >= 4 {
        let mut magic = [0; 4];
        bytes.subarray(0, 4).copy_to(&mut magic);
        if &magic != b"GGUF" {
            // The same words as for a file that is whole.
            refused = gguf::File::read(magic).err().map(|e| e.to_string());
        }
    }
    let written = refused.map_or_else(|| writing.write(bytes), |words| Err(words.into()));
    let words = match written {
        Err(Unwritten::NoRoom(has)) => return Err(no_room_in(writing, has).await),
        Err(Unwritten::Other(words)) => Some(words),
        Ok(()) => None,
    };
    host.writing.replace(Some(writing));
    words.map_or(Ok(()), Err)
}

/// Gives up a file that was being loaded; what is said of it.
async fn no_room_in(writing: Writing, has: u64) -> String {
    let Writing { file, opened, at, .. } = writing;
    // Only a file that nobody has open can be deleted.
    drop(opened);
    store::give_up(&file.name, file.total.unwrap_or(at as f64), has).await
}

/// Closes the file.
pub(crate) async fn end(host: &Rc<Host>, is_whole: bool) -> Result<(), String> {
    let writing = host.writing.borrow_mut().take();
    let Some(writing) = writing else { return Ok(()) };
    let (name, needs) = (writing.file.name.clone(), writing.at as f64);
    // Of a file that is none nothing came.
    if !is_whole && writing.at == 0 {
        drop(writing);
        return store::delete(&name).await;
    }
    match writing.end(is_whole).await {
        Err(Unwritten::NoRoom(has)) => Err(store::give_up(&name, needs, has).await),
        Err(Unwritten::Other(words)) => Err(words),
        Ok(()) => Ok(()),
    }
}

/// Deletes a file; if it is in memory, it goes from there too.
pub(crate) async fn delete(host: &Rc<Host>, name: &str) -> Result<(), String> {
    let name = name_of(name)?;
    if host.writing.borrow().as_ref().is_some_and(|w| w.file.name == name) {
        return Err(format!("{name} is being loaded; stop that first"));
    }
    if let Some(mut loaded) = host.loaded.try_lock()
        && loaded.as_ref().is_some_and(|l| l.name == name)
    {
        *loaded = None;
    }
    store::delete(&name).await
}
