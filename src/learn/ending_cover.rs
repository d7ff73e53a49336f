//! Which endings, and in which order: the first that holds decides, so an ending may hold where an earlier one has decided.
//!
//! Endings are chosen greedily, the one that is worth most first. What is worth most at first may stand in the way of a
//! shorter list ("exactly three in line lose" before "four in line win"), so the search begins again with each of the
//! best that contradict no game, and takes the list with the shortest description.

/// Final positions, by number.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FinalSet(Vec<u64>);

impl FinalSet {
    pub fn of(numbers: impl IntoIterator<Item = u32>, count: usize) -> FinalSet {
        let mut words = vec![0; count.div_ceil(64)];
        numbers.into_iter().for_each(|number| words[number as usize / 64] |= 1 << (number % 64));
        FinalSet(words)
    }

    fn all(count: usize) -> FinalSet {
        FinalSet::of(0..count as u32, count)
    }

    /// The numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.0).flat_map(|(at, &word)| bits(word).map(move |bit| 64 * at + bit))
    }

    pub fn contains(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 != 0
    }

    fn insert(&mut self, other: &FinalSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    fn remove(&mut self, other: &FinalSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }
}

fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}

/// What an ending says of the final positions.
pub(super) struct Claim {
    /// Those in which it holds and says how the game ended.
    pub right: FinalSet,
    /// Those in which it holds and says something else.
    pub wrong: FinalSet,
    /// How long it takes to say, in nats.
    pub cost: f64,
    /// What it is worth besides the games it explains; this counts once in a list.
    pub bonus: f64,
    /// How many games it must explain to be chosen, if records may be false.
    pub fewest: Option<u64>,
    /// Where it stands if nothing else decides: the lowest first.
    pub place: (usize, bool, Option<usize>, usize),
}

/// The search for a list of endings.
pub(super) struct CoverSearch<'a> {
    pub claims: &'a [Claim],
    /// How many games ended in each final position.
    pub games: &'a [u64],
    /// What it is worth to explain one game, in nats.
    pub gain: f64,
    /// What it costs to contradict one.
    pub conflict: f64,
    /// How much more than its description an ending must be worth where records may be false.
    pub margin: f64,
}

/// So many endings are tried as the first that is chosen, of each place in the order.
const STARTS: usize = 6;

impl CoverSearch<'_> {
    /// The numbers of the endings of the shortest list that was found.
    pub fn cover(&self) -> Vec<usize> {
        let none = FinalSet::of([], self.games.len());
        let mut starts: Vec<(f64, usize)> = (0..self.claims.len())
            .filter(|&claim| self.weight(&self.claims[claim].wrong, &none) == 0)
            .map(|claim| (self.worth(claim, &none), claim))
            .collect();
        // Of equals the first.
        starts.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut taken: Vec<((usize, Option<usize>), usize)> = Vec::new();
        let firsts = starts.into_iter().filter(|&(worth, claim)| {
            let (place, _, verdict, _) = self.claims[claim].place;
            taken.push(((place, verdict), claim));
            worth > 0.0 && taken.iter().filter(|known| known.0 == (place, verdict)).count() <= STARTS
        });
        let firsts: Vec<usize> = firsts.map(|(_, claim)| claim).collect();
        let lists = std::iter::once(Vec::new()).chain(firsts.into_iter().map(|claim| vec![claim]));
        let grown = lists.map(|list| self.without_superfluous(self.grown(list)));
        let best = grown.map(|list| (self.length(&list), list)).reduce(|a, b| if b.0 < a.0 - 1e-9 { b } else { a });
        best.map_or_else(Vec::new, |best| best.1)
    }

    /// Adds endings to a list, the one that is worth most first.
    fn grown(&self, mut list: Vec<usize>) -> Vec<usize> {
        let mut explained = FinalSet::of([], self.games.len());
        list.iter().for_each(|&claim| explained.insert(&self.claims[claim].right));
        loop {
            let has_bonus = list.iter().any(|&claim| self.claims[claim].bonus > 0.0);
            let bonus = |claim: usize| if has_bonus { self.claims[claim].bonus } else { 0.0 };
            let worth = (0..self.claims.len()).map(|claim| (self.worth(claim, &explained) - bonus(claim), claim));
            // Of equals the first.
            let best = worth.reduce(|a, b| if b.0 > a.0 + 1e-9 { b } else { a });
            let Some((_, best)) = best.filter(|best| best.0 > 0.0) else { return list };
            explained.insert(&self.claims[best].right);
            list.push(best);
        }
    }

    /// What an ending is worth beside what is explained already.
    fn worth(&self, claim: usize, explained: &FinalSet) -> f64 {
        let claim = &self.claims[claim];
        let right = self.weight(&claim.right, explained);
        if right == 0 {
            return f64::NEG_INFINITY;
        }
        let wrong = self.weight(&claim.wrong, explained) as f64;
        let worth = right as f64 * self.gain + claim.bonus - claim.cost - wrong * self.conflict;
        // Where records may be false, a few games are more likely to be than to need an ending of their own.
        let enough = claim.fewest.is_none_or(|fewest| right >= fewest && worth > self.margin);
        if enough { worth } else { f64::NEG_INFINITY }
    }

    /// What was chosen first may have become superfluous.
    fn without_superfluous(&self, mut list: Vec<usize>) -> Vec<usize> {
        let mut length = self.length(&list);
        for at in (0..list.len()).rev() {
            let mut shorter = list.clone();
            shorter.remove(at);
            let without = self.length(&shorter);
            if without <= length {
                (list, length) = (shorter, without);
            }
        }
        list
    }

    /// The length of the description of all games by a list, in nats.
    fn length(&self, list: &[usize]) -> f64 {
        let mut list: Vec<&Claim> = list.iter().map(|&claim| &self.claims[claim]).collect();
        list.sort_by_key(|claim| claim.place);
        let mut open = FinalSet::all(self.games.len());
        let mut length = 0.0;
        for at in order(&list, self.games) {
            let claim = list[at];
            let misjudged: u64 = claim.wrong.iter().filter(|&n| open.contains(n)).map(|n| self.games[n as usize]).sum();
            length += claim.cost + misjudged as f64 * self.conflict;
            open.remove(&claim.right);
            open.remove(&claim.wrong);
        }
        let bonus = list.iter().map(|claim| claim.bonus).fold(0.0, f64::max);
        length - bonus + open.iter().map(|number| self.games[number as usize]).sum::<u64>() as f64 * self.gain
    }

    /// How many games ended in positions of a set but not of the other.
    fn weight(&self, set: &FinalSet, but: &FinalSet) -> u64 {
        weight(set.0.iter().zip(&but.0).map(|(word, but)| word & !but), self.games)
    }
}

fn weight(words: impl Iterator<Item = u64>, games: &[u64]) -> u64 {
    (0..).zip(words).flat_map(|(at, word)| bits(word).map(move |bit| games[64 * at + bit as usize])).sum()
}

/// The order in which the fewest games are decided in another way than they ended by an ending that comes too early; of
/// equals the first comes first.
pub(super) fn order(claims: &[&Claim], games: &[u64]) -> Vec<usize> {
    let mut decided = FinalSet::of([], games.len());
    let mut left: Vec<usize> = (0..claims.len()).collect();
    let mut order = Vec::with_capacity(claims.len());
    while !left.is_empty() {
        let conflicts = |&at: &usize| {
            let mut others = FinalSet::of([], games.len());
            left.iter().filter(|&&other| other != at).for_each(|&other| others.insert(&claims[other].right));
            let words = claims[at].wrong.0.iter().zip(&others.0).zip(&decided.0);
            weight(words.map(|((wrong, others), decided)| wrong & others & !decided), games)
        };
        let next = (0..left.len()).min_by_key(|&next| conflicts(&left[next])).unwrap_or(0);
        let next = left.remove(next);
        decided.insert(&claims[next].right);
        decided.insert(&claims[next].wrong);
        order.push(next);
    }
    order
}
