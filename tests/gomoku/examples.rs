//! Fifteen games that somebody loses, one for each combination, on a board of 15 x 15. The loser's other moves lie far away.

/// A name, and the moves, the first by x.
pub const EXAMPLES: [(&str, &str); 15] = [
    ("open-three", "h8 a1 i8 c1 j8 e1 k8 l8 g8"),
    ("open-three-upright", "h8 a1 h9 c1 h10 e1 h11 h12 h7"),
    ("open-three-oblique", "h8 a1 i9 c1 j10 e1 k11 l12 g7"),
    ("split-three", "h8 a1 i8 c1 k8 e1 j8 l8 g8"),
    ("closed-four", "h8 g8 i8 a1 j8 c1 k8 e1 l8"),
    ("split-four", "h8 g8 i8 a1 k8 c1 l8 e1 j8"),
    ("four-three", "h8 g8 i8 a1 j8 c1 k9 e1 k10 g1 k8 l8 k11 k12 k7"),
    ("four-three-oblique", "h8 g8 i8 a1 j8 c1 l9 e1 m10 g1 k8 l8 n11 o12 j7"),
    ("double-four", "h8 g8 i8 a1 j8 c1 k5 k4 k6 e1 k7 g1 k8 l8 k9"),
    ("double-four-oblique", "h8 g8 i8 a1 j8 c1 l9 o12 m10 e1 n11 g1 k8 l8 j7"),
    ("double-three", "h8 a1 i8 o15 j9 a15 j10 o1 j8 h1 k8 l8 g8"),
    ("double-three-oblique", "h8 a1 i8 o15 k9 a15 l10 o1 j8 h1 k8 l8 g8"),
    ("split-four-upright", "h8 a1 h9 c1 h11 e1 h12 g1 h10"),
    ("split-three-oblique", "h8 a1 i9 c1 k11 e1 j10 l12 g7"),
    ("double-four-in-one-line", "f8 a1 h8 c1 l8 e1 j8 g1 i8 g8 k8"),
];
