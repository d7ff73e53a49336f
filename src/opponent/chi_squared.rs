//! Feature selection by the chi-squared test of independence between a feature and the move played.

use super::naive_bayes::{FeatureId, NaiveBayes};

/// The chi-squared statistic of each feature, by its number: how far its presence and absence are from being spread over the classes
/// as the classes themselves are. A feature that is always or never there has 0, as has every feature where only one class was seen.
///
/// ```
/// use onlooker::opponent::{ClassId, FeatureId, NaiveBayes, chi_squared};
///
/// let mut counts = NaiveBayes::new(1.0);
/// counts.observe(ClassId(0), &[FeatureId(0), FeatureId(1)]);
/// counts.observe(ClassId(1), &[FeatureId(1)]);
/// // Feature 0 tells the classes apart, feature 1 is constant.
/// assert_eq!(chi_squared(&counts), [2.0, 0.0]);
/// ```
pub fn chi_squared(counts: &NaiveBayes) -> Vec<f64> {
    let total = counts.total() as f64;
    let mut statistics = vec![0.0; counts.feature_count()];
    let mut present = vec![0_u64; counts.feature_count()];
    for class in counts.classes() {
        present.iter_mut().zip(counts.row(class)).for_each(|(sum, count)| *sum += count);
    }
    for class in counts.classes().filter(|&class| counts.class_count(class) > 0) {
        let size = counts.class_count(class) as f64;
        for (feature, statistic) in statistics.iter_mut().enumerate() {
            let with = present[feature] as f64;
            if with == 0.0 || with == total {
                continue;
            }
            let observed = counts.row(class).get(feature).copied().unwrap_or(0) as f64;
            let expected = size * with / total;
            let difference = observed - expected;
            // What there is too much of the one there is too little of the other.
            *statistic += difference * difference * (1.0 / expected + 1.0 / (size - expected));
        }
    }
    statistics
}

/// The at most `most` features with the highest statistics, in the order of their numbers. Those with 0 say nothing and are left out;
/// of equal ones the first are taken.
pub fn select_features(counts: &NaiveBayes, most: usize) -> Vec<FeatureId> {
    let statistics = chi_squared(counts);
    let mut telling: Vec<usize> = (0..statistics.len()).filter(|&feature| statistics[feature] > 0.0).collect();
    telling.sort_by(|&one, &other| statistics[other].total_cmp(&statistics[one]).then(one.cmp(&other)));
    telling.truncate(most);
    telling.sort_unstable();
    telling.into_iter().map(|feature| FeatureId(feature as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::naive_bayes::ClassId;
    use super::*;

    #[test]
    fn it_is_the_statistic_of_the_contingency_table() {
        let mut counts = NaiveBayes::new(1.0);
        // Feature 0: in 3 of 4 of class 0, in 1 of 6 of class 1.
        for (class, present, times) in [(0, true, 3), (0, false, 1), (1, true, 1), (1, false, 5)] {
            let features: &[FeatureId] = if present { &[FeatureId(0)] } else { &[] };
            (0..times).for_each(|_| counts.observe(ClassId(class), features));
        }
        let expected = [(3.0, 1.6), (1.0, 2.4), (1.0, 2.4), (5.0, 3.6)];
        let by_hand: f64 =
            expected.iter().map(|(seen, expected): &(f64, f64)| (seen - expected).powi(2) / expected).sum();
        assert!((chi_squared(&counts)[0] - by_hand).abs() < 1e-12);
    }

    #[test]
    fn constants_are_left_out_and_ties_are_broken_by_number() {
        let mut counts = NaiveBayes::new(1.0);
        counts.observe(ClassId(0), &[0, 1, 2, 4].map(FeatureId));
        counts.observe(ClassId(1), &[2].map(FeatureId));
        assert_eq!(select_features(&counts, 10), [0, 1, 4].map(FeatureId));
        assert_eq!(select_features(&counts, 2), [0, 1].map(FeatureId));
        assert_eq!(select_features(&NaiveBayes::new(1.0), 2), []);
    }
}
