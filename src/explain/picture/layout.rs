//! Where the states and edges of a graph are drawn: layers from left to right.
//!
//! Layers of states and layers of labels take turns. An edge keeps its height within a layer and changes it only in the
//! gaps between two, so no edge and no label ever lies on a state or on another label.

use crate::export::graph::{AutomatonGraph, MOST_LINES};

/// A circle's radius.
pub(crate) const RADIUS: f64 = 14.0;
/// How high a line of text is.
pub(crate) const LINE: f64 = 14.0;
/// How far a loop rises above its state.
pub(crate) const LOOP: f64 = 18.0;
/// The width of the gaps in which edges change their height.
const GAP: f64 = 34.0;
/// What is left free between two things in a layer.
const SPACE: f64 = 12.0;

/// A place on the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
}

/// A drawing's places.
#[derive(Clone, Debug)]
pub(crate) struct GraphLayout {
    pub width: f64,
    pub height: f64,
    /// The middle of each state.
    pub states: Vec<Point>,
    /// From where to where each state's layer reaches; edges keep their height in it.
    pub spans: Vec<(f64, f64)>,
    /// For each edge of the graph, its track from left to right, and the middle of its label.
    pub edges: Vec<Track>,
}

/// How an edge runs.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    /// Level stretches from left to right, each from one x to another at a height.
    pub stretches: Vec<(f64, f64, f64)>,
    pub label: Point,
    /// Whether it goes from right to left.
    pub backward: bool,
}

/// A state, or a place where an edge crosses a layer.
#[derive(Clone, Debug)]
struct LayoutNode {
    layer: usize,
    /// What is taken above and below its height.
    up: f64,
    down: f64,
    width: f64,
    left: Vec<usize>,
    right: Vec<usize>,
    y: f64,
}

/// About how wide a text is.
pub(crate) fn text_width(text: &str) -> f64 {
    text.chars().map(|c| if c.is_ascii() { 6.4 } else { 10.5 }).sum()
}

/// The size of an edge's label.
pub(crate) fn label_size(lines: &[crate::export::graph::Line]) -> (f64, f64) {
    let shown = lines.iter().take(MOST_LINES);
    let width = shown.map(|line| text_width(&line.text)).fold(0.0, f64::max);
    (width + 10.0, lines.len().min(MOST_LINES) as f64 * LINE)
}

/// Half the width and half the height of a state.
pub(crate) fn half_size(graph: &AutomatonGraph, state: usize) -> (f64, f64) {
    let Some(lines) = graph.titles.get(state) else { return (RADIUS, RADIUS) };
    let width = lines.iter().map(|line| text_width(line)).fold(0.0, f64::max);
    (width / 2.0 + 14.0, lines.len() as f64 * LINE / 2.0 + 8.0)
}

/// Lays a graph out; the same graph always in the same way.
pub(crate) fn layout(graph: &AutomatonGraph) -> GraphLayout {
    let layers = layers(graph);
    let mut nodes: Vec<LayoutNode> = (0..graph.accepting.len())
        .map(|state| {
            let own = graph.edges.iter().find(|edge| edge.from == state && edge.to == state);
            let (width, height) = own.map_or((0.0, 0.0), |edge| label_size(&edge.label));
            let above = if own.is_some() { LOOP + height + 2.0 } else { 0.0 };
            let (half_width, half_height) = half_size(graph, state);
            let width = width.max(2.0 * half_width);
            LayoutNode {
                layer: 2 * layers[state],
                up: half_height + above,
                down: half_height,
                width,
                left: vec![],
                right: vec![],
                y: 0.0,
            }
        })
        .collect();
    // For each edge its nodes from left to right, the states at its ends included.
    let mut chains: Vec<Vec<usize>> = Vec::new();
    for edge in &graph.edges {
        let (first, last) =
            if layers[edge.from] <= layers[edge.to] { (edge.from, edge.to) } else { (edge.to, edge.from) };
        let mut chain = vec![first];
        if first != last {
            let (from, to) = (nodes[first].layer + 1, nodes[last].layer);
            let middle = label_layer(from, to);
            for layer in from..to {
                let (width, height) = if layer == middle { label_size(&edge.label) } else { (0.0, 4.0) };
                let half = height / 2.0;
                nodes.push(LayoutNode { layer, up: half, down: half, width, left: vec![], right: vec![], y: 0.0 });
                chain.push(nodes.len() - 1);
            }
            chain.push(last);
            for pair in chain.windows(2) {
                nodes[pair[0]].right.push(pair[1]);
                nodes[pair[1]].left.push(pair[0]);
            }
        }
        chains.push(chain);
    }
    let order = ordered(&nodes);
    place(&mut nodes, &order);
    finish(graph, &layers, &nodes, &order, &chains)
}

/// The layer of labels in the middle of those that an edge crosses.
fn label_layer(from: usize, to: usize) -> usize {
    let middle = (from + to - 1) / 2;
    if middle % 2 == 1 { middle } else { middle - 1 }
}

/// Each state's layer: the longest way to it, edges that lead back left out; no edge stays within a layer.
fn layers(graph: &AutomatonGraph) -> Vec<usize> {
    // Edges to states nearer to the start lead back: that keeps what is alike at the same place. In the rare case that
    // an edge would stay within a layer, it is enough that loops are broken.
    let near = distances(graph);
    let by_distance = longest(graph, |from, to| near[to] < near[from]);
    let flat = graph.edges.iter().any(|edge| edge.from != edge.to && by_distance[edge.from] == by_distance[edge.to]);
    if flat { longest(graph, |_, _| false) } else { by_distance }
}

/// How many edges lead from the start to each state.
fn distances(graph: &AutomatonGraph) -> Vec<usize> {
    let mut distance = vec![usize::MAX; graph.accepting.len()];
    distance[0] = 0;
    let mut open = std::collections::VecDeque::from([0]);
    while let Some(state) = open.pop_front() {
        for edge in graph.edges.iter().filter(|edge| edge.from == state) {
            if distance[edge.to] == usize::MAX {
                distance[edge.to] = distance[state] + 1;
                open.push_back(edge.to);
            }
        }
    }
    distance
}

/// The longest way to each state without the edges that lead back, and without those that close a loop all the same.
fn longest(graph: &AutomatonGraph, leads_back: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let count = graph.accepting.len();
    let targets = |state: usize| {
        graph
            .edges
            .iter()
            .filter(move |edge| edge.from == state)
            .map(|edge| edge.to)
            .filter(|&to| !leads_back(state, to))
            .collect::<Vec<_>>()
    };
    // Depth first, the states in the order in which they are left for good.
    let (mut entered, mut done) = (vec![false; count], vec![false; count]);
    let mut back = Vec::new();
    let mut finished = Vec::new();
    for root in 0..count {
        let mut stack = vec![(root, 0)];
        if std::mem::replace(&mut entered[root], true) {
            continue;
        }
        while let Some((state, next)) = stack.pop() {
            match targets(state).get(next) {
                None => {
                    done[state] = true;
                    finished.push(state);
                }
                Some(&to) => {
                    stack.push((state, next + 1));
                    if !entered[to] {
                        entered[to] = true;
                        stack.push((to, 0));
                    } else if !done[to] {
                        back.push((state, to));
                    }
                }
            }
        }
    }
    let mut layer = vec![0; count];
    for &state in finished.iter().rev() {
        for to in targets(state).into_iter().filter(|&to| !back.contains(&(state, to))) {
            layer[to] = layer[to].max(layer[state] + 1);
        }
    }
    layer
}

/// The nodes of each layer from top to bottom, with few crossings.
fn ordered(nodes: &[LayoutNode]) -> Vec<Vec<usize>> {
    const SWEEPS: usize = 24;
    let count = nodes.iter().map(|node| node.layer + 1).max().unwrap_or(0);
    let mut order: Vec<Vec<usize>> = vec![Vec::new(); count];
    (0..nodes.len()).for_each(|node| order[nodes[node].layer].push(node));
    let mut best = (crossings(nodes, &order), order.clone());
    for sweep in 0..SWEEPS {
        let mut rank = vec![0.0; nodes.len()];
        let rightward = sweep % 2 == 0;
        let layers: Vec<usize> = if rightward { (0..count).collect() } else { (0..count).rev().collect() };
        for layer in layers {
            order[layer].iter().enumerate().for_each(|(i, &node)| rank[node] = i as f64);
            let mean = |node: usize, rank: &[f64]| {
                let beside = if rightward { &nodes[node].left } else { &nodes[node].right };
                if beside.is_empty() {
                    rank[node]
                } else {
                    beside.iter().map(|&n| rank[n]).sum::<f64>() / beside.len() as f64
                }
            };
            let mut sorted: Vec<(f64, usize)> = order[layer].iter().map(|&node| (mean(node, &rank), node)).collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
            order[layer] = sorted.into_iter().map(|(_, node)| node).collect();
            order[layer].iter().enumerate().for_each(|(i, &node)| rank[node] = i as f64);
        }
        let found = crossings(nodes, &order);
        if found < best.0 {
            best = (found, order.clone());
        }
    }
    best.1
}

fn crossings(nodes: &[LayoutNode], order: &[Vec<usize>]) -> usize {
    let mut rank = vec![0; nodes.len()];
    order.iter().for_each(|layer| layer.iter().enumerate().for_each(|(i, &node)| rank[node] = i));
    let mut count = 0;
    for layer in order {
        let edges: Vec<(usize, usize)> =
            layer.iter().flat_map(|&node| nodes[node].right.iter().map(move |&to| (node, to))).collect();
        for (i, a) in edges.iter().enumerate() {
            for b in &edges[..i] {
                let (left, right) = (rank[a.0].cmp(&rank[b.0]), rank[a.1].cmp(&rank[b.1]));
                count += usize::from(left != right && left.is_ne() && right.is_ne());
            }
        }
    }
    count
}

/// Gives every node its height: near its neighbours, and away from the others of its layer.
fn place(nodes: &mut [LayoutNode], order: &[Vec<usize>]) {
    const PASSES: usize = 40;
    for layer in order {
        let mut y = 0.0;
        for &node in layer {
            nodes[node].y = y + nodes[node].up;
            y += nodes[node].up + nodes[node].down + SPACE;
        }
        layer.iter().for_each(|&node| nodes[node].y -= y / 2.0);
    }
    for pass in 0..PASSES {
        let layers: Vec<usize> =
            if pass % 2 == 0 { (0..order.len()).collect() } else { (0..order.len()).rev().collect() };
        for layer in layers {
            let wanted: Vec<f64> = order[layer]
                .iter()
                .map(|&node| {
                    let beside = || nodes[node].left.iter().chain(&nodes[node].right);
                    let count = beside().count();
                    if count == 0 { nodes[node].y } else { beside().map(|&n| nodes[n].y).sum::<f64>() / count as f64 }
                })
                .collect();
            let heights = apart(&order[layer], nodes, &wanted);
            order[layer].iter().zip(heights).for_each(|(&node, y)| nodes[node].y = y);
        }
    }
}

/// The heights nearest to those wanted that keep the order and the distances: neighbours that would come too near are
/// moved together, as a block, to the mean of what they want.
fn apart(layer: &[usize], nodes: &[LayoutNode], wanted: &[f64]) -> Vec<f64> {
    let mut offset = vec![0.0; layer.len()];
    for i in 1..layer.len() {
        offset[i] = offset[i - 1] + nodes[layer[i - 1]].down + SPACE + nodes[layer[i]].up;
    }
    // Blocks as (sum, count).
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for i in 0..layer.len() {
        blocks.push((wanted[i] - offset[i], 1));
        while let [.., (a, n), (b, m)] = blocks[..]
            && a / n as f64 > b / m as f64
        {
            blocks.pop();
            if let Some(last) = blocks.last_mut() {
                *last = (a + b, n + m);
            }
        }
    }
    let heights = blocks.iter().flat_map(|&(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    heights.zip(offset).map(|(y, offset)| y + offset).collect()
}

fn finish(
    graph: &AutomatonGraph,
    layers: &[usize],
    nodes: &[LayoutNode],
    order: &[Vec<usize>],
    chains: &[Vec<usize>],
) -> GraphLayout {
    let widths: Vec<f64> =
        order.iter().map(|layer| layer.iter().map(|&node| nodes[node].width).fold(0.0, f64::max)).collect();
    const MARGIN: f64 = 8.0;
    // Room for the arrow that leads to the start.
    let mut x = MARGIN + 26.0;
    let spans: Vec<(f64, f64)> = widths
        .iter()
        .map(|width| {
            let span = (x, x + width);
            x += width + GAP;
            span
        })
        .collect();
    let top = nodes.iter().map(|node| node.y - node.up).fold(f64::INFINITY, f64::min) - MARGIN;
    let bottom = nodes.iter().map(|node| node.y + node.down).fold(f64::NEG_INFINITY, f64::max) + MARGIN;
    let middle = |node: usize| {
        let (from, to) = spans[nodes[node].layer];
        Point { x: (from + to) / 2.0, y: nodes[node].y - top }
    };
    let states: Vec<Point> = (0..graph.accepting.len()).map(middle).collect();
    let own_spans = (0..states.len()).map(|state| spans[nodes[state].layer]).collect();
    let edges = graph.edges.iter().zip(chains).map(|(edge, chain)| {
        let backward = layers[edge.from] > layers[edge.to];
        if chain.len() == 1 {
            let at = states[edge.from];
            let (_, height) = label_size(&edge.label);
            return Track {
                stretches: vec![],
                label: Point { x: at.x, y: at.y - half_size(graph, edge.from).1 - LOOP - height / 2.0 },
                backward,
            };
        }
        let inner = &chain[1..chain.len() - 1];
        let stretches =
            inner.iter().map(|&node| (spans[nodes[node].layer].0, spans[nodes[node].layer].1, middle(node).y));
        let from = nodes[chain[0]].layer + 1;
        let labelled = label_layer(from, from + inner.len()) - from;
        Track { stretches: stretches.collect(), label: middle(inner[labelled]), backward }
    });
    GraphLayout { width: x - GAP + MARGIN, height: bottom - top, edges: edges.collect(), spans: own_spans, states }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Player;
    use crate::game::{CATALOGUE, catalogue_game};

    #[test]
    fn nothing_lies_on_anything_else() {
        for (name, _) in CATALOGUE {
            let game = catalogue_game(name).unwrap();
            for movement in &game.rules().moves {
                let player = if movement.side.is_for(Player::First) { Player::First } else { Player::Second };
                let graph = AutomatonGraph::new(game.rules(), &game.rules().automaton(movement, player).unwrap());
                let layout = layout(&graph);
                let mut boxes: Vec<(f64, f64, f64, f64)> =
                    layout.states.iter().map(|p| (p.x - RADIUS, p.y - RADIUS, p.x + RADIUS, p.y + RADIUS)).collect();
                for (edge, track) in graph.edges.iter().zip(&layout.edges) {
                    let (width, height) = label_size(&edge.label);
                    let Point { x, y } = track.label;
                    boxes.push((x - width / 2.0, y - height / 2.0, x + width / 2.0, y + height / 2.0));
                }
                for (i, a) in boxes.iter().enumerate() {
                    assert!(a.0 >= 0.0 && a.1 >= 0.0 && a.2 <= layout.width && a.3 <= layout.height, "{name} {a:?}");
                    for b in &boxes[..i] {
                        assert!(a.0 >= b.2 || b.0 >= a.2 || a.1 >= b.3 || b.1 >= a.3, "{name}: {a:?} {b:?}");
                    }
                }
            }
        }
    }
}
