//! Where files of sources may be. A file system may hang, such as a network's, so it is asked on threads of its own, with a limit.

use super::{Addresses, OwnStore, RefusedAddress, own_store};
use std::{
    collections::HashMap,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// The most time of a look at a file.
const PATIENCE: Duration = Duration::from_secs(5);
/// The most looks at one path that hang. Each holds a thread until its file system responds.
const MOST_WAITING: usize = 4;

/// The paths that are looked at now, with the number of looks.
pub(super) type Looks = Arc<Mutex<HashMap<PathBuf, usize>>>;

/// What a source's path must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    File,
    FileOrFolder,
}

/// A look at a path, counted until it ends.
struct Look {
    looks: Looks,
    path: PathBuf,
}

impl Look {
    /// `None` while too many looks at the path hang.
    fn begin(looks: &Looks, path: &Path) -> Option<Self> {
        let mut counts = looks.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(path.to_owned()).or_default();
        if *count >= MOST_WAITING {
            return None;
        }
        *count += 1;
        Some(Self { looks: Arc::clone(looks), path: path.to_owned() })
    }
}

impl Drop for Look {
    fn drop(&mut self) {
        let mut counts = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.path) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.path);
            }
        }
    }
}

fn silent() -> RefusedAddress {
    RefusedAddress::away("its file system does not respond")
}

impl Addresses {
    /// Resolves a path with its links, and checks whether a source may use it.
    pub(super) async fn on_disk(&self, path: PathBuf, wanted: Wanted) -> Result<PathBuf, RefusedAddress> {
        let own = self.clone();
        self.look(path.clone(), PATIENCE, move || own.found(&path, wanted)).await
    }

    async fn look<T: Send + 'static>(
        &self,
        path: PathBuf,
        patience: Duration,
        work: impl FnOnce() -> Result<T, RefusedAddress> + Send + 'static,
    ) -> Result<T, RefusedAddress> {
        // Many questions of one file are looked at in turn by a few threads; only those that hang fill the places.
        let turn = async {
            loop {
                match Look::begin(&self.looks, &path) {
                    Some(look) => break look,
                    None => tokio::time::sleep(Duration::from_millis(2)).await,
                }
            }
        };
        let look = tokio::time::timeout(patience, turn).await.map_err(|_| silent())?;
        let work = tokio::task::spawn_blocking(move || {
            let found = work();
            drop(look);
            found
        });
        tokio::time::timeout(patience, work).await.map_err(|_| silent())?.map_err(|_| silent())?
    }

    fn found(&self, path: &Path, wanted: Wanted) -> Result<PathBuf, RefusedAddress> {
        let missing = |_: io::Error| RefusedAddress::away("its file cannot be opened");
        let found = fs::canonicalize(path).map_err(missing)?;
        let about = fs::metadata(&found).map_err(missing)?;
        let systems = ["/proc", "/sys", "/dev", "/etc"].iter().any(|folder| found.starts_with(folder));
        let fits = about.is_file() || wanted == Wanted::FileOrFolder && about.is_dir();
        if systems || !fits {
            return Err(RefusedAddress::new("its path is not a regular file"));
        }
        let own = match &self.own_store {
            Some(OwnStore::File(own)) => fs::metadata(own).ok(),
            _ => None,
        };
        if own.is_some_and(|own| (own.dev(), own.ino()) == (about.dev(), about.ino())) {
            return Err(own_store());
        }
        let inside = |folder: &PathBuf| fs::canonicalize(folder).is_ok_and(|folder| found.starts_with(folder));
        if self.folders.is_empty() || self.folders.iter().any(inside) {
            return Ok(found);
        }
        Err(RefusedAddress::new("its file is outside the folders listed in INLAY_SQLITE_FOLDERS"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::mpsc, thread};

    #[tokio::test]
    async fn a_file_system_that_hangs_holds_a_few_threads_and_no_caller() {
        let (addresses, path) = (Addresses::default(), PathBuf::from("/mnt/gone/a.db"));
        let (release, patience) = (Arc::new(Mutex::new(Vec::new())), Duration::from_millis(40));
        let mut callers = Vec::new();
        for _ in 0..10 {
            let (addresses, path, release) = (addresses.clone(), path.clone(), Arc::clone(&release));
            callers.push(tokio::spawn(async move {
                let hang = move || {
                    let (sender, receiver) = mpsc::channel::<()>();
                    release.lock().expect("a lock").push(sender);
                    let _ = receiver.recv();
                    Ok(())
                };
                addresses.look(path, patience, hang).await
            }));
        }
        for caller in callers {
            assert_eq!(caller.await.expect("no panic"), Err(silent()));
        }
        assert_eq!(release.lock().expect("a lock").len(), MOST_WAITING, "no further thread is lost");
        let here = thread::current().id();
        let other = addresses.look(PathBuf::from("/data/b.db"), patience, || Ok(thread::current().id())).await;
        assert_ne!(other.expect("another path is looked at"), here);
        release.lock().expect("a lock").clear();
        let later = addresses.look(path, Duration::from_secs(5), || Ok(())).await;
        assert_eq!(later, Ok(()), "it is looked at again once it responds");
    }
}
