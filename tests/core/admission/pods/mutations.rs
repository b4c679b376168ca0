//! Mutations of valid objects: fields and items go, come twice, or get values that others of their place or of their type have.
//!
//! Docs: Jobs, "Writing a Job spec". Values keep their type, so that what is wrong with them is for admission to find, and not for decoding.

use std::collections::BTreeMap;

use cluster::rng::Rng;
use serde_json::{Value, json};

/// Words that some field takes, and words that hardly one does.
const WORDS: &str = r#"["","Other","a b","A","a/b","../a","a/../b","/a","-a","a..b","a.b","1","0","-1","70000","a=b","é","a:b","example.com/a","10.0.0.1","::1",
    "1.2.3","metadata.name","spec.nodeName","status.hostIP","metadata.labels['a b']","metadata.annotations['a']","limits.cpu",
    "requests.memory","limits.hugepages-2Mi","In","NotIn","Exists","DoesNotExist","Gt","Lt","Equal","Always","Never","OnFailure",
    "IfNotPresent","NoExecute","NoSchedule","PreferNoSchedule","Localhost","Unconfined","RuntimeDefault","Bidirectional","HostToContainer",
    "Memory","HugePages-1Gi","HugePages","Socket","File","Directory","Block","ReadWriteMany","ReadWriteOncePod","windows","linux","HTTP",
    "TCP","SCTP","Honor","Ignore","DoNotSchedule","ScheduleAnyway","ClusterFirst","Default","None","Unmasked","Enabled","RestartContainer",
    "PreemptLowerPriority","Recursive","Strict","Merge","main","work","metadata.uid","X-Probe ","$(X)"]"#;
/// Objects whose fields can have any names.
const MAPS: [&str; 9] =
    ["/labels", "/annotations", "/matchLabels", "/nodeSelector", "/limits", "/requests", "/overhead", "/options", "/volumeAttributes"];
const NUMBERS: [i64; 14] = [0, 1, -1, 2, 4, 100, 101, 511, 512, 600, 65_535, 65_536, 100_000, i32::MAX as i64];
/// Lengths around what names, labels, subdomains and paths may have.
const LENGTHS: [usize; 9] = [15, 16, 52, 63, 64, 253, 254, 1025, 4097];

/// The place of a value: its path without numbers. Init containers are like others.
type Place = String;

/// What values are found where in valid templates.
pub(super) struct Mutations {
    values: BTreeMap<Place, Vec<Value>>,
    words: Vec<String>,
}

impl Mutations {
    /// Learns from valid templates of pods.
    pub(super) fn of(templates: &[Value]) -> Self {
        let mut values = BTreeMap::new();
        for template in templates {
            collect("template", template, &mut values);
        }
        Self { values, words: serde_json::from_str(WORDS).expect("it is a list of words") }
    }

    /// Changes the spec of an object in one to three places.
    pub(super) fn apply(&self, spec: &mut Value, dice: &mut Rng) {
        let times = [1, 1, 1, 1, 1, 1, 2, 2, 2, 3];
        for _ in 0..*dice.pick(&times) {
            let mut pointers = Vec::new();
            list(spec, "", &mut pointers);
            if !pointers.is_empty() {
                let pointer = dice.place(pointers.len());
                self.mutate(spec, &pointers[pointer], dice);
            }
        }
    }

    fn mutate(&self, spec: &mut Value, pointer: &str, dice: &mut Rng) {
        match dice.below(9) {
            0 => remove(spec, pointer),
            8 => self.rename(spec, pointer, dice),
            1 => duplicate(spec, pointer, dice),
            2 | 3 => self.add(spec, pointer, dice),
            4 => {
                let Some(values) = self.values.get(&place(pointer)) else { return };
                put(spec, pointer, dice.pick(values).clone());
            }
            _ => {
                let borrowed = borrowed(spec, dice);
                if let Some(value) = spec.pointer_mut(pointer) {
                    self.change(value, borrowed, dice);
                }
            }
        }
    }

    /// Gives a value of a map, such as labels or limits, another key.
    fn rename(&self, spec: &mut Value, pointer: &str, dice: &mut Rng) {
        let Some((map, key)) = pointer.rsplit_once('/').filter(|(map, _)| MAPS.iter().any(|name| map.ends_with(name))) else { return };
        if let Some(Value::Object(fields)) = spec.pointer_mut(map)
            && let Some(value) = fields.remove(&unescaped(key))
        {
            fields.insert(dice.pick(&self.words).clone(), value);
        }
    }

    /// Gives an object a field that another of its place has.
    fn add(&self, spec: &mut Value, pointer: &str, dice: &mut Rng) {
        let mut holder = pointer;
        while !spec.pointer(holder).is_some_and(Value::is_object) {
            let Some((above, _)) = holder.rsplit_once('/') else { return };
            holder = above;
        }
        let above = place(holder);
        let within = |place: &&Place| place.rsplit_once('/').is_some_and(|(parent, field)| parent == above && !field.is_empty());
        let fields: Vec<&Place> = self.values.keys().filter(within).collect();
        if fields.is_empty() {
            return;
        }
        let field = *dice.pick(&fields);
        let value = dice.pick(&self.values[field]).clone();
        put(spec, &format!("{holder}/{}", field.rsplit('/').next().unwrap_or_default()), value);
    }

    /// Makes another value of the same type of one.
    fn change(&self, value: &mut Value, borrowed: Option<Value>, dice: &mut Rng) {
        let word = dice.pick(&self.words);
        *value = match &*value {
            Value::String(text) => match (dice.below(6), borrowed) {
                (0, Some(borrowed)) => borrowed,
                (1, _) => json!("a".repeat(*dice.pick(&LENGTHS))),
                (2, _) => json!(format!("{text}{word}")),
                _ => json!(word),
            },
            Value::Number(number) => match (dice.below(3), number.as_i64()) {
                (0, Some(number)) => json!(-number),
                _ => json!(dice.pick(&NUMBERS)),
            },
            Value::Bool(truth) => json!(!truth),
            Value::Array(_) => json!([]),
            Value::Object(_) => json!({}),
            Value::Null => Value::Null,
        };
    }
}

/// Notes each value of a template at its place.
fn collect(place: &str, value: &Value, values: &mut BTreeMap<Place, Vec<Value>>) {
    let known = values.entry(place.replace("initContainers", "containers")).or_default();
    if !known.contains(value) {
        known.push(value.clone());
    }
    match value {
        Value::Object(fields) => fields.iter().for_each(|(field, value)| collect(&format!("{place}/{}", escaped(field)), value, values)),
        Value::Array(items) => items.iter().for_each(|item| collect(&format!("{place}/"), item, values)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

/// The place of a value in a spec of a Job or CronJob, as in a template.
fn place(pointer: &str) -> Place {
    let steps = pointer.split('/').skip_while(|step| *step != "template");
    let steps: Vec<&str> = steps.map(|step| if step.parse::<usize>().is_ok() { "" } else { step }).collect();
    steps.join("/").replace("initContainers", "containers")
}

/// The pointers to all values below one.
fn list(value: &Value, pointer: &str, pointers: &mut Vec<String>) {
    let mut below = |step: &str, value: &Value| {
        let pointer = format!("{pointer}/{step}");
        list(value, &pointer, pointers);
        pointers.push(pointer);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(field, value)| below(&escaped(field), value)),
        Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| below(&at.to_string(), item)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

fn escaped(field: &str) -> String {
    field.replace('~', "~0").replace('/', "~1")
}

fn remove(spec: &mut Value, pointer: &str) {
    let Some((above, step)) = pointer.rsplit_once('/') else { return };
    match spec.pointer_mut(above) {
        Some(Value::Object(fields)) => drop(fields.remove(&unescaped(step))),
        Some(Value::Array(items)) => drop(items.remove(step.parse().expect("items are numbered"))),
        _ => (),
    }
}

/// Sets a value that is there, or a field of an object that is.
fn put(spec: &mut Value, pointer: &str, value: Value) {
    let Some((above, step)) = pointer.rsplit_once('/') else { return };
    match spec.pointer_mut(above) {
        Some(Value::Object(fields)) => drop(fields.insert(unescaped(step), value)),
        Some(Value::Array(items)) => items[step.parse::<usize>().expect("items are numbered")] = value,
        _ => (),
    }
}

fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// Doubles an item of the list that a value is in.
fn duplicate(spec: &mut Value, pointer: &str, dice: &mut Rng) {
    let mut list = pointer;
    while !spec.pointer(list).is_some_and(Value::is_array) {
        let Some((above, _)) = list.rsplit_once('/') else { return };
        list = above;
    }
    if let Some(Value::Array(items)) = spec.pointer_mut(list)
        && !items.is_empty()
    {
        items.push(dice.pick(items).clone());
    }
}

/// A word of the object itself, if chance finds one.
fn borrowed(spec: &Value, dice: &mut Rng) -> Option<Value> {
    let mut pointers = vec![String::new()];
    list(spec, "", &mut pointers);
    let pointer = &*pointers[dice.place(pointers.len())];
    spec.pointer(pointer).filter(|value| value.is_string()).cloned()
}
