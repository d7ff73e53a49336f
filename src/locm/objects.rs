//! The objects of the trace that is being watched, each with the transitions it has made.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What is known of the objects of the trace that is being watched; room that is used again for the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct TraceObjects {
    /// Names are numbered for longer than a trace, since they mostly come again.
    numbers: FxHashMap<Box<str>, u32>,
    pub objects: Vec<Object>,
    /// The imagined object that takes part in all actions.
    pub zero: Object,
    /// The trace's number, by which objects know whether they have been seen in it.
    pub trace: u64,
    /// The objects seen in this trace.
    pub seen: Vec<u32>,
    pub arguments: Objects,
    /// The transitions that came between, as bits.
    pub between: Vec<u64>,
    pub is_open: bool,
}

/// The different objects of an action, in order.
pub(super) type Objects = SmallVec<[u32; 4]>;

#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    pub trace: u64,
    pub name: Box<str>,
    pub stem: Box<str>,
    /// Its number among those objects of which it is kept which were seen together.
    pub tuple: Option<u32>,
    pub made: Vec<MadeTransition>,
}

/// A transition that was made, and the action's objects when it was made last.
#[derive(Clone, Debug)]
pub(super) struct MadeTransition {
    pub slot: u32,
    pub objects: Objects,
}

/// More names than this are not kept for the next trace.
const MOST_NAMES: usize = 1 << 16;

impl TraceObjects {
    /// A name's number.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.objects.len() as u32;
        self.numbers.insert(name.into(), number);
        self.objects.push(Object { name: name.into(), stem: stem(name).into(), ..Object::default() });
        number
    }

    /// Between traces: forgets all names if there are very many.
    pub fn forget_if_many(&mut self) {
        if self.objects.len() > MOST_NAMES {
            self.numbers.clear();
            self.objects.clear();
        }
    }
}

/// The letters with which a name begins, which often tell what kind of object it is: `truck` for `truck12`. A name that
/// is nothing else ends in `=`.
fn stem(name: &str) -> String {
    let end = name.find(|c: char| !c.is_alphabetic() && c != '_' && c != '-');
    let stem = name[..end.unwrap_or(name.len())].trim_end_matches(['_', '-']);
    format!("{stem}{}", if stem == name { "=" } else { "" })
}
