//! Naive Bayes over 0/1 features: the multivariate (Bernoulli) event model, as integer counts that merge, and as tables that rank.
//!
//! [`NaiveBayes`] counts in how many observations of a class each feature was there. [`RankingTable`] is what it says about the features
//! that were selected: for each class a sum of logarithms, as in scikit-learn's `BernoulliNB`, which it agrees with.

/// A class by its number: for opponents, a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u32);

/// A 0/1 feature by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId(pub u32);

/// How often classes, and features with them, were seen.
///
/// Numbers of classes and features are the caller's; there is room for whatever was seen. Merging adds counts, so evidence may come
/// in any order and in any number of pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct NaiveBayes {
    smoothing: f64,
    total: u64,
    classes: Vec<ClassCounts>,
    features: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct ClassCounts {
    times: u64,
    /// By feature; what is missing at the end is 0.
    present: Vec<u64>,
}

impl NaiveBayes {
    /// Nothing seen yet. `smoothing` is added to every count of a feature, there or not (Laplace has 1); what is not a positive
    /// number counts as 1.
    pub fn new(smoothing: f64) -> NaiveBayes {
        let smoothing = if smoothing.is_finite() && smoothing > 0.0 { smoothing } else { 1.0 };
        NaiveBayes { smoothing, total: 0, classes: Vec::new(), features: 0 }
    }

    /// What is added to every count.
    pub fn smoothing(&self) -> f64 {
        self.smoothing
    }

    /// Takes in one observation: its class, and the features that were there, each once.
    pub fn observe(&mut self, class: ClassId, features: &[FeatureId]) {
        self.add_class(class, 1);
        features.iter().for_each(|&feature| self.add_feature(class, feature, 1));
    }

    /// Counts a class some times more, without features.
    pub fn add_class(&mut self, class: ClassId, times: u64) {
        let at = class.0 as usize;
        if at >= self.classes.len() {
            self.classes.resize(at + 1, ClassCounts::default());
        }
        self.classes[at].times += times;
        self.total += times;
    }

    /// Counts a feature of a class some times more.
    pub fn add_feature(&mut self, class: ClassId, feature: FeatureId, times: u64) {
        let (at, place) = (class.0 as usize, feature.0 as usize);
        if at >= self.classes.len() {
            self.classes.resize(at + 1, ClassCounts::default());
        }
        self.features = self.features.max(place + 1);
        let present = &mut self.classes[at].present;
        if place >= present.len() {
            // To the width that others have, so that it does not grow by one.
            present.resize(self.features, 0);
        }
        present[place] += times;
    }

    /// Adds what was counted elsewhere under the same numbers.
    pub fn merge(&mut self, other: &NaiveBayes) {
        for class in other.classes() {
            self.add_class(class, other.class_count(class));
            for (feature, &times) in other.row(class).iter().enumerate().filter(|(_, times)| **times > 0) {
                self.add_feature(class, FeatureId(feature as u32), times);
            }
        }
    }

    /// How many observations there were.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// One more than the highest number of a feature.
    pub fn feature_count(&self) -> usize {
        self.features
    }

    /// The classes that have room, seen or not.
    pub fn classes(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.classes.len() as u32).map(ClassId)
    }

    /// How often a class was seen.
    pub fn class_count(&self, class: ClassId) -> u64 {
        self.classes.get(class.0 as usize).map_or(0, |counts| counts.times)
    }

    /// How often each feature was there with a class; what is missing at the end is 0.
    pub fn row(&self, class: ClassId) -> &[u64] {
        self.classes.get(class.0 as usize).map_or(&[], |counts| &counts.present)
    }

    /// How many classes were seen exactly once.
    pub fn seen_once(&self) -> u64 {
        self.classes.iter().filter(|counts| counts.times == 1).count() as u64
    }

    /// The logarithms of the probabilities that a feature is there, and is not, with a class.
    fn logs(&self, class: ClassId, feature: FeatureId) -> (f64, f64) {
        let present = self.row(class).get(feature.0 as usize).copied().unwrap_or(0) as f64;
        let times = self.class_count(class) as f64;
        let all = times + 2.0 * self.smoothing;
        // A file that somebody has edited may count more features than observations.
        let with = (present + self.smoothing).min(all - self.smoothing.min(all / 2.0));
        ((with / all).ln(), ((all - with) / all).ln())
    }

    /// The tables for ranking by some features.
    pub fn table(&self, selected: Vec<FeatureId>) -> RankingTable {
        let most = selected.iter().map(|feature| feature.0 as usize + 1).max().unwrap_or(0);
        let mut places = vec![None; most];
        selected.iter().zip(0..).for_each(|(feature, place)| places[feature.0 as usize] = Some(place));
        let mut table =
            RankingTable { selected, places, width: 0, weights: Vec::new(), base: Vec::new(), log_total: 0.0 };
        table.widen(self.classes.len());
        self.classes().for_each(|class| table.set_class(self, class));
        table.log_total = (self.total.max(1) as f64).ln();
        table
    }

    /// Takes in one observation, and brings tables up to date that were made from these counts.
    pub fn observe_with(&mut self, table: &mut RankingTable, class: ClassId, features: &[FeatureId]) {
        self.observe(class, features);
        table.widen(self.classes.len());
        table.set_class(self, class);
        table.log_total = (self.total as f64).ln();
    }
}

/// What counts say about classes, ready to be added up.
#[derive(Clone, Debug, PartialEq)]
pub struct RankingTable {
    selected: Vec<FeatureId>,
    /// By feature, its place among the selected ones.
    places: Vec<Option<u32>>,
    /// For how many classes there is room.
    width: usize,
    /// For each selected feature and each class: what its presence adds beside its absence.
    weights: Vec<f64>,
    /// For each class: the logarithm of its count, and of the absence of all features.
    base: Vec<f64>,
    log_total: f64,
}

impl RankingTable {
    /// The features that are looked at.
    pub fn selected(&self) -> &[FeatureId] {
        &self.selected
    }

    fn widen(&mut self, classes: usize) {
        if classes <= self.width {
            return;
        }
        // To more than is needed, since moves come one after another.
        let width = classes.next_power_of_two();
        let mut weights = vec![0.0; self.selected.len() * width];
        for place in 0..self.selected.len() {
            let old = &self.weights[place * self.width..(place + 1) * self.width];
            weights[place * width..place * width + old.len()].copy_from_slice(old);
        }
        self.weights = weights;
        self.base.resize(width, f64::NEG_INFINITY);
        self.width = width;
    }

    fn set_class(&mut self, counts: &NaiveBayes, class: ClassId) {
        let at = class.0 as usize;
        let times = counts.class_count(class);
        if times == 0 {
            return;
        }
        let mut base = (times as f64).ln();
        for (place, &feature) in self.selected.iter().enumerate() {
            let (with, without) = counts.logs(class, feature);
            base += without;
            self.weights[place * self.width + at] = with - without;
        }
        self.base[at] = base;
    }

    /// Replaces `scores` by the joint log-likelihood of each class with these features; minus infinity for a class never seen.
    ///
    /// Features that were not selected are passed over.
    pub fn scores(&self, features: &[FeatureId], scores: &mut Vec<f64>) {
        scores.clear();
        scores.extend(self.base.iter().map(|base| base - self.log_total));
        for feature in features {
            let Some(&Some(place)) = self.places.get(feature.0 as usize) else { continue };
            let weights = &self.weights[place as usize * self.width..(place as usize + 1) * self.width];
            scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Chance;

    /// The definition, without tables.
    fn plain(data: &[(u32, Vec<u32>)], smoothing: f64, features: u32, seen: &[u32], class: u32) -> f64 {
        let own: Vec<&Vec<u32>> = data.iter().filter(|(other, _)| *other == class).map(|(_, row)| row).collect();
        let mut score = (own.len() as f64 / data.len() as f64).ln();
        for feature in 0..features {
            let with = own.iter().filter(|row| row.contains(&feature)).count() as f64;
            let chance = (with + smoothing) / (own.len() as f64 + 2.0 * smoothing);
            score += if seen.contains(&feature) { chance.ln() } else { (1.0 - chance).ln() };
        }
        score
    }

    fn made_up(seed: u64) -> Vec<(u32, Vec<u32>)> {
        let mut chance = Chance::new(seed);
        let row = |chance: &mut Chance| (0..6).filter(|_| chance.below(2) == 0).collect();
        (0..40).map(|_| (chance.below(4) as u32, row(&mut chance))).collect()
    }

    fn ids(row: &[u32]) -> Vec<FeatureId> {
        row.iter().copied().map(FeatureId).collect()
    }

    #[test]
    fn sums_are_those_of_the_definition_also_on_line() {
        for (seed, smoothing) in [(1, 1.0), (2, 0.5), (3, 1e-3)] {
            let data = made_up(seed);
            let mut counts = NaiveBayes::new(smoothing);
            let all: Vec<FeatureId> = (0..6).map(FeatureId).collect();
            let mut table = counts.table(all.clone());
            for (class, row) in &data {
                counts.observe_with(&mut table, ClassId(*class), &ids(row));
            }
            let fresh = counts.table(all);
            let (mut scores, mut again) = (Vec::new(), Vec::new());
            for (_, row) in &data {
                table.scores(&ids(row), &mut scores);
                fresh.scores(&ids(row), &mut again);
                for class in 0..4 {
                    let expected = plain(&data, smoothing, 6, row, class);
                    assert!((scores[class as usize] - expected).abs() < 1e-10);
                    assert!((again[class as usize] - expected).abs() < 1e-10);
                }
            }
        }
    }

    #[test]
    fn pieces_merge_in_any_order() {
        let data = made_up(5);
        let count = |rows: &[(u32, Vec<u32>)]| {
            let mut counts = NaiveBayes::new(1.0);
            rows.iter().for_each(|(class, row)| counts.observe(ClassId(*class), &ids(row)));
            counts
        };
        let whole = count(&data);
        let (mut one, mut other) = (count(&data[..13]), count(&data[13..]));
        let first = one.clone();
        one.merge(&other);
        other.merge(&first);
        for merged in [one, other] {
            assert_eq!(merged.total(), whole.total());
            for class in whole.classes() {
                assert_eq!(merged.class_count(class), whole.class_count(class));
                let row = |counts: &NaiveBayes| {
                    (0..6).map(|at| counts.row(class).get(at).copied().unwrap_or(0)).collect::<Vec<_>>()
                };
                assert_eq!(row(&merged), row(&whole));
            }
        }
    }

    #[test]
    fn nothing_seen_is_nothing_said() {
        let counts = NaiveBayes::new(f64::NAN);
        let mut scores = vec![1.0];
        counts.table(vec![FeatureId(3)]).scores(&[FeatureId(3), FeatureId(9)], &mut scores);
        assert!(scores.is_empty());
        let mut odd = NaiveBayes::new(1.0);
        // Edited by hand: a feature more often there than the class.
        odd.add_class(ClassId(1), 2);
        odd.add_feature(ClassId(1), FeatureId(0), 50);
        odd.table(vec![FeatureId(0)]).scores(&[], &mut scores);
        assert!(scores[1].is_finite() && scores[0] == f64::NEG_INFINITY, "{scores:?}");
    }
}
