//! Boards for state-update systems: squares, lines of squares, and how they lie to each other.

/// The four directions of lines.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

fn square(file: i32, rank: i32) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

/// The square that a name means, as file and rank counted from 0.
pub(super) fn place(name: &str) -> Option<(i32, i32)> {
    let file = name.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    let rank: i32 = name[1..].parse().ok().filter(|rank| (1..=26).contains(rank))?;
    Some((i32::from(file), rank - 1))
}

/// All squares, row by row from the bottom.
pub(super) fn squares(width: usize, height: usize) -> Vec<String> {
    (0..height as i32).flat_map(|rank| (0..width as i32).map(move |file| square(file, rank))).collect()
}

/// The square so far away, if it is on the board.
pub(super) fn stepped(width: usize, height: usize, from: &str, by: (i32, i32)) -> Option<String> {
    let (file, rank) = place(from)?;
    let (file, rank) = (file + by.0, rank + by.1);
    ((0..width as i32).contains(&file) && (0..height as i32).contains(&rank)).then(|| square(file, rank))
}

fn line(width: usize, height: usize, from: &str, by: (i32, i32), length: usize) -> Option<Vec<String>> {
    let mut line = vec![from.to_owned()];
    while line.len() < length {
        line.push(stepped(width, height, line.last()?, by)?);
    }
    Some(line)
}

/// All lines of so many squares.
pub(super) fn windows(width: usize, height: usize, length: usize) -> Vec<Vec<String>> {
    let from = squares(width, height);
    let lines = DIRECTIONS.iter().flat_map(|&by| from.iter().map(move |square| (square, by)));
    lines.filter_map(|(square, by)| line(width, height, square, by, length)).collect()
}

/// All lines of 1 to `most` squares; a single square is a run in each direction.
pub(super) fn runs(width: usize, height: usize, most: usize) -> Vec<Vec<String>> {
    let mut runs: Vec<Vec<String>> = squares(width, height).into_iter().map(|square| vec![square]).collect();
    runs.extend((2..=most).flat_map(|length| windows(width, height, length)));
    runs
}

/// The lines that are one square longer, at either end.
pub(super) fn longer(width: usize, height: usize, run: &[String]) -> Vec<Vec<String>> {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return Vec::new() };
    let (Some(from), Some(to)) = (place(first), place(last)) else { return Vec::new() };
    let length = run.len() as i32 - 1;
    let directions: Vec<(i32, i32)> = match length {
        0 => DIRECTIONS.to_vec(),
        _ => vec![((to.0 - from.0) / length, (to.1 - from.1) / length)],
    };
    let mut found = Vec::new();
    for (dx, dy) in directions {
        let after = stepped(width, height, last, (dx, dy));
        found.extend(after.map(|square| run.iter().cloned().chain([square]).collect()));
        let before = stepped(width, height, first, (-dx, -dy));
        found.extend(before.map(|square| [square].into_iter().chain(run.iter().cloned()).collect()));
    }
    found
}

/// What a line is called: its ends.
pub(super) fn line_name(line: &[String]) -> String {
    match line {
        [] => String::new(),
        [only] => format!("{only}-"),
        [first, .., last] => format!("{first}-{last}"),
    }
}

/// How far two squares are apart in files and ranks, the larger number first: the same whichever way the board is turned.
pub(super) fn apart(one: &str, other: &str) -> (i32, i32) {
    let (Some(one), Some(other)) = (place(one), place(other)) else { return (0, 0) };
    let (x, y) = ((one.0 - other.0).abs(), (one.1 - other.1).abs());
    (x.max(y), x.min(y))
}

/// How far a square is from the nearest edges, the smaller number first.
pub(super) fn from_rim(width: usize, height: usize, square: &str) -> (i32, i32) {
    let Some((x, y)) = place(square) else { return (0, 0) };
    let (x, y) = (x.min(width as i32 - 1 - x), y.min(height as i32 - 1 - y));
    (x.min(y), x.max(y))
}

/// The kinds of pieces whose moves are known.
pub(super) const KINDS: [&str; 5] = ["king", "queen", "rook", "bishop", "knight"];

/// A move as an object of its own.
pub(super) struct PieceMove {
    /// Such as `a1-b3`.
    pub name: String,
    pub from: String,
    pub to: String,
    /// The squares between, in order.
    pub passes: Vec<String>,
    /// The kinds of pieces that go so.
    pub kinds: Vec<String>,
}

/// All moves of some kinds of pieces on an empty board.
pub(super) fn moves(width: usize, height: usize, kinds: &[String]) -> Vec<PieceMove> {
    let squares = squares(width, height);
    let mut found = Vec::new();
    for from in &squares {
        for to in squares.iter().filter(|to| *to != from) {
            let distance = apart(from, to);
            let goes = |kind: &&String| match kind.as_str() {
                "king" => distance.0 == 1,
                "queen" => distance.1 == 0 || distance.0 == distance.1,
                "rook" => distance.1 == 0,
                "bishop" => distance.0 == distance.1,
                _ => distance == (2, 1),
            };
            let kinds: Vec<String> = kinds.iter().filter(goes).cloned().collect();
            if kinds.is_empty() {
                continue;
            }
            let passes = if distance == (2, 1) { Vec::new() } else { between(width, height, from, to) };
            found.push(PieceMove { name: format!("{from}-{to}"), from: from.clone(), to: to.clone(), passes, kinds });
        }
    }
    found
}

/// The squares between two squares of a line.
fn between(width: usize, height: usize, from: &str, to: &str) -> Vec<String> {
    let (Some(one), Some(other)) = (place(from), place(to)) else { return Vec::new() };
    let by = ((other.0 - one.0).signum(), (other.1 - one.1).signum());
    let mut squares = Vec::new();
    let mut at = stepped(width, height, from, by);
    while let Some(square) = at.filter(|square| square != to) {
        at = stepped(width, height, &square, by);
        squares.push(square);
    }
    squares
}
