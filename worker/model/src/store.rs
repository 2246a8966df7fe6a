//! Files in the browser's private file system, each with a note beside it.

use js_sys::{Function, Object, Promise, Reflect, Uint8Array};
use modelfiles::KeptFile;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DedicatedWorkerGlobalScope, DomException, File, FileSystemDirectoryHandle,
    FileSystemFileHandle, FileSystemGetDirectoryOptions, FileSystemGetFileOptions,
    FileSystemReadWriteOptions, FileSystemSyncAccessHandle, StorageEstimate, StorageManager,
};

use modelfiles::no_room;

/// The folder with the files.
const FOLDER: &str = "model-files";
/// What a note's name has behind the name of its file.
const NOTE: &str = ".json";

/// Why bytes were not written.
pub(crate) enum Unwritten {
    /// There is no room for them behind so many others of the file.
    NoRoom(u64),
    /// The words say why.
    Other(String),
}

impl Unwritten {
    fn of(error: &JsValue, at: u64) -> Self {
        let name = error.dyn_ref::<DomException>().map(DomException::name);
        match name.as_deref() {
            Some("QuotaExceededError") => Self::NoRoom(at),
            _ => Self::Other(words(error)),
        }
    }
}

impl From<String> for Unwritten {
    fn from(words: String) -> Self {
        Self::Other(words)
    }
}

/// What the browser said, in words.
pub(crate) fn words(error: &JsValue) -> String {
    let Some(error) = error.dyn_ref::<DomException>() else {
        return format!("the browser said {error:?}");
    };
    match error.name().as_str() {
        "NoModificationAllowedError" => {
            "another tab has this file open; close that tab, or wait until it is done".into()
        }
        "QuotaExceededError" => "the browser gives this page no more room".into(),
        "NotFoundError" => "the file is no longer there".into(),
        "SecurityError" => {
            "this browser keeps no files for this page; in a private window that is usual".into()
        }
        name => format!("the browser said {name}: {}", error.message()),
    }
}

pub(crate) async fn waited<T: JsCast>(promise: Promise) -> Result<T, String> {
    let value = JsFuture::from(promise).await.map_err(|e| words(&e))?;
    value.dyn_into().map_err(|_| "the browser gave something unexpected".to_owned())
}

fn storage() -> Result<StorageManager, String> {
    let global = js_sys::global().unchecked_into::<DedicatedWorkerGlobalScope>();
    let storage = Reflect::get(&global.navigator(), &"storage".into()).unwrap_or_default();
    storage.dyn_into().map_err(|_| {
        "this browser keeps no files for this page: it has to come over https, or from this machine"
            .to_owned()
    })
}

async fn folder() -> Result<FileSystemDirectoryHandle, String> {
    let root: FileSystemDirectoryHandle = waited(storage()?.get_directory()).await?;
    let options = FileSystemGetDirectoryOptions::new();
    options.set_create(true);
    waited(root.get_directory_handle_with_options(FOLDER, &options)).await
}

async fn handle_of(name: &str, create: bool) -> Result<FileSystemFileHandle, String> {
    let options = FileSystemGetFileOptions::new();
    options.set_create(create);
    waited(folder().await?.get_file_handle_with_options(name, &options)).await
}

/// A file that is open; it is closed when this is dropped.
pub(crate) struct Opened(FileSystemSyncAccessHandle);

impl Drop for Opened {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Opened {
    pub(crate) fn size(&self) -> u64 {
        self.0.get_size().map_or(0, |n| n as u64)
    }

    pub(crate) fn write(&self, bytes: &Uint8Array, at: u64) -> Result<(), Unwritten> {
        let options = FileSystemReadWriteOptions::new();
        options.set_at(at as f64);
        let wrote = self.0.write_with_js_u8_array_and_options(bytes, &options);
        // A disk that is full may take less than it was given, without an error.
        match wrote.map_err(|e| Unwritten::of(&e, at))? {
            wrote if wrote < f64::from(bytes.length()) => Err(Unwritten::NoRoom(at)),
            _ => Ok(()),
        }
    }

    pub(crate) fn read(&self, into: &Uint8Array, at: u64) -> Result<usize, String> {
        let options = FileSystemReadWriteOptions::new();
        options.set_at(at as f64);
        let read = self.0.read_with_js_u8_array_and_options(into, &options);
        read.map(|n| n as usize).map_err(|e| words(&e))
    }

    pub(crate) fn cut(&self, size: u64) -> Result<(), Unwritten> {
        self.0.truncate_with_f64(size as f64).map_err(|e| Unwritten::of(&e, 0))
    }

    pub(crate) fn flush(&self) -> Result<(), Unwritten> {
        self.0.flush().map_err(|e| Unwritten::of(&e, self.size()))
    }
}

/// Opens a file to be written, by this tab alone.
pub(crate) async fn open_to_write(name: &str) -> Result<Opened, String> {
    let handle = handle_of(name, true).await?;
    Ok(Opened(waited(handle.create_sync_access_handle()).await?))
}

/// Opens a file to be read, by other tabs too where the browser can.
pub(crate) async fn open_to_read(name: &str) -> Result<Opened, String> {
    let handle = handle_of(name, false).await?;
    // The binding with options is not stable yet.
    let options = Object::new();
    let _ = Reflect::set(&options, &"mode".into(), &"read-only".into());
    let open = Reflect::get(&handle, &"createSyncAccessHandle".into()).unwrap_or_default();
    let open: Function =
        open.dyn_into().map_err(|_| "this browser is too old to keep model files".to_owned())?;
    let promise = open.call1(&handle, &options).map_err(|e| words(&e))?;
    Ok(Opened(waited(promise.unchecked_into()).await?))
}

async fn file_of(handle: &FileSystemFileHandle) -> Result<File, String> {
    waited(handle.get_file()).await
}

async fn text_of(name: &str) -> Result<String, String> {
    let file = file_of(&handle_of(name, false).await?).await?;
    let text = JsFuture::from(file.text()).await.map_err(|e| words(&e))?;
    Ok(text.as_string().unwrap_or_default())
}

/// What is kept under a name; `None` where nothing is.
pub(crate) async fn kept(name: &str) -> Option<KeptFile> {
    let file = file_of(&handle_of(name, false).await.ok()?).await.ok()?;
    let note = text_of(&format!("{name}{NOTE}")).await.ok();
    let note = note.and_then(|text| serde_json::from_str::<KeptFile>(&text).ok());
    // Without its note nobody knows what else belongs to it: then it is half a file.
    let note = note.unwrap_or_default();
    let bytes = file.size();
    let is_whole = note.is_whole && note.total == Some(bytes);
    Some(KeptFile { name: name.to_owned(), bytes, is_whole, ..note })
}

/// Writes the note beside a file.
pub(crate) async fn note(file: &KeptFile) -> Result<(), Unwritten> {
    let text = serde_json::to_string(file).map_err(|e| e.to_string())?;
    let opened = open_to_write(&format!("{}{NOTE}", file.name)).await?;
    opened.cut(0)?;
    opened.write(&Uint8Array::from(text.as_bytes()), 0)?;
    opened.flush()
}

/// Every file, by name.
pub(crate) async fn list() -> Result<Vec<KeptFile>, String> {
    let keys = folder().await?.keys();
    let mut names = Vec::new();
    loop {
        let next = keys.next().map_err(|e| words(&e))?;
        let next = JsFuture::from(next).await.map_err(|e| words(&e))?;
        if Reflect::get(&next, &"done".into()).is_ok_and(|d| d.is_truthy()) {
            break;
        }
        let name = Reflect::get(&next, &"value".into()).ok().and_then(|v| v.as_string());
        names.extend(name.filter(|n| modelfiles::name_of(n).as_ref() == Ok(n)));
    }
    names.sort();
    let mut files = Vec::new();
    for name in names {
        files.extend(kept(&name).await);
    }
    Ok(files)
}

/// Deletes a file with its note.
pub(crate) async fn delete(name: &str) -> Result<(), String> {
    let folder = folder().await?;
    JsFuture::from(folder.remove_entry(name)).await.map_err(|e| words(&e))?;
    // A file may have none.
    let _ = JsFuture::from(folder.remove_entry(&format!("{name}{NOTE}"))).await;
    Ok(())
}

/// Bytes that the browser still gives this page, where it tells.
async fn left() -> Option<f64> {
    let estimate = JsFuture::from(storage().ok()?.estimate().ok()?).await.ok()?;
    let estimate: StorageEstimate = estimate.unchecked_into();
    Some((estimate.get_quota()? - estimate.get_usage()?).max(0.0))
}

/// Whether there is room for so many bytes more of a file.
///
/// # Errors
/// There is not, with the numbers.
pub(crate) async fn room_for(name: &str, bytes: f64) -> Result<(), String> {
    match left().await {
        Some(left) if left < bytes => Err(no_room(name, bytes, left)),
        _ => Ok(()),
    }
}

/// What is said of a file that found no room behind its first bytes; nothing of it is left.
pub(crate) async fn give_up(name: &str, bytes: f64, has: u64) -> String {
    // The worst that can come of this is half a file in the list, which the person can delete.
    let _ = delete(name).await;
    no_room(name, bytes, has as f64)
}
