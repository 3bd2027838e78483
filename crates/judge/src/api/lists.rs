//! Lists: some of what there is, and how to ask for the rest. And times.

use axum::http::StatusCode;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::database::Slice;
use crate::texts;
use crate::web::Problem;

/// How much of a list is given at once, unless a call says otherwise.
const USUAL: i64 = 25;
/// And at most.
pub const MOST: i64 = 100;

/// A part of a list, the newest first.
#[derive(Serialize, JsonSchema)]
pub struct ListPart<T> {
    pub items: Vec<T>,
    /// What to send as `cursor` to get the next part; null at the end.
    pub next: Option<String>,
}

/// What part of a list is asked for. One more is looked up, to know whether
/// there is more.
pub fn slice(cursor: Option<&str>, limit: Option<i64>) -> Result<Slice, Problem> {
    let limit = limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        let problem = Problem::in_field("limit", texts::NUMBER_RANGE);
        return Err(problem.with("least", &1).with("most", &MOST));
    }
    let before = match cursor {
        None => i64::MAX,
        Some(cursor) => match cursor.parse() {
            Ok(before) if before > 0 => before,
            _ => return Err(Problem::in_field("cursor", texts::BAD_CURSOR)),
        },
    };
    Ok(Slice { before, most: limit + 1 })
}

impl<T> ListPart<T> {
    /// What was found for a slice, each as it is shown.
    pub fn of<F>(found: Vec<F>, slice: Slice, number: impl Fn(&F) -> i64, show: impl FnMut(F) -> T) -> ListPart<T> {
        let mut found = found;
        let limit = usize::try_from(slice.most - 1).unwrap_or(0);
        let next = (found.len() > limit).then(|| found.get(limit - 1).map(|last| number(last).to_string())).flatten();
        found.truncate(limit);
        ListPart { items: found.into_iter().map(show).collect(), next }
    }

    /// A list that is never long.
    pub fn whole(items: Vec<T>) -> ListPart<T> {
        ListPart { items, next: None }
    }

    /// A part of a list that is known as a whole, by the places in it.
    pub fn part(mut items: Vec<T>, cursor: Option<&str>, limit: Option<i64>) -> Result<ListPart<T>, Problem> {
        let first = match cursor {
            None => 0,
            Some(cursor) => cursor.parse::<usize>().map_err(|_| Problem::in_field("cursor", texts::BAD_CURSOR))?,
        };
        let limit = usize::try_from(slice(None, limit)?.most - 1).unwrap_or(0);
        let rest = items.split_off(first.min(items.len()));
        let next = (rest.len() > limit).then(|| (first + limit).to_string());
        Ok(ListPart { items: rest.into_iter().take(limit).collect(), next })
    }
}

/// A moment.
#[derive(Clone, Copy)]
pub struct Moment(pub i64);

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stamp = jiff::Timestamp::from_millisecond(self.0).unwrap_or_default();
        serializer.serialize_str(&stamp.to_string())
    }
}

impl JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// Nothing can be asked for that is not there.
pub fn no_such(field: &'static str) -> Problem {
    Problem::in_field(field, texts::NOT_FOUND)
}

/// What makes no sense.
pub fn wrong() -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, texts::BAD_REQUEST)
}
