//! What comes out of rows and goes into statements.

use sqlx::Row as _;
use sqlx::any::AnyRow;

/// Lets a type stand in statements and rows in the place of a simple one.
macro_rules! stored_as {
    ($type:ty, $plain:ty, $write:expr, $read:expr) => {
        impl sqlx::Type<sqlx::Any> for $type {
            fn type_info() -> sqlx::any::AnyTypeInfo {
                <$plain as sqlx::Type<sqlx::Any>>::type_info()
            }

            fn compatible(info: &sqlx::any::AnyTypeInfo) -> bool {
                <$plain as sqlx::Type<sqlx::Any>>::compatible(info)
            }
        }

        impl sqlx::Encode<'_, sqlx::Any> for $type {
            fn encode_by_ref(
                &self,
                buffer: &mut <sqlx::Any as sqlx::Database>::ArgumentBuffer,
            ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
                let write: fn(&$type) -> $plain = $write;
                sqlx::Encode::<sqlx::Any>::encode(write(self), buffer)
            }
        }

        impl<'r> sqlx::Decode<'r, sqlx::Any> for $type {
            fn decode(value: <sqlx::Any as sqlx::Database>::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
                let read: fn($plain) -> Option<$type> = $read;
                let plain = <$plain as sqlx::Decode<sqlx::Any>>::decode(value)?;
                let unknown = format!("{plain:?} is no {}", stringify!($type));
                read(plain).ok_or_else(|| unknown.into())
            }
        }
    };
}

pub(crate) use stored_as;

/// Columns of a row by name, without ceremony: a wrong name or type is a
/// mistake of the statement, which the tests of that statement find.
pub trait Columns {
    fn int(&self, column: &str) -> sqlx::Result<i64>;
    fn maybe_int(&self, column: &str) -> sqlx::Result<Option<i64>>;
    fn text(&self, column: &str) -> sqlx::Result<String>;
    fn maybe_text(&self, column: &str) -> sqlx::Result<Option<String>>;
    fn bytes(&self, column: &str) -> sqlx::Result<Vec<u8>>;
    fn flag(&self, column: &str) -> sqlx::Result<bool> {
        Ok(self.int(column)? != 0)
    }
}

impl Columns for AnyRow {
    fn int(&self, column: &str) -> sqlx::Result<i64> {
        self.try_get(column)
    }

    fn maybe_int(&self, column: &str) -> sqlx::Result<Option<i64>> {
        self.try_get(column)
    }

    fn text(&self, column: &str) -> sqlx::Result<String> {
        self.try_get(column)
    }

    fn maybe_text(&self, column: &str) -> sqlx::Result<Option<String>> {
        self.try_get(column)
    }

    fn bytes(&self, column: &str) -> sqlx::Result<Vec<u8>> {
        self.try_get(column)
    }
}
