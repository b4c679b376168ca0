//! `#[derive(Read)]`: reads each field of a struct from the field of a JSON object that has its name.
//!
//! Docs: API conventions, "Naming conventions". What reading means is decided in `api::json`.
//!
//! A field `mount_path` is read from `mountPath`. Where Kubernetes has another name, the attribute that renames it for writing renames it for
//! reading too:
//!
//! | attribute | meaning |
//! |---|---|
//! | `#[serde(rename = "hostIP")]` | the name in JSON |
//! | `#[read(with = function)]` | `function(&mut field, value)` reads it |
//! | `#[read(skip)]` | it is not read |
//! | `#[read(strict)]`, on the struct | fields that it does not have are refused, and not passed over; so are `null` and an empty list in its place |

use proc_macro::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Error, Field, Fields, LitStr, Path, Result, parse_macro_input};

/// Derives `api::json::Read`, which reads the value as a part, and `serde::Deserialize`, which reads it as a whole.
#[proc_macro_derive(Read, attributes(read, serde))]
pub fn read(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implementation(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn implementation(input: &DeriveInput) -> Result<proc_macro2::TokenStream> {
    let Data::Struct(structure) = &input.data else { return Err(not_a_struct(input)) };
    let Fields::Named(fields) = &structure.fields else { return Err(not_a_struct(input)) };
    let arms: Vec<_> = fields.named.iter().map(arm).collect::<Result<_>>()?;
    let strict = strict(&input.attrs)?;
    let rest = match strict {
        true => {
            let known: Vec<String> = fields.named.iter().filter_map(|field| Some(camel_case(&field.ident.as_ref()?.to_string()))).collect();
            let refusal = format!("unknown field; expected one of {}", known.join(", "));
            quote!(::std::result::Result::Err(::api::json::ReadError::new(#refusal)))
        }
        false => quote!(::std::result::Result::Ok(())),
    };
    let name = &input.ident;
    Ok(quote! {
        impl ::api::json::Read for #name {
            fn strict(&self) -> bool {
                #strict
            }

            fn field(&mut self, name: &str, value: ::api::json::JsonValue<'_>) -> ::std::result::Result<(), ::api::json::ReadError> {
                match name {
                    #(#arms)*
                    _ => #rest,
                }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                ::api::json::deserialize(deserializer)
            }
        }
    })
}

fn not_a_struct(input: &DeriveInput) -> Error {
    Error::new_spanned(&input.ident, "`Read` is derived for structs whose fields have names; implement it for others")
}

/// Whether fields that a struct does not have are refused.
fn strict(attributes: &[Attribute]) -> Result<bool> {
    let mut strict = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("read")) {
        attribute.parse_nested_meta(|meta| {
            strict = meta.path.is_ident("strict");
            if strict { Ok(()) } else { Err(meta.error("write `strict`")) }
        })?;
    }
    Ok(strict)
}

/// The arm of a `match` that reads one field.
fn arm(field: &Field) -> Result<proc_macro2::TokenStream> {
    let ident = field.ident.as_ref().expect("the fields have names");
    let mut name = camel_case(&ident.to_string());
    let mut with = None;
    let mut skip = false;
    for attribute in &field.attrs {
        if attribute.path().is_ident("serde") {
            attribute.parse_nested_meta(|meta| {
                let renamed = meta.path.is_ident("rename");
                let value: LitStr = meta.value()?.parse()?;
                if renamed {
                    name = value.value();
                }
                Ok(())
            })?;
        } else if attribute.path().is_ident("read") {
            attribute.parse_nested_meta(|meta| {
                match () {
                    () if meta.path.is_ident("with") => with = Some(meta.value()?.parse::<Path>()?),
                    () if meta.path.is_ident("skip") => skip = true,
                    () => return Err(meta.error("write `with = function` or `skip`")),
                }
                Ok(())
            })?;
        }
    }
    Ok(match (skip, with) {
        (true, _) => quote!(),
        (false, Some(function)) => quote!(#name => #function(&mut self.#ident, value),),
        (false, None) => quote!(#name => value.read(&mut self.#ident),),
    })
}

/// `mountPath` for `mount_path`.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut joined = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        joined.push_str(&first.to_ascii_uppercase());
        joined.push_str(rest);
    }
    joined
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    /// What a field is read by, written without blanks.
    fn check(field: Field, expected: &str) {
        let written = arm(&field).map_or_else(|error| error.to_string(), |arm| arm.to_string());
        assert_eq!(written.replace(' ', ""), expected);
    }

    #[test]
    fn fields_are_read_from_their_names_in_json() {
        check(parse_quote!(name: Text), r#""name"=>value.read(&mutself.name),"#);
        check(parse_quote!(backoff_limit_per_index: i32), r#""backoffLimitPerIndex"=>value.read(&mutself.backoff_limit_per_index),"#);
        check(
            parse_quote!(#[serde(rename = "hostIP", skip_serializing_if = "str::is_empty")] host_ip: Text),
            r#""hostIP"=>value.read(&mutself.host_ip),"#,
        );
    }

    #[test]
    fn fields_are_read_by_functions_of_their_own_or_not_at_all() {
        check(parse_quote!(#[read(with = Template::read)] template: Template), r#""template"=>Template::read(&mutself.template,value),"#);
        check(parse_quote!(#[read(skip)] sidecar: bool), "");
        check(parse_quote!(#[read(by = x)] sidecar: bool), "write`with=function`or`skip`");
    }

    #[test]
    fn other_types_than_structs_with_named_fields_are_refused() {
        for input in [
            parse_quote!(
                struct Pair(i32, i32);
            ),
            parse_quote!(
                enum Phase {
                    Pending,
                }
            ),
        ] {
            assert!(implementation(&input).unwrap_err().to_string().starts_with("`Read` is derived for structs"));
        }
    }
}
