//! Strongly connected components (SCCs).

/// The groups of nodes that can reach each other, each after all those it leads to (Tarjan 1972, without recursion).
pub(super) fn components<'a>(count: usize, leads_to: impl Fn(usize) -> &'a [u32]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut number = vec![UNSEEN; count];
    let mut low = vec![0; count];
    let mut on_stack = vec![false; count];
    let (mut stack, mut groups, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..count {
        if number[root] != UNSEEN {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            if *edge == 0 {
                number[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&target) = leads_to(node).get(*edge) {
                *edge += 1;
                let target = target as usize;
                if number[target] == UNSEEN {
                    path.push((target, 0));
                } else if on_stack[target] {
                    low[node] = low[node].min(number[target]);
                }
                continue;
            }
            // A node without edges comes here at once, with its edge still 0.
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == number[node] {
                let begin = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                let group = stack.split_off(begin);
                group.iter().for_each(|&member| on_stack[member] = false);
                groups.push(group);
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_come_after_what_they_lead_to() {
        let edges: [&[u32]; 6] = [&[1], &[2, 3], &[1], &[], &[0, 4], &[5]];
        let mut groups = components(edges.len(), |node| edges[node]);
        groups.iter_mut().for_each(|group| group.sort_unstable());
        assert_eq!(groups, [vec![3], vec![1, 2], vec![0], vec![4], vec![5]]);
        // Far deeper than a stack would hold.
        let chain: Vec<[u32; 1]> = (1..=1_000_000).map(|next| [next % 1_000_000]).collect();
        assert_eq!(components(chain.len(), |node| &chain[node]).len(), 1);
    }
}
