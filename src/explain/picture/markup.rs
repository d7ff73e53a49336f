//! Text that stands in another language.

/// Text as it may stand in HTML, XML and their attributes.
pub(crate) fn escaped(text: &str) -> String {
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

/// A length as SVG has it: one digit behind the point is finer than anybody sees.
pub(crate) fn length(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_the_other_language_are_escaped() {
        assert_eq!(escaped("<b>&\"'\u{1}"), "&lt;b&gt;&amp;&quot;&#39;\u{fffd}");
        assert_eq!((length(1.0), length(-0.01), length(2.25)), ("1".into(), "0".into(), "2.2".into()));
    }
}
