//! Arguments that are numbers within limits.

/// A share above 0, at most 1.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or("expected a share above 0, at most 1".to_owned())
}

/// A rate below one half.
pub fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (0.0..0.5).contains(rate));
    rate.ok_or("expected a rate from 0 to less than 0.5".to_owned())
}

/// Seconds, at most an hour.
pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.ok_or("expected seconds from 0 to 3600".to_owned())
}
