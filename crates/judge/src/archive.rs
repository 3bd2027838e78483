//! One file that holds many: a tar in gzip, which every system can open.
//!
//! It is written under a temporary name, for its owner alone, and gets its own
//! name when it is whole and on the disk. Nothing that is read or written is
//! larger than [`LARGEST`], so that memory is bounded whatever the archive holds.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

/// The largest file inside: what the store reads back at most, and some more.
pub const LARGEST: u64 = 80 << 20;

/// What the names of unfinished archives end with.
const PART: &str = ".ludus-part";

/// Tar works in blocks of this many bytes.
const BLOCK: usize = 512;

/// An archive that is being written.
pub struct Writer {
    file: Option<GzEncoder<BufWriter<File>>>,
    /// Held for its lock: whoever is writing.
    lock: File,
    part: PathBuf,
    path: PathBuf,
    seconds: u64,
}

impl Writer {
    /// Begins an archive that will have this name. What is there already stays,
    /// and is an error.
    pub fn create(path: &Path, created_at: i64) -> Result<Writer> {
        ensure!(!path.exists(), "{} is there already; it is not replaced", path.display());
        let name = path.file_name().with_context(|| format!("{} is no name for a file", path.display()))?;
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        remove_abandoned(&folder);
        let mut part = name.to_owned();
        part.push(PART);
        let part = folder.join(part);
        let mut options = OpenOptions::new();
        let file = options.create(true).truncate(false).write(true).mode(0o600).open(&part);
        let file = file.with_context(|| format!("cannot write {}", part.display()))?;
        file.try_lock().map_err(|_| anyhow::anyhow!("{} is being written by another process", part.display()))?;
        file.set_len(0)?;
        let lock = file.try_clone()?;
        let file = GzEncoder::new(BufWriter::with_capacity(1 << 16, file), Compression::fast());
        let seconds = u64::try_from(created_at / 1000).unwrap_or_default();
        Ok(Writer { file: Some(file), lock, part, path: path.to_owned(), seconds })
    }

    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        ensure!(bytes.len() as u64 <= LARGEST, "{name} is too large to be kept: {} bytes", bytes.len());
        let header = header(name, bytes.len(), self.seconds)?;
        let padding = [0; BLOCK];
        let file = self.file.as_mut().context("the archive is finished")?;
        file.write_all(&header)
            .and_then(|()| file.write_all(bytes))
            .and_then(|()| file.write_all(&padding[..(BLOCK - bytes.len() % BLOCK) % BLOCK]))
            .with_context(|| format!("cannot write {}", self.part.display()))
    }

    /// Ends it, and gives it its name. Gives how many bytes it has.
    pub fn finish(mut self) -> Result<u64> {
        let failed = format!("cannot write {}", self.part.display());
        let mut file = self.file.take().context("the archive is finished")?;
        let mut end = || -> io::Result<u64> {
            file.write_all(&[0; 2 * BLOCK])?;
            file.try_finish()?;
            file.get_mut().flush()?;
            self.lock.sync_all()?;
            let length = self.lock.metadata()?.len();
            fs::rename(&self.part, &self.path)?;
            if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                File::open(folder)?.sync_all()?;
            }
            Ok(length)
        };
        end().context(failed)
    }
}

impl Drop for Writer {
    /// One that was not finished leaves nothing.
    fn drop(&mut self) {
        if self.file.is_some() {
            // The error that led here is told; the next archive in this folder tidies up.
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// Removes what processes that were killed have left in a folder.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if !path.to_string_lossy().ends_with(PART) {
            continue;
        }
        if let Ok(file) = OpenOptions::new().write(true).open(&path)
            && file.try_lock().is_ok()
        {
            // Somebody else may remove it at the same time.
            let _ = fs::remove_file(&path);
        }
    }
}

fn header(name: &str, length: usize, seconds: u64) -> Result<[u8; BLOCK]> {
    ensure!(name.len() < 100 && name.is_ascii(), "{name} is no name for a file in an archive");
    let mut header = [0; BLOCK];
    let mut put = |at: usize, text: &str| header[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, "0000600\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{length:011o}\0"));
    put(136, &format!("{seconds:011o}\0"));
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}

/// A file of an archive.
pub struct Entry {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// An archive that is being read, from its beginning to its end.
pub struct Reader {
    file: GzDecoder<BufReader<File>>,
    path: PathBuf,
    over: bool,
}

impl Reader {
    pub fn open(path: &Path) -> Result<Reader> {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = GzDecoder::new(BufReader::with_capacity(1 << 16, file));
        Ok(Reader { file, path: path.to_owned(), over: false })
    }

    /// The next file; none at the end, which is checked to be one.
    pub fn next_entry(&mut self) -> Result<Option<Entry>> {
        if self.over {
            return Ok(None);
        }
        let mut header = [0; BLOCK];
        self.fill(&mut header)?;
        if header == [0; BLOCK] {
            self.end()?;
            return Ok(None);
        }
        let (name, length) = self.understand(&header)?;
        let mut bytes = vec![0; length + (BLOCK - length % BLOCK) % BLOCK];
        self.fill(&mut bytes)?;
        bytes.truncate(length);
        Ok(Some(Entry { name, bytes }))
    }

    fn understand(&self, header: &[u8; BLOCK]) -> Result<(String, usize)> {
        let wrong = || format!("{} is no archive of Ludus, or is damaged", self.path.display());
        let text = |from: usize, to: usize| {
            let part = &header[from..to];
            let end = part.iter().position(|byte| matches!(byte, 0 | b' ')).unwrap_or(part.len());
            std::str::from_utf8(&part[..end]).ok().filter(|text| !text.is_empty())
        };
        let octal = |from, to| text(from, to).and_then(|text| u64::from_str_radix(text, 8).ok());
        let sum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
        let blanks: u64 = header[148..156].iter().map(|byte| u64::from(*byte)).sum();
        ensure!(octal(148, 156) == Some(sum - blanks + 8 * u64::from(b' ')), wrong());
        let (name, length) = text(0, 100).zip(octal(124, 136)).with_context(wrong)?;
        ensure!(length <= LARGEST, "{}: {name} is too large", self.path.display());
        Ok((name.to_owned(), usize::try_from(length)?))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        match self.file.read_exact(bytes) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                bail!("{} is cut off: it ends in the middle", self.path.display())
            }
            Err(error) => Err(error).with_context(|| format!("{} is no archive, or is damaged", self.path.display())),
        }
    }

    /// Reads to the very end, where gzip has a sum of everything.
    fn end(&mut self) -> Result<()> {
        let mut rest = [0; 4096];
        loop {
            let count = match self.file.read(&mut rest) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    bail!("{} is cut off: its last bytes are missing", self.path.display())
                }
                Err(error) => {
                    return Err(error).with_context(|| format!("{} is damaged", self.path.display()));
                }
            };
            ensure!(rest[..count].iter().all(|byte| *byte == 0), "{} goes on after its end", self.path.display());
        }
        self.over = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(path: &Path) {
        let mut writer = Writer::create(path, 1_700_000_000_000).unwrap();
        writer.add("first", b"one").unwrap();
        writer.add("second", &vec![7; 100_000]).unwrap();
        writer.add("empty", b"").unwrap();
        writer.finish().unwrap();
    }

    fn read(path: &Path) -> Result<Vec<(String, Vec<u8>)>> {
        let mut reader = Reader::open(path)?;
        let mut found = Vec::new();
        while let Some(entry) = reader.next_entry()? {
            found.push((entry.name, entry.bytes));
        }
        Ok(found)
    }

    #[test]
    fn what_is_written_is_read_and_tar_reads_it_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.tar.gz");
        written(&path);
        let expected = [("first", b"one".to_vec()), ("second", vec![7; 100_000]), ("empty", Vec::new())];
        let expected = expected.map(|(name, bytes)| (name.to_owned(), bytes));
        assert_eq!(read(&path).unwrap(), expected);
        let listed = std::process::Command::new("tar").arg("tzf").arg(&path).output().unwrap();
        assert_eq!(String::from_utf8(listed.stdout).unwrap(), "first\nsecond\nempty\n");
        let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
        let again = Writer::create(&path, 0).err().unwrap().to_string();
        assert!(again.contains("is there already"), "{again}");
    }

    #[test]
    fn one_that_is_cut_off_or_spoilt_is_refused_whatever_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.tar.gz");
        written(&path);
        let (whole, parts) = (fs::read(&path).unwrap(), read(&path).unwrap());
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let error = read(&path).unwrap_err().to_string();
            assert!(error.contains("cut off") || error.contains("damaged"), "{length}: {error}");
        }
        // Bytes 3 to 9 are a hint, a time and names of systems, which mean nothing.
        for at in (0..3).chain(10..whole.len()) {
            let mut spoilt = whole.clone();
            spoilt[at] ^= 1;
            fs::write(&path, &spoilt).unwrap();
            // A bit that says nothing may differ, nothing that is said.
            assert!(read(&path).map_or(true, |found| found == parts), "byte {at}");
        }
    }

    #[test]
    fn what_is_not_finished_leaves_nothing_and_nobody_removes_what_is_being_written() {
        let folder = tempfile::tempdir().unwrap();
        let count = || fs::read_dir(folder.path()).unwrap().count();
        let mut writer = Writer::create(&folder.path().join("a"), 0).unwrap();
        writer.add("x", b"y").unwrap();
        fs::write(folder.path().join("killed.ludus-part"), "half").unwrap();
        let other = Writer::create(&folder.path().join("b"), 0).unwrap();
        assert_eq!(count(), 2, "what was left is gone, and what is written is not");
        let twice = Writer::create(&folder.path().join("a"), 0).err().unwrap().to_string();
        assert!(twice.contains("being written"), "{twice}");
        drop(other);
        drop(writer);
        assert_eq!(count(), 0);
    }
}
