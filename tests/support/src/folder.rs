use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// An empty folder of its own, gone when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// Makes the folder, below the system's folder for such files.
    ///
    /// # Panics
    /// It cannot be made.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        static N: AtomicUsize = AtomicUsize::new(0);
        let n = N.fetch_add(1, Ordering::Relaxed);
        let name = format!("graphground-test-{}-{n}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A process of the same number may have been killed before it could tidy up.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file into it, and gives its path; its name may lead through folders that are not
    /// there yet.
    ///
    /// # Panics
    /// It cannot be written.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// The folder with a file more, as [`Folder::write`] writes it.
    ///
    /// # Panics
    /// It cannot be written.
    #[must_use]
    pub fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        self.write(name, content);
        self
    }

    /// The path of a file in it, as a word of a command line.
    ///
    /// # Panics
    /// The path is not UTF-8.
    pub fn file(&self, name: &str) -> String {
        self.join(name).into_os_string().into_string().unwrap()
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
