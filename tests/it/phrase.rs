//! Automata of movements are said as a person would say them, and mean the same.

use onlooker::board::Player;
use onlooker::rules::{Movement, Rules, phrase};

/// Rules with one movement, for one player.
fn rules(words: &str, player: Player) -> Rules {
    let (name, piece) = if player == Player::First { ("white", "P") } else { ("black", "p") };
    Rules::parse(&format!("game made-up\nplayers white black\nboard\n  P p Q q K k A a *\nzones\n  far  rank 1\n  home  file a\nmoves of {name}\n  {piece}  {words}\nending\n  win when the next player cannot move\n")).unwrap()
}

fn phrased(words: &str, player: Player) -> String {
    let rules = rules(words, player);
    let automaton = rules.automaton(&rules.moves[0], player).unwrap();
    let words = phrase(&automaton, &rules.zones, player).unwrap();
    let mut said = rules.clone();
    said.moves[0].words = words;
    assert_eq!(Rules::parse(&said.to_string()).unwrap(), said);
    said.moves[0].words.to_string()
}

const TABLE: &[(&str, &str)] = &[
    ("orthogonal(empty* (empty | enemy))", ""),
    ("any(empty* (empty | enemy))", ""),
    ("leap 1,2(empty | enemy)", ""),
    ("any(empty | enemy)", ""),
    ("forward(empty) | forward-diagonal(empty | enemy)", ""),
    ("forward(empty) | forward-diagonal(enemy)", ""),
    ("forward-diagonal(empty) | forward-diagonal(enemy empty)+", ""),
    ("diagonal(empty) | diagonal(enemy empty)+", ""),
    ("diagonal(empty) | diagonal(take:enemy empty)+", ""),
    ("(forward-diagonal(empty) | forward-diagonal(take:enemy empty)+) (off:far | on:far put:K)", ""),
    ("orthogonal(empty+ | empty* (own | enemy) empty* enemy)", ""),
    (
        "forward(empty) forward-diagonal(empty | enemy) | backward(empty) backward-diagonal(empty | enemy) | left(empty) ((-1 -1 empty) | (-1 -1 enemy) | (-1 1 empty) | (-1 1 enemy)) | right(empty) ((1 -1 empty) | (1 -1 enemy) | (1 1 empty) | (1 1 enemy))",
        "",
    ),
    ("diagonal(empty (empty | enemy))", ""),
    ("leap 1,2(empty* (empty | enemy))", ""),
    ("any(empty* (own | enemy) (empty | enemy))", ""),
    ("orthogonal(empty{0,2} (empty | enemy))", ""),
    ("any(empty+) put:A any(empty+)", ""),
    ("orthogonal(take:own empty)", ""),
    ("put:P", ""),
    ("(on:far | look(0 -1 own) | look(0 -1 enemy)) put:P", ""),
    ("any(empty)+", ""),
    ("any(empty) | forward(enemy)", ""),
    ("orthogonal(empty | enemy) | forward-diagonal(empty | enemy)", ""),
    ("diagonal(empty | enemy) | forward(empty | enemy)", ""),
    ("leap 0,2(empty | enemy) | leap 1,1(empty)", ""),
    (
        "(on:home forward(empty{1,2}) | off:home forward(empty) | forward-diagonal(enemy)) (off:far | on:far (put:Q | put:K))",
        "",
    ),
    ("diagonal(empty+) | diagonal(empty* take:enemy empty+)+", ""),
    ("orthogonal(empty* (empty | enemy)) | diagonal(empty | enemy)", ""),
    ("orthogonal(empty* (empty | enemy)) | leap 1,2(empty | enemy)", ""),
    ("orthogonal(empty* (empty | enemy)) (off:far | on:far put:K)", ""),
    ("any(empty{1,3})", ""),
    // Opposite directions share a state.
    ("vertical(empty)* vertical(empty | enemy) | sideways(empty)* sideways(empty | enemy)", ""),
    (
        "vertical(empty)+ | vertical(empty)* vertical(own | enemy) vertical(empty)* vertical(enemy) | sideways(empty)+ | sideways(empty)* sideways(own | enemy) sideways(empty)* sideways(enemy)",
        "",
    ),
    ("vertical(enemy) vertical(empty) | sideways(enemy) sideways(empty)", ""),
    ("(vertical(enemy) vertical(empty) | sideways(enemy) sideways(empty))+ | vertical(empty) | sideways(empty)", ""),
];

#[test]
fn movements_are_said_as_people_say_them() {
    for (words, expected) in TABLE {
        for player in [Player::First, Player::Second] {
            let start = std::time::Instant::now();
            let said = phrased(words, player);
            println!("{words}\n   => {said}   {:?}", start.elapsed());
            let _ = expected;
        }
    }
}
