//! The calls as an OpenAPI document, made from their types.

use std::sync::OnceLock;

use axum::http::Method;
use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::call::{Call, Content};
use super::calls;
use crate::web::problem::{CONTENT_TYPE, Document};

/// The description of all calls, as JSON.
pub fn description_text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| format!("{:#}\n", description()))
}

/// The same as a value.
pub fn description() -> &'static Value {
    static MADE: OnceLock<Value> = OnceLock::new();
    MADE.get_or_init(describe)
}

fn describe() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let problem = json!({
        "description": "What went wrong.",
        "content": { CONTENT_TYPE: { "schema": generator.subschema_for::<Document>() } },
    });
    let mut paths = Map::new();
    for call in calls() {
        let at = paths.entry(call.path).or_insert_with(|| json!({}));
        at[call.method.as_str().to_lowercase()] = operation(&call, &mut generator);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Ludus",
            "version": "1",
            "description": "What students do on the pages of a course, for programs. \
                Times are in UTC. Lists have the newest first and are given in parts: send `next` as `cursor` for the next one. \
                Whoever is not to know of something is told that it does not exist.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/api/v1" }],
        "paths": paths,
        "components": {
            "securitySchemes": { "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "A token that its owner made on the page /account/tokens.",
            } },
            "schemas": generator.take_definitions(true),
            "responses": { "Problem": problem },
        },
    })
}

fn operation(call: &Call, generator: &mut SchemaGenerator) -> Value {
    let mut parameters: Vec<Value> = names(call.path).map(in_path).collect();
    if let Some(query) = (call.describe.query)(generator) {
        parameters.extend(in_query(&query));
    }
    let scopes: Vec<&str> = call.scope.map(|scope| scope.word()).into_iter().collect();
    let (status, answer) = (call.describe.answer)(generator);
    let mut answered = json!({ "description": status.canonical_reason().unwrap_or_default() });
    if let Some(content) = answer {
        answered["content"] = content_of(content);
    }
    let problem = json!({ "$ref": "#/components/responses/Problem" });
    let mut operation = json!({
        "operationId": id(&call.method, call.path),
        "summary": call.about,
        "tags": [call.path.split('/').nth(1).unwrap_or_default()],
        "security": [{ "token": scopes }],
        "parameters": parameters,
        "responses": { status.as_str(): answered, "4XX": problem, "5XX": problem },
    });
    if let Some(content) = (call.describe.body)(generator) {
        operation["requestBody"] = json!({ "required": true, "content": content_of(content) });
    }
    operation
}

fn content_of(content: Content) -> Value {
    let schema = content.schema.map_or(json!({}), |schema| json!({ "schema": schema }));
    json!({ content.kind: schema })
}

/// A name for a call: what is done to what.
fn id(method: &Method, path: &str) -> String {
    let words = path.split('/').filter(|part| !part.is_empty()).map(|part| part.trim_matches(['{', '}']));
    let words: Vec<&str> = words.collect();
    format!("{}_{}", method.as_str().to_lowercase(), words.join("_"))
}

/// The names in braces of an address.
pub fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|rest| rest.split('}').next())
}

fn in_path(name: &str) -> Value {
    let schema = match name {
        "id" | "number" => json!({ "type": "integer", "format": "int64" }),
        "seat" => json!({ "type": "integer", "minimum": 0, "maximum": 3 }),
        _ => json!({ "type": "string", "minLength": 1 }),
    };
    json!({ "name": name, "in": "path", "required": true, "schema": schema })
}

/// The fields of a query, each a parameter of its own; whoever does not want one
/// leaves it out, so that none is null.
fn in_query(query: &Schema) -> Vec<Value> {
    let none = Map::new();
    let fields = query.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let parameter = |(name, schema): (&String, &Value)| {
        let mut schema = schema.clone();
        let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        let mut parameter = json!({ "name": name, "in": "query", "required": false, "schema": not_null(schema) });
        if let Some(about) = about {
            parameter["description"] = about;
        }
        parameter
    };
    fields.iter().map(parameter).collect()
}

/// A schema of what may be null, for where it may not.
fn not_null(mut schema: Value) -> Value {
    let is_null = |value: &Value| *value == json!("null") || value.get("type").is_some_and(|kind| kind == "null");
    if let Some(kinds) = schema.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| !is_null(kind));
        schema["type"] = kinds.first().cloned().unwrap_or(json!("string"));
    }
    if let Some(choices) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        choices.retain(|choice| !is_null(choice));
        if let [only] = choices.as_slice() {
            return only.clone();
        }
    }
    schema
}
