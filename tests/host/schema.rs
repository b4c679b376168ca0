//! The schema of CronJobs and Jobs: `crates/manifest/src/schema.txt` has the types of k8s-openapi, and upstream knows each of its fields.
//!
//! Docs: Kubernetes API reference, "CronJob", "Job" and "PodTemplateSpec". `UPDATE_EXPECT=1` rewrites the file; `crates/manifest/src/strict.rs` reads it.

use std::collections::BTreeMap;

use k8s_openapi::api::batch;
use serde::de::value::{MapDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

/// The fields of each type, with the types of the fields.
pub(crate) type Types = BTreeMap<&'static str, BTreeMap<&'static str, String>>;

/// All types from CronJob and Job down.
pub(crate) fn types() -> Types {
    let mut types = Types::new();
    trace::<batch::v1::CronJob>("CronJob", &mut types);
    trace::<batch::v1::Job>("Job", &mut types);
    types
}

/// Notes the types from this kind down.
fn trace<T: DeserializeOwned>(kind: &'static str, types: &mut Types) {
    T::deserialize(Tracer { types, name: &mut String::new(), kind, requested: "" }).expect("a trace of a kind is an object of it");
}

#[test]
fn the_schema_is_what_k8s_openapi_says() {
    let mut text = String::new();
    for (name, fields) in types() {
        text += &format!("{name}\n");
        for (field, kind) in fields {
            text += &format!("  {field} {kind}\n");
        }
    }
    expect_test::expect_file!["../../crates/manifest/src/schema.txt"].assert_eq(&text);
}

/// A deserializer that notes what it is requested for, and gives the least that is an answer.
struct Tracer<'t> {
    types: &'t mut Types,
    /// Takes the name of the type.
    name: &'t mut String,
    /// The kind of the object.
    kind: &'static str,
    /// The field that is requested for, of those that take only one answer.
    requested: &'static str,
}

impl Tracer<'_> {
    fn leaf(&mut self, name: &str) {
        name.clone_into(self.name);
    }
}

type Failure = de::value::Error;

/// What is requested where several types are possible.
const ANY_VALUE: &str = "IntOrString";

macro_rules! leaves {
    ($($method:ident $visit:ident $name:tt $value:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
            self.leaf($name);
            visitor.$visit($value)
        })*
    };
}

impl<'de> Deserializer<'de> for Tracer<'_> {
    type Error = Failure;

    leaves! {
        deserialize_bool visit_bool "bool" false;
        deserialize_i32 visit_i32 "int32" 0;
        deserialize_i64 visit_i64 "int64" 0;
        deserialize_any visit_str ANY_VALUE "";
    }

    fn deserialize_string<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        let answer = match self.requested {
            "apiVersion" => "batch/v1",
            "kind" => self.kind,
            _ => "2026-01-02T03:04:05Z",
        };
        self.leaf("string");
        visitor.visit_str(answer)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Failure> {
        let Self { types, name: into, kind, .. } = self;
        if name == "FieldsV1" {
            "any".clone_into(into);
            return visitor.visit_newtype_struct(MapDeserializer::new(std::iter::empty::<(&str, &str)>()));
        }
        let value = visitor.visit_newtype_struct(Tracer { types: &mut *types, name: &mut *into, kind, requested: "" });
        if into == ANY_VALUE {
            // k8s-openapi has any value where the API has an object without fields.
            types.insert(name, BTreeMap::new());
        }
        name.clone_into(into);
        value
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let Self { types, name, kind, .. } = self;
        let value = visitor.visit_seq(One { types, name, kind, left: true });
        *name = format!("[{name}]");
        value
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let Self { types, name, kind, .. } = self;
        let value = visitor.visit_map(One { types, name, kind, left: true });
        *name = format!("{{{name}}}");
        value
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.leaf(name);
        let known = self.types.entry(name).or_insert_with(|| fields.iter().map(|field| (*field, String::new())).collect());
        assert!(known.keys().eq(fields), "two types have the name {name}");
        visitor.visit_map(Fields { types: self.types, owner: name, kind: self.kind, left: fields })
    }

    serde::forward_to_deserialize_any! {
        i8 i16 u8 u16 u32 u64 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct enum identifier ignored_any
    }
}

/// A list of one item, or a map of one entry.
struct One<'t> {
    types: &'t mut Types,
    /// Takes the name of the item's type.
    name: &'t mut String,
    kind: &'static str,
    left: bool,
}

impl<'de> SeqAccess<'de> for One<'_> {
    type Error = Failure;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Failure> {
        if !std::mem::take(&mut self.left) {
            return Ok(None);
        }
        seed.deserialize(Tracer { types: self.types, name: self.name, kind: self.kind, requested: "" }).map(Some)
    }
}

impl<'de> MapAccess<'de> for One<'_> {
    type Error = Failure;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Failure> {
        if !std::mem::take(&mut self.left) {
            return Ok(None);
        }
        seed.deserialize(StrDeserializer::new("key")).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Failure> {
        seed.deserialize(Tracer { types: self.types, name: self.name, kind: self.kind, requested: "" })
    }
}

/// All fields of a type, each once.
struct Fields<'t> {
    types: &'t mut Types,
    owner: &'static str,
    kind: &'static str,
    left: &'static [&'static str],
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Failure;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Failure> {
        self.left.first().map(|field| seed.deserialize(StrDeserializer::new(field))).transpose()
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Failure> {
        let (field, left) = self.left.split_first().expect("a value is requested for after its key only");
        self.left = left;
        let mut name = String::new();
        let value = seed.deserialize(Tracer { types: self.types, name: &mut name, kind: self.kind, requested: field })?;
        self.types.entry(self.owner).or_default().insert(field, name);
        Ok(value)
    }
}
