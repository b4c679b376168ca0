//! JSON merge patch: objects are merged key by key, `null` removes, everything else replaces.
//!
//! Docs: RFC 7386, "Processing Merge Patch Documents". Lists that are merged by key are in `strategic.rs`.

use serde_json::Value;

/// Applies a JSON merge patch to a value.
pub fn merge(target: &mut Value, patch: Value) {
    let Value::Object(changes) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = Value::Object(serde_json::Map::new());
    }
    let fields = target.as_object_mut().expect("what is no object was replaced by one");
    for (key, change) in changes {
        if change.is_null() {
            fields.remove(&key);
        } else {
            merge(fields.entry(key).or_insert(Value::Null), change);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_examples_of_the_rfc_hold() {
        let check = |target: Value, patch: Value, expected: Value| {
            let mut merged = target.clone();
            merge(&mut merged, patch.clone());
            assert_eq!(merged, expected, "{target} with {patch}");
        };
        check(json!({"a":"b"}), json!({"a":"c"}), json!({"a":"c"}));
        check(json!({"a":"b"}), json!({"b":"c"}), json!({"a":"b","b":"c"}));
        check(json!({"a":"b","b":"c"}), json!({"a":null}), json!({"b":"c"}));
        check(json!({"a":["b"]}), json!({"a":"c"}), json!({"a":"c"}));
        check(json!({"a":"c"}), json!({"a":["b"]}), json!({"a":["b"]}));
        check(json!({"a":{"b":"c"}}), json!({"a":{"b":"d","c":null}}), json!({"a":{"b":"d"}}));
        check(json!({"a":[{"b":"c"}]}), json!({"a":[1]}), json!({"a":[1]}));
        check(json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"]));
        check(json!({"a":"foo"}), json!(null), json!(null));
        check(json!({"e":null}), json!({"a":1}), json!({"e":null,"a":1}));
        check(json!([1, 2]), json!({"a":"b","c":null}), json!({"a":"b"}));
        check(json!({}), json!({"a":{"bb":{"ccc":null}}}), json!({"a":{"bb":{}}}));
    }
}
