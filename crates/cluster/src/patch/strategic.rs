//! Strategic merge patch: as a JSON merge patch, but some lists are merged by a key and patches may hold directives.
//!
//! Docs: Update API Objects in Place Using kubectl patch, "Notes on the strategic merge patch". Plain merging is in `merge.rs`.

use schema::{ListPatch, SchemaField, SchemaType};
use serde_json::{Map, Value};

/// Why a strategic merge patch cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PatchError {
    /// An element of a list that is merged by key lacks the key.
    #[error("{element} does not contain declared merge key: {key}")]
    NoKey { element: Value, key: &'static str },
    /// A `$patch` directive that does not exist.
    #[error("unknown patch type: {0}")]
    Directive(String),
    /// A list holds another kind of value than its field does.
    #[error("{field} must be a list of {wanted}")]
    Element { field: String, wanted: &'static str },
}

const DIRECTIVE: &str = "$patch";
const TAKEN_AWAY: &str = "$deleteFromPrimitiveList/";
const ORDER: &str = "$setElementOrder/";
const RETAINED: &str = "$retainKeys";

/// Applies a strategic merge patch to the fields of an object of a type; `None` is a map with any keys.
///
/// # Errors
/// If the patch holds what no field of that name can hold; the fields may then be changed in part.
pub(crate) fn strategic(of: Option<&SchemaType>, target: &mut Map<String, Value>, mut patch: Map<String, Value>) -> Result<(), PatchError> {
    match directive(&patch)?.as_deref() {
        None => {}
        Some("delete") => {
            target.clear();
            return Ok(());
        }
        Some("replace") => {
            patch.remove(DIRECTIVE);
            *target = patch;
            return Ok(());
        }
        Some(other) => return Err(PatchError::Directive(other.to_owned())),
    }
    if let Some(Value::Array(retained)) = patch.get(RETAINED) {
        target.retain(|field, _| retained.iter().any(|name| name == field));
    }
    for (field, change) in &patch {
        let (Some(field), Value::Array(gone)) = (field.strip_prefix(TAKEN_AWAY), change) else { continue };
        if let Some(Value::Array(held)) = target.get_mut(field) {
            held.retain(|element| !gone.contains(element));
        }
    }
    let (orders, changes): (Map<String, Value>, Map<String, Value>) = patch.into_iter().partition(|(field, _)| field.starts_with(ORDER));
    for (field, change) in changes {
        if field.starts_with(TAKEN_AWAY) || field == RETAINED {
            continue;
        }
        let order = orders.get(&format!("{ORDER}{field}")).and_then(Value::as_array);
        change_field(of.and_then(|of| of.field(&field)), target, field, change, order)?;
    }
    Ok(())
}

fn change_field(
    known: Option<&SchemaField>,
    target: &mut Map<String, Value>,
    field: String,
    change: Value,
    order: Option<&Vec<Value>>,
) -> Result<(), PatchError> {
    let of = known.and_then(|known| known.kind.object());
    match change {
        Value::Null => {
            target.remove(&field);
        }
        // A directive is about what is there already.
        Value::Object(changes) if !target.contains_key(&field) && changes.contains_key(DIRECTIVE) => {}
        Value::Object(changes) => {
            let held = target.entry(field).or_insert_with(|| Value::Object(Map::new()));
            if !held.is_object() {
                *held = Value::Object(Map::new());
            }
            let held = held.as_object_mut().expect("what is no object was replaced by one");
            strategic(of, held, changes)?;
        }
        Value::Array(elements) => {
            let Some(Value::Array(held)) = target.remove(&field) else {
                // There is nothing to merge with.
                let elements = elements.into_iter().filter(|element| element.get(DIRECTIVE).is_none());
                target.insert(field, elements.collect());
                return Ok(());
            };
            let merged = match known.map_or(ListPatch::Replaced, |known| known.patched) {
                ListPatch::Replaced => elements,
                ListPatch::Set => merged_set(&field, held, elements, order)?,
                ListPatch::Merged(key) => merged_list(of, &field, key, held, elements, order)?,
            };
            target.insert(field, Value::Array(merged));
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            target.insert(field, change);
        }
    }
    Ok(())
}

fn merged_set(field: &str, held: Vec<Value>, elements: Vec<Value>, order: Option<&Vec<Value>>) -> Result<Vec<Value>, PatchError> {
    if !elements.iter().all(Value::is_string) {
        return Err(PatchError::Element { field: field.to_owned(), wanted: "texts" });
    }
    let mut merged = held.clone();
    for element in &elements {
        if !merged.contains(element) {
            merged.push(element.clone());
        }
    }
    let wanted = order.unwrap_or(&elements).clone();
    Ok(ordered(merged, &wanted, &held, |element| element))
}

fn merged_list(
    of: Option<&SchemaType>,
    field: &str,
    key: &'static str,
    held: Vec<Value>,
    elements: Vec<Value>,
    order: Option<&Vec<Value>>,
) -> Result<Vec<Value>, PatchError> {
    let mut changes = Vec::with_capacity(elements.len());
    for element in elements {
        let Value::Object(element) = element else { return Err(PatchError::Element { field: field.to_owned(), wanted: "objects" }) };
        changes.push(element);
    }
    let replaced = changes.iter().any(|change| change.get(DIRECTIVE).is_some_and(|word| word == "replace"));
    let mut merged = if replaced { Vec::new() } else { held };
    let before: Vec<Value> = merged.iter().map(|element| element[key].clone()).collect();
    let mut named = Vec::new();
    for change in changes {
        let word = directive(&change)?;
        if word.as_deref() == Some("replace") {
            continue;
        }
        let Some(name) = change.get(key).cloned() else { return Err(PatchError::NoKey { element: Value::Object(change), key }) };
        let at = merged.iter().position(|element| element[key] == name);
        match (word.as_deref(), at) {
            (Some("delete"), Some(at)) => {
                merged.remove(at);
                continue;
            }
            (Some("delete"), None) => continue,
            (None, Some(at)) => {
                let held = merged[at].as_object_mut().expect("only an object has a key that can be equal");
                strategic(of, held, change)?;
            }
            (None, None) => {
                let mut made = Map::new();
                strategic(of, &mut made, change)?;
                merged.push(Value::Object(made));
            }
            (Some(other), _) => return Err(PatchError::Directive(other.to_owned())),
        }
        named.push(name);
    }
    if let Some(order) = order {
        named = order.iter().map(|element| element[key].clone()).collect();
    }
    Ok(ordered(merged, &named, &before, |element| &element[key]))
}

/// Puts what the patch names in the patch's order, and each other element before the first named one that it preceded in the object.
fn ordered(merged: Vec<Value>, named: &[Value], before: &[Value], name: impl Fn(&Value) -> &Value) -> Vec<Value> {
    let place = |list: &[Value], element: &Value| list.iter().position(|held| held == name(element));
    let (mut first, second): (Vec<Value>, Vec<Value>) = merged.into_iter().partition(|element| named.contains(name(element)));
    first.sort_by_key(|element| place(named, element));
    let mut result = Vec::with_capacity(first.len() + second.len());
    let mut second = second.into_iter().peekable();
    for element in first {
        let place_of_named = place(before, &element);
        while let Some(other) = second.next_if(|other| place_of_named.is_some() && place(before, other) < place_of_named) {
            result.push(other);
        }
        result.push(element);
    }
    result.extend(second);
    result
}

fn directive(patch: &Map<String, Value>) -> Result<Option<String>, PatchError> {
    match patch.get(DIRECTIVE) {
        None => Ok(None),
        Some(Value::String(word)) => Ok(Some(word.clone())),
        Some(other) => Err(PatchError::Directive(other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn check(of: &str, target: Value, patch: Value, expected: Expect) {
        let (Value::Object(mut target), Value::Object(patch)) = (target, patch) else { panic!("objects are patched by objects") };
        let answer = match strategic(Some(schema::of(of)), &mut target, patch) {
            Ok(()) => Value::Object(target).to_string(),
            Err(refused) => refused.to_string(),
        };
        expected.assert_eq(&answer);
    }

    #[test]
    fn finalizers_are_a_set() {
        check(
            "ObjectMeta",
            json!({"finalizers":["b","a"]}),
            json!({"finalizers":["c","a","0"]}),
            expect![[r#"{"finalizers":["c","b","a","0"]}"#]],
        );
        check(
            "ObjectMeta",
            json!({"finalizers":["c","b","a","0"]}),
            json!({"$deleteFromPrimitiveList/finalizers":["a","z"]}),
            expect![[r#"{"finalizers":["c","b","0"]}"#]],
        );
        check(
            "ObjectMeta",
            json!({"finalizers":["c","b","0"]}),
            json!({"$deleteFromPrimitiveList/finalizers":["b"],"finalizers":["b","z"]}),
            expect![[r#"{"finalizers":["b","z","c","0"]}"#]],
        );
        check(
            "ObjectMeta",
            json!({"finalizers":["b","z","c","0"]}),
            json!({"$setElementOrder/finalizers":["z","0","c","b"],"finalizers":["z"]}),
            expect![[r#"{"finalizers":["z","0","c","b"]}"#]],
        );
        check("ObjectMeta", json!({"finalizers":["b"]}), json!({"finalizers":null}), expect!["{}"]);
        check("ObjectMeta", json!({"finalizers":["b"]}), json!({"finalizers":[1]}), expect!["finalizers must be a list of texts"]);
        check("ObjectMeta", json!({}), json!({"finalizers":[1]}), expect![[r#"{"finalizers":[1]}"#]]);
    }

    #[test]
    fn owners_are_merged_by_uid() {
        let owners = || json!({"ownerReferences":[{"uid":"b","name":"x"},{"uid":"a","name":"y"}]});
        check(
            "ObjectMeta",
            owners(),
            json!({"ownerReferences":[{"uid":"c"},{"uid":"a","controller":true},{"uid":"0"}]}),
            expect![[r#"{"ownerReferences":[{"uid":"c"},{"name":"x","uid":"b"},{"controller":true,"name":"y","uid":"a"},{"uid":"0"}]}"#]],
        );
        check(
            "ObjectMeta",
            owners(),
            json!({"ownerReferences":[{"$patch":"delete","uid":"a"},{"$patch":"delete","uid":"q"}]}),
            expect![[r#"{"ownerReferences":[{"name":"x","uid":"b"}]}"#]],
        );
        check(
            "ObjectMeta",
            owners(),
            json!({"ownerReferences":[{"$patch":"replace"},{"uid":"q"}]}),
            expect![[r#"{"ownerReferences":[{"uid":"q"}]}"#]],
        );
        check(
            "ObjectMeta",
            owners(),
            json!({"ownerReferences":[]}),
            expect![[r#"{"ownerReferences":[{"name":"x","uid":"b"},{"name":"y","uid":"a"}]}"#]],
        );
        check(
            "ObjectMeta",
            owners(),
            json!({"ownerReferences":[{"name":"q"}]}),
            expect![[r#"{"name":"q"} does not contain declared merge key: uid"#]],
        );
        check(
            "ObjectMeta",
            json!({}),
            json!({"ownerReferences":[{"name":"q"},{"uid":"a","$patch":"delete"}]}),
            expect![[r#"{"ownerReferences":[{"name":"q"}]}"#]],
        );
        check("ObjectMeta", owners(), json!({"ownerReferences":["q"]}), expect!["ownerReferences must be a list of objects"]);
    }

    #[test]
    fn a_directive_is_about_what_is_there() {
        check("ObjectMeta", json!({}), json!({"labels":{"$patch":"replace","b":"2"}}), expect!["{}"]);
        check("ObjectMeta", json!({}), json!({"labels":{"$patch":"odd","b":"2"}}), expect!["{}"]);
        check("ObjectMeta", json!({}), json!({"a":{"b":{"$patch":"delete"},"c":1}}), expect![[r#"{"a":{"c":1}}"#]]);
    }

    #[test]
    fn objects_are_merged_unless_a_directive_replaces_them() {
        check(
            "ObjectMeta",
            json!({"labels":{"a":"1"}}),
            json!({"labels":{"b":"2","n":null}}),
            expect![[r#"{"labels":{"a":"1","b":"2"}}"#]],
        );
        check(
            "ObjectMeta",
            json!({"labels":{"a":"1"}}),
            json!({"labels":{"$patch":"replace","b":"2"}}),
            expect![[r#"{"labels":{"b":"2"}}"#]],
        );
        check("ObjectMeta", json!({"labels":{"a":"1"}}), json!({"labels":{"$patch":"delete"}}), expect![[r#"{"labels":{}}"#]]);
        check("ObjectMeta", json!({}), json!({"labels":{"$patch":"sing"}}), expect!["{}"]);
        check("ObjectMeta", json!({}), json!({"labels":{"$patch":1}}), expect!["{}"]);
    }

    #[test]
    fn containers_and_their_variables_are_merged_by_name() {
        check(
            "PodSpec",
            json!({"containers":[{"name":"a","env":[{"name":"X","value":"1"}]},{"name":"b"}]}),
            json!({"containers":[{"name":"b","image":"i"},{"name":"a","env":[{"name":"Y","value":"2"}],"command":["c"]}],"$retainKeys":["containers"]}),
            expect![[
                r#"{"containers":[{"image":"i","name":"b"},{"command":["c"],"env":[{"name":"Y","value":"2"},{"name":"X","value":"1"}],"name":"a"}]}"#
            ]],
        );
        check("Container", json!({"args":["a"]}), json!({"args":["b"]}), expect![[r#"{"args":["b"]}"#]]);
    }

    #[test]
    fn lists_of_pods_are_merged_by_the_keys_of_their_types() {
        check(
            "PodSpec",
            json!({"schedulingGates":[{"name":"a"}],"tolerations":[{"key":"a"}]}),
            json!({"schedulingGates":[{"name":"b"}],"tolerations":[{"key":"b"}]}),
            expect![[r#"{"schedulingGates":[{"name":"b"},{"name":"a"}],"tolerations":[{"key":"b"}]}"#]],
        );
        check(
            "Container",
            json!({"resources":{"claims":[{"name":"a"}]}}),
            json!({"resources":{"claims":[{"name":"b"}]}}),
            expect![[r#"{"resources":{"claims":[{"name":"b"}]}}"#]],
        );
    }

    #[test]
    fn what_is_not_retained_is_removed() {
        check(
            "PodSpec",
            json!({"volumes":[{"name":"v","emptyDir":{}},{"name":"w","emptyDir":{}}]}),
            json!({"volumes":[{"name":"v","hostPath":{"path":"/a"},"$retainKeys":["name","hostPath"]}]}),
            expect![[r#"{"volumes":[{"hostPath":{"path":"/a"},"name":"v"},{"emptyDir":{},"name":"w"}]}"#]],
        );
    }
}
