//! Published games that the catalogue does not have, learnt exactly: from all moves, and from the moves played alone.

use super::zoo::{AT_RANDOM, game, play};
use onlooker::game::{RulesGame, check_game};
use onlooker::learn::{Evidence, Options, learn};
use onlooker::observe::Listing;
use std::sync::atomic::AtomicBool;

/// Names and rules, with how many games are enough if all moves are listed, and if single ones are.
const GAMES: [(&str, u64, u64); 11] = [
    (
        r##"game knightthrough
players white black
board
  nnnnnnnn
  nnnnnnnn
  ........
  ........
  ........
  ........
  NNNNNNNN
  NNNNNNNN
zones
  far  rank 8
moves
  N  (1 2 empty) | (1 2 enemy) | (-1 2 empty) | (-1 2 enemy) | (2 1 empty) | (2 1 enemy) | (-2 1 empty) | (-2 1 enemy)
ending
  win when N on far
  win when the next player cannot move
"##,
        60,
        400,
    ),
    (
        r##"game clobber
players white black
board
  pPpPp
  PpPpP
  pPpPp
  PpPpP
  pPpPp
  PpPpP
moves
  P  orthogonal(enemy)
ending
  win when the next player cannot move
"##,
        40,
        300,
    ),
    (
        r##"game ataxx-without-flips
players white black
board
  p.....P
  .......
  .......
  .......
  .......
  .......
  P.....p
moves
  P  put:P any(empty) | leap 0,2(empty) | leap 1,2(empty) | leap 2,2(empty)
ending
  win when neither player can move and the opponent has fewer left
  lose when neither player can move and the opponent has more left
  tie when neither player can move
  win when the next player cannot move
  tie when 120 plies are played
"##,
        60,
        300,
    ),
    (
        r##"game tron
players white black
board
  ......p.
  ........
  ........
  ........
  ........
  ........
  ........
  .P......
moves
  P  put:"*" put:P orthogonal(empty)
ending
  win when the next player cannot move
"##,
        60,
        400,
    ),
    (
        r##"game joust
players white black
board
  ......n.
  ........
  ........
  ........
  ........
  ........
  ........
  .N......
moves
  N  put:"*" put:N leap 1,2(empty)
ending
  win when the next player cannot move
"##,
        60,
        400,
    ),
    (
        r##"game alquerque
players white black
board
  ppppp
  ppppp
  PP.pp
  PPPPP
  PPPPP
zones
  crossings  squares a1 c1 e1 b2 d2 a3 c3 e3 b4 d4 a5 c5 e5
moves
  P  orthogonal(empty) | orthogonal(take:enemy empty)+ | on:crossings (diagonal(empty) | any(take:enemy empty)+)
ending
  win when the next player cannot move
  win when the opponent has 0 left
  tie when 100 plies are played
"##,
        100,
        800,
    ),
    (
        r##"game five-field-kono
players white black
board
  ppppp
  p...p
  .....
  P...P
  PPPPP
zones
  camp  squares a5 b5 c5 d5 e5 a4 e4
moves
  P  diagonal(empty)
ending
  win when 7 P left on camp
  win when the next player cannot move
  tie when 300 plies are played
"##,
        20,
        60,
    ),
    (
        r##"game yavalath
players white black
board
  ......
  ......
  ......
  ......
  ......
  ......
moves
  .  put:X
ending
  win when 4 in line
  lose when 3 in line
  tie when the next player cannot move
"##,
        120,
        800,
    ),
    (
        r##"game halma
players white black
board
  ...ppp
  ....pp
  .....p
  P.....
  PP....
  PPP...
zones
  camp  squares d6 e6 f6 e5 f5 f4
moves
  P  any(empty) | (any(own empty) | any(enemy empty))+
moves of black
  p  any(empty) | (any(own empty) | any(enemy empty))+
ending
  win when 6 P left on camp
  win when the next player cannot move
  tie when 200 plies are played
"##,
        15,
        120,
    ),
    (
        r##"game dodgem
players white black
board
  p...
  p...
  p...
  .PPP
zones
  top    rank 4
  right  file d
moves of white
  P  forward(empty) | sideways(empty) | on:top vanish
moves of black
  p  (1 0 empty) | (0 1 empty) | (0 -1 empty) | on:right vanish
ending
  win when 0 left
  lose when the next player cannot move
  tie when 200 plies are played
"##,
        60,
        400,
    ),
    (
        r##"game fox-and-geese
players fox geese
board
  ##ggg##
  ##ggg##
  ggggggg
  g.....g
  ...F...
  ##...##
  ##...##
moves of fox
  F  any(empty) | any(take:enemy empty)+
moves of geese
  g  forward(empty) | sideways(empty)
ending of fox
  win when the opponent has 4 or fewer left
ending
  win when the next player cannot move
  tie when 150 plies are played
"##,
        60,
        400,
    ),
];

#[test]
fn published_games_are_learnt_exactly() {
    for (text, all, some) in GAMES {
        let game = game(text);
        let name = &game.rules().name;
        for (listing, games) in [(Listing::All, all), (Listing::Some, some)] {
            let mut evidence = Evidence::default();
            play(&game, 0..games, listing, AT_RANDOM, 5).iter().for_each(|game| evidence.observe(game).unwrap());
            let learnt = learn(&evidence, &Options::default(), &AtomicBool::new(false), &|_| {}).unwrap();
            assert!(learnt.is_consistent(), "{name}, {listing:?}: {:?}\n{}", learnt.unexplained, learnt.rules);
            let rules = RulesGame::new(learnt.rules.clone()).unwrap();
            for records in play(&game, 0..20, Listing::All, AT_RANDOM, 77) {
                let report = check_game(&rules, &records, 1, 3);
                assert!(report.holds(), "{name}, {listing:?}: {:?}\n{}", report.mismatches, learnt.rules);
            }
        }
    }
}
