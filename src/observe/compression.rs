//! Logs that are compressed.

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, Chain, Cursor, Read, Write};
use std::path::Path;

/// How bytes are packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compression {
    /// As they are.
    #[default]
    Plain,
    /// `.gz`
    Gzip,
    /// `.zst`
    Zstd,
}

impl Compression {
    /// What a file's extension promises; anything unknown is plain.
    pub fn of_path(path: &Path) -> Compression {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "gz" | "gzip" => Compression::Gzip,
            "zst" | "zstd" => Compression::Zstd,
            _ => Compression::Plain,
        }
    }

    /// What the first bytes of a file show; anything unknown is plain.
    pub fn of_bytes(bytes: &[u8]) -> Compression {
        match bytes {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            // A frame, or one that is to be skipped.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            _ => Compression::Plain,
        }
    }
}

/// Reads bytes that may be compressed, in one piece or in several one after another; their content tells how.
pub struct Decompressor<R: Read>(Unpacking<R>);

/// The input with the first bytes, which had to be looked at, put back.
type Whole<R> = Chain<Cursor<Vec<u8>>, R>;

enum Unpacking<R: Read> {
    Plain(Whole<R>),
    Gzip(Box<MultiGzDecoder<Whole<R>>>),
    Zstd(Box<zstd::Decoder<'static, io::BufReader<Whole<R>>>>),
}

impl<R: Read> Decompressor<R> {
    /// Looks at the first bytes of `input`, which need not be buffered.
    ///
    /// # Errors
    ///
    /// If the first bytes cannot be read, or the decoder cannot be made.
    pub fn new(mut input: R) -> io::Result<Decompressor<R>> {
        let mut first = Vec::with_capacity(4);
        input.by_ref().take(4).read_to_end(&mut first)?;
        let compression = Compression::of_bytes(&first);
        let whole = Cursor::new(first).chain(input);
        Ok(Decompressor(match compression {
            Compression::Plain => Unpacking::Plain(whole),
            Compression::Gzip => Unpacking::Gzip(Box::new(MultiGzDecoder::new(whole))),
            Compression::Zstd => Unpacking::Zstd(Box::new(zstd::Decoder::new(whole)?)),
        }))
    }
}

impl<R: Read> Read for Decompressor<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Unpacking::Plain(input) => input.read(room),
            Unpacking::Gzip(input) => input.read(room),
            Unpacking::Zstd(input) => input.read(room),
        }
    }
}

/// Writes bytes and compresses them if asked to.
///
/// Call [`Compressor::finish`] at the end: what is dropped unfinished may lack its end.
#[must_use = "the end of the file is written by finish()"]
pub struct Compressor<W: Write>(Packing<W>);

enum Packing<W: Write> {
    Plain(W),
    Gzip(Box<GzEncoder<W>>),
    Zstd(Box<zstd::Encoder<'static, W>>),
}

impl<W: Write> Compressor<W> {
    /// Writes to `output`.
    ///
    /// # Errors
    ///
    /// If the encoder cannot be made.
    pub fn new(output: W, compression: Compression) -> io::Result<Compressor<W>> {
        Ok(Compressor(match compression {
            Compression::Plain => Packing::Plain(output),
            Compression::Gzip => Packing::Gzip(Box::new(GzEncoder::new(output, flate2::Compression::default()))),
            Compression::Zstd => Packing::Zstd(Box::new(zstd::Encoder::new(output, zstd::DEFAULT_COMPRESSION_LEVEL)?)),
        }))
    }

    /// Writes what is left and returns the output.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn finish(self) -> io::Result<W> {
        let mut output = match self.0 {
            Packing::Plain(output) => output,
            Packing::Gzip(output) => output.finish()?,
            Packing::Zstd(output) => output.finish()?,
        };
        output.flush()?;
        Ok(output)
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Packing::Plain(output) => output.write(bytes),
            Packing::Gzip(output) => output.write(bytes),
            Packing::Zstd(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Packing::Plain(output) => output.flush(),
            Packing::Gzip(output) => output.flush(),
            Packing::Zstd(output) => output.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Compression; 3] = [Compression::Plain, Compression::Gzip, Compression::Zstd];

    fn packed(text: &[u8], compression: Compression) -> Vec<u8> {
        let mut output = Compressor::new(Vec::new(), compression).unwrap();
        output.write_all(text).unwrap();
        output.finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        Decompressor::new(bytes)?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn what_was_packed_is_unpacked_by_its_content() {
        for compression in ALL {
            for text in ["", "1", "1\n..\n", &"48 (0 -1 e)\n".repeat(10_000)] {
                let bytes = packed(text.as_bytes(), compression);
                if bytes.len() >= 4 {
                    assert_eq!(Compression::of_bytes(&bytes), compression);
                }
                assert_eq!(unpacked(&bytes).unwrap(), text.as_bytes(), "{compression:?}");
            }
        }
    }

    #[test]
    fn several_pieces_are_read_one_after_another() {
        for compression in ALL {
            let pieces = [packed(b"first ", compression), packed(b"", compression), packed(b"second", compression)];
            assert_eq!(unpacked(&pieces.concat()).unwrap(), b"first second", "{compression:?}");
        }
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        for compression in [Compression::Gzip, Compression::Zstd] {
            let bytes = packed(b"48 (0 -1 e)\n", compression);
            for length in 4..bytes.len() {
                assert!(unpacked(&bytes[..length]).is_err(), "{compression:?} {length}");
            }
        }
    }

    #[test]
    fn extensions_tell_the_compression() {
        for (path, compression) in [
            ("a.log", Compression::Plain),
            ("a.log.gz", Compression::Gzip),
            ("a.log.ZST", Compression::Zstd),
            ("gz", Compression::Plain),
        ] {
            assert_eq!(Compression::of_path(Path::new(path)), compression, "{path}");
        }
    }
}
