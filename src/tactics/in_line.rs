//! Systems that we wrote: the system of games that are won with K stones in a line, for any board: one text with places to fill in.

/// The paper's worked example: Figure 4-3's rules in the position of Figure 4-1.
pub const FIGURE_4_3: &str = include_str!("../../games/figure-4-3.system");

const TEXT: &str = include_str!("../../games/in-line.system");

/// The text of the state-update system of K in a line, with stones that stay where they are put or that fall down.
pub fn in_line_system(
    name: &str,
    players: [&str; 2],
    width: usize,
    height: usize,
    length: usize,
    falling: bool,
) -> String {
    let counts: Vec<String> = (1..=length).map(|count| count.to_string()).collect();
    let successors: Vec<String> = (1..length).map(|count| format!("succ({count},{})", count + 1)).collect();
    let (kept, dropped) = if falling { (";! drop ", ";! put ") } else { (";! put ", ";! drop ") };
    let mut text = String::new();
    for line in TEXT.lines().filter(|line| !line.starts_with(dropped)) {
        let line = line.strip_prefix(kept).unwrap_or(line);
        let filled: Vec<String> = if line.starts_with(';') {
            vec![line.to_owned()]
        } else {
            line.split(' ')
                .map(|word| match word {
                    "NAME" => name.to_owned(),
                    "FIRST" => players[0].to_owned(),
                    "SECOND" => players[1].to_owned(),
                    "WIDTH" => width.to_string(),
                    "HEIGHT" => height.to_string(),
                    "K" => length.to_string(),
                    "COUNTS" => counts.join(" "),
                    "SUCCESSORS" => successors.join(" "),
                    word => word.replace("ALMOST", &length.saturating_sub(1).to_string()),
                })
                .collect()
        };
        text.push_str(&filled.join(" "));
        text.push('\n');
    }
    text
}
