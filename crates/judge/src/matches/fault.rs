//! Why a seat was frozen, as it is kept.

use ludus_arena::Fault;

/// Those that every student meets have words of their own; the others are kept as
/// the sandbox tells them, with words of compilers and programs in them, and
/// translated where they are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatFault {
    OutOfCpu,
    OutOfMemory,
    StackOverflow,
    /// It had run past its CPU time before, and was not asked.
    Overtime,
    Other(String),
}

impl SeatFault {
    pub fn of(fault: &Fault) -> SeatFault {
        match fault {
            Fault::OutOfFuel => SeatFault::OutOfCpu,
            Fault::OutOfMemory => SeatFault::OutOfMemory,
            Fault::StackOverflow => SeatFault::StackOverflow,
            Fault::Overtime => SeatFault::Overtime,
            Fault::TooManyOrders(_) | Fault::Trap(_) | Fault::Ended(_) | Fault::MalformedOrders(_) => {
                SeatFault::Other(crate::local_machine::printable(&fault.to_string()))
            }
        }
    }

    /// As the database and the processes that play matches know it.
    pub fn stored(&self) -> &str {
        match self {
            SeatFault::OutOfCpu => "cpu",
            SeatFault::OutOfMemory => "memory",
            SeatFault::StackOverflow => "stack",
            SeatFault::Overtime => "overtime",
            SeatFault::Other(told) => told,
        }
    }

    pub fn of_stored(text: String) -> SeatFault {
        let known = [SeatFault::OutOfCpu, SeatFault::OutOfMemory, SeatFault::StackOverflow, SeatFault::Overtime];
        known.into_iter().find(|fault| fault.stored() == text).unwrap_or(SeatFault::Other(text))
    }
}

crate::database::stored_as!(SeatFault, String, |fault| fault.stored().to_owned(), |text| Some(SeatFault::of_stored(
    text
)));
