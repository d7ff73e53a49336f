//! Text that stands in another language.

/// Text as it may stand in HTML, XML and their attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no other control characters, not even escaped ones.
            c if c.is_control() && !matches!(c, '\n' | '\t' | '\r') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Text in quotation marks as DOT reads it.
pub(super) fn dot_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out + "\""
}

/// A length as SVG has it: one digit behind the point is finer than anybody sees.
pub(super) fn length(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Looks whether every tag is closed and every attribute quoted, as a reader of XML would. For tests.
#[cfg(test)]
pub(in crate::explain) fn check_balanced(text: &str) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let before = &rest[..at];
        if before.contains('>') || before.replace("&amp;", "").replace("&lt;", "").contains("& ") {
            return Err(format!("a bare sign in {before:?}"));
        }
        rest = &rest[at..];
        let end = rest.find('>').ok_or("a tag without an end")?;
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        if tag.starts_with('!') || tag.starts_with('?') {
            continue;
        }
        if tag.matches('"').count() % 2 == 1 {
            return Err(format!("a quotation mark too much in <{tag}>"));
        }
        if let Some(name) = tag.strip_prefix('/') {
            match open.pop() {
                Some(opened) if opened == name => {}
                other => return Err(format!("</{name}> closes {other:?}")),
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap_or_default().to_owned());
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} left open")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_the_other_language_are_escaped() {
        assert_eq!(escaped("<b>&\"'\u{1}"), "&lt;b&gt;&amp;&quot;&#39;\u{fffd}");
        assert_eq!(dot_quoted("a\"\\b\nc"), "\"a\\\"\\\\b\\nc\"");
        assert_eq!((length(1.0), length(-0.01), length(2.25)), ("1".into(), "0".into(), "2.2".into()));
    }

    #[test]
    fn the_check_finds_what_is_open() {
        assert!(check_balanced("<a><b x=\"1\"/></a>").is_ok());
        for wrong in ["<a>", "<a></b>", "<a x=\"1></a>", "a > b<i/>"] {
            assert!(check_balanced(wrong).is_err(), "{wrong}");
        }
    }
}
