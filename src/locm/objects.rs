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
    /// For each object its place in an action with many, or [`NO_PLACE`].
    pub places: Vec<u8>,
    /// The transitions that came between, as bits.
    pub between: Vec<u64>,
    pub is_open: bool,
}

/// Stands for an object that an action does not have.
const NO_PLACE: u8 = u8::MAX;

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

    /// Notes where the objects of an action with many stand in it, or forgets that again.
    #[inline]
    pub fn place_arguments(&mut self, are_there: bool) {
        if self.arguments.len() > FEW {
            self.places.resize(self.objects.len(), NO_PLACE);
            for (place, &object) in (0..).zip(&self.arguments) {
                self.places[object as usize] = if are_there { place } else { NO_PLACE };
            }
        }
    }

    /// Between traces: forgets all names if there are very many.
    pub fn forget_if_many(&mut self) {
        if self.objects.len() > MOST_NAMES {
            self.numbers.clear();
            self.objects.clear();
            self.places.clear();
        }
    }
}

/// So few objects are looked through one by one.
const FEW: usize = 8;

/// The different objects of the action that is being seen.
#[derive(Clone, Copy)]
pub(super) struct ActionObjects<'a> {
    pub objects: &'a Objects,
    /// For each object its place, if there are many.
    pub places: &'a [u8],
}

impl ActionObjects<'_> {
    /// Where an object stands in the action.
    #[inline]
    pub fn place(&self, object: u32) -> Option<u8> {
        if self.objects.len() <= FEW {
            return self.objects.iter().position(|&other| other == object).map(|place| place as u8);
        }
        self.places.get(object as usize).copied().filter(|&place| place != NO_PLACE)
    }
}

/// The letters with which a name begins, which often tell what kind of object it is: `truck` for `truck12`. A name that
/// is nothing else ends in `=`.
fn stem(name: &str) -> String {
    let end = name.find(|c: char| !c.is_alphabetic() && c != '_' && c != '-');
    let stem = name[..end.unwrap_or(name.len())].trim_end_matches(['_', '-']);
    format!("{stem}{}", if stem == name { "=" } else { "" })
}
