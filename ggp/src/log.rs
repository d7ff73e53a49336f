//! Lines about what happens, whether anybody reads them or not.

use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Where lines about what happens go: standard error, a file, or nowhere.
#[derive(Clone)]
pub struct Log(Arc<Mutex<Box<dyn Write + Send>>>);

impl Log {
    /// Lines go to a writer.
    pub fn new(writer: impl Write + Send + 'static) -> Log {
        Log(Arc::new(Mutex::new(Box::new(writer))))
    }

    /// Lines go nowhere.
    pub fn none() -> Log {
        Log::new(std::io::sink())
    }

    /// Writes a line as it is, for programs to read: it must be one.
    pub(crate) fn record(&self, line: &str) {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writer.write_all(format!("{line}\n").as_bytes()).and_then(|()| writer.flush());
    }

    /// Writes a line. What others sent may be in it, so control characters are written out, and it is cut if it is long.
    pub(crate) fn line(&self, text: impl fmt::Display) {
        const LONGEST: usize = 2000;
        let text = text.to_string();
        let mut clean: String = text.chars().take(LONGEST).flat_map(shown).collect();
        if text.chars().nth(LONGEST).is_some() {
            clean.push_str(" ...");
        }
        clean.push('\n');
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody has to listen.
        let _ = writer.write_all(clean.as_bytes()).and_then(|()| writer.flush());
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Log")
    }
}

fn shown(character: char) -> Vec<char> {
    if character.is_control() { character.escape_default().collect() } else { vec![character] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_that_fails_does_no_harm() {
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
        }
        Log::new(Broken).line("nobody reads this");
    }

    #[test]
    fn lines_are_clean_and_short() {
        #[derive(Clone, Default)]
        struct Kept(Arc<Mutex<Vec<u8>>>);
        impl Write for Kept {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0.lock().unwrap().extend_from_slice(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let kept = Kept::default();
        let log = Log::new(kept.clone());
        log.line("a\x1b[2Jb\nc");
        log.line("x".repeat(1_000_000));
        let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().next(), Some("a\\u{1b}[2Jb\\nc"));
        assert_eq!(text.lines().count(), 2);
        assert!(text.len() < 3000);
    }
}
