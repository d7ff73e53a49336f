//! KIF read as a tree of s-expressions with their places in the text. Names are slices of the text.

use super::problem::{Problem, SheetError};
use std::ops::Range;

/// A name or a bracketed list, and where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SExpr<'a> {
    pub span: Range<usize>,
    pub kind: SExprKind<'a>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SExprKind<'a> {
    Name(&'a str),
    List(Vec<SExpr<'a>>),
}

/// The largest sheet that is read. The largest known ones have less than a hundredth of it.
pub const MAX_SHEET_BYTES: usize = 8 << 20;
/// The longest name.
const MAX_NAME: usize = 1000;
/// How deeply brackets may be nested: far beyond any sheet, far below what a stack holds.
const MAX_DEPTH: usize = 200;

/// Reads all the expressions of a text. A bracket that does not fit ends the reading, since nothing after it can be
/// trusted.
pub(crate) fn read(text: &str) -> Result<Vec<SExpr<'_>>, SheetError> {
    let refuse = |span: Range<usize>, message: String, mend: &str| SheetError {
        text: text.to_owned(),
        problems: vec![Problem::error(span, message, mend)],
    };
    if text.len() > MAX_SHEET_BYTES {
        let message = format!("found a sheet of {} bytes, expected at most {MAX_SHEET_BYTES}", text.len());
        // The text is not given back whole: it would be shown.
        let problems = vec![Problem::error(0..0, message, "a rule sheet is a text of some thousand lines")];
        return Err(SheetError { text: String::new(), problems });
    }
    let bytes = text.as_bytes();
    let mut open: Vec<(usize, Vec<SExpr>)> = Vec::new();
    let mut top = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let done = match bytes[at] {
            b';' => {
                at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
                continue;
            }
            byte if is_space(byte) => {
                at += 1;
                continue;
            }
            // Editors put it at the start of a file, and joining files puts it between expressions.
            0xef if text[at..].starts_with(BYTE_ORDER_MARK) => {
                at += BYTE_ORDER_MARK.len_utf8();
                continue;
            }
            b'(' if open.len() == MAX_DEPTH => {
                let message = format!("brackets are nested more than {MAX_DEPTH} deep");
                return Err(refuse(at..at + 1, message, "is a ')' missing before this?"));
            }
            b'(' => {
                open.push((at, Vec::new()));
                at += 1;
                continue;
            }
            b')' => {
                at += 1;
                let Some((begin, parts)) = open.pop() else {
                    return Err(refuse(at - 1..at, "found ')' that closes nothing".to_owned(), "remove it"));
                };
                SExpr { span: begin..at, kind: SExprKind::List(parts) }
            }
            _ => {
                let begin = at;
                while at < bytes.len() && !is_space(bytes[at]) && !matches!(bytes[at], b'(' | b')' | b';') {
                    at += 1;
                }
                if at - begin > MAX_NAME {
                    let message = format!("found a name of {} bytes, expected at most {MAX_NAME}", at - begin);
                    return Err(refuse(begin..begin + 1, message, "is this KIF?"));
                }
                SExpr { span: begin..at, kind: SExprKind::Name(&text[begin..at]) }
            }
        };
        open.last_mut().map_or(&mut top, |(_, parts)| parts).push(done);
    }
    if let Some((begin, _)) = open.pop() {
        return Err(refuse(begin..begin + 1, "found '(' that is never closed".to_owned(), "add the missing ')'"));
    }
    Ok(top)
}

const BYTE_ORDER_MARK: char = '\u{feff}';

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_names_and_comments_are_told_apart() {
        let read = read("\u{feff}(a b;c (\r\n(d))\t\u{feff}e ; end").unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].span, 3..17);
        assert!(matches!(read[1].kind, SExprKind::Name("e")));
    }

    #[test]
    fn brackets_that_do_not_fit_are_refused_where_they_stand() {
        for (text, at) in [(")", 0), ("(a))", 3), ("(a (b)", 0), ("(((", 2)] {
            assert_eq!(read(text).unwrap_err().problems[0].span.start, at, "{text}");
        }
    }

    #[test]
    fn depth_and_size_are_limited() {
        assert!(read(&"(".repeat(1_000_000)).is_err());
        assert!(read(&"()".repeat(MAX_SHEET_BYTES)).is_err());
        assert!(read(&"x".repeat(MAX_NAME)).is_ok() && read(&"x".repeat(MAX_NAME + 1)).is_err());
        let deep = format!("{}{}", "(".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH));
        assert_eq!(read(&deep).unwrap().len(), 1);
    }
}
