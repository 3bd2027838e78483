//! When the rounds of a season start: at times of the day, or by hand.

use anyhow::Result;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use sqlx::any::AnyRow;
use sqlx::{Any, Executor};

use super::rounds::{Round, State};
use crate::database::{Columns as _, Tx, now};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The times of the day, in order; none where rounds are started by hand.
    pub times: Vec<Time>,
    /// Whether rounds are played on Monday, …, Sunday.
    pub days: [bool; 7],
    /// Rounds that are played one after the other each time.
    pub rounds_each: i64,
    /// Rounds of the whole season that count, if that is bounded.
    pub most_rounds: Option<i64>,
    /// No round is played any more when so many are left.
    pub least_left: i64,
    /// Why it is paused, if it is.
    pub paused: Option<String>,
    /// Whether round files hold the modules.
    pub gives_modules: bool,
    /// When the list of those who take part was made.
    pub entered_at: Option<i64>,
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule {
            times: Vec::new(),
            days: [true; 7],
            rounds_each: 1,
            most_rounds: None,
            least_left: 1,
            paused: None,
            gives_modules: false,
            entered_at: None,
        }
    }
}

/// The most times of a day.
const MOST_TIMES: usize = 288;

/// Reads times such as `9:00 13:30`, in any order; none for a text that is no list of times.
pub fn read_times(text: &str) -> Option<Vec<Time>> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|word| !word.is_empty());
    let mut times = Vec::new();
    for word in words {
        let (hour, minute) = word.split_once(':')?;
        times.push(Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()?);
    }
    times.sort_unstable();
    times.dedup();
    (times.len() <= MOST_TIMES).then_some(times)
}

pub fn written_times(times: &[Time]) -> String {
    times.iter().map(|time| time.strftime("%H:%M").to_string()).collect::<Vec<_>>().join(" ")
}

impl Schedule {
    /// The first time of the schedule after some moment.
    pub fn next_time(&self, after: i64, zone: &TimeZone) -> Option<i64> {
        let first = jiff::Timestamp::from_millisecond(after).ok()?.to_zoned(zone.clone()).date();
        let mut date = first;
        // A week has every day; one more for times of today that have passed.
        for _ in 0..=8 {
            if self.days[date.weekday().to_monday_zero_offset() as usize] {
                for time in &self.times {
                    let start = date.to_datetime(*time).to_zoned(zone.clone()).ok()?.timestamp().as_millisecond();
                    if start > after {
                        return Some(start);
                    }
                }
            }
            date = date.tomorrow().ok()?;
        }
        None
    }

    /// When the next round of a season starts after those that it has had; none
    /// if it is started by hand. A time takes so many rounds, cancelled ones
    /// included: to cancel one is to leave it out.
    pub fn next_start(&self, rounds: &[Round], time: i64, zone: &TimeZone) -> Option<i64> {
        let last = rounds.iter().rev().find_map(|round| round.starts_at);
        if let Some(last) = last.filter(|last| *last <= time && self.is_time(*last, zone)) {
            let used = rounds.iter().filter(|round| round.starts_at == Some(last)).count() as i64;
            let has_played =
                rounds.iter().any(|round| round.starts_at == Some(last) && round.state != State::Cancelled);
            if used < self.rounds_each && has_played {
                return Some(last);
            }
        }
        self.next_time(last.unwrap_or(time).max(time), zone)
    }

    fn is_time(&self, start: i64, zone: &TimeZone) -> bool {
        self.next_time(start - 1, zone) == Some(start)
    }

    /// Whether more rounds are to be played, with so many authors left.
    pub fn goes_on(&self, rounds: &[Round], left: usize) -> bool {
        let counted = rounds.iter().filter(|round| round.counts()).count() as i64;
        left as i64 > self.least_left.max(1) && self.most_rounds.is_none_or(|most| counted < most)
    }

    fn from_row(row: &AnyRow) -> sqlx::Result<Schedule> {
        let days = row.text("days")?;
        Ok(Schedule {
            times: read_times(&row.text("times")?).unwrap_or_default(),
            days: std::array::from_fn(|day| days.contains((b'1' + day as u8) as char)),
            rounds_each: row.int("rounds_each")?,
            most_rounds: row.maybe_int("most_rounds")?,
            least_left: row.int("least_left")?,
            paused: match row.maybe_int("paused_at")? {
                Some(_) => Some(row.text("paused_reason")?),
                None => None,
            },
            gives_modules: row.flag("gives_modules")?,
            entered_at: row.maybe_int("entered_at")?,
        })
    }

    fn written_days(&self) -> String {
        (0..7).filter(|day| self.days[*day]).map(|day| char::from(b'1' + day as u8)).collect()
    }
}

/// The schedule of a season; one that nobody has set is by hand.
pub async fn find<'e>(executor: impl Executor<'e, Database = Any>, season: i64) -> Result<Schedule> {
    let row = sqlx::query("SELECT * FROM schedules WHERE season_id = $1").bind(season).fetch_optional(executor).await?;
    Ok(row.as_ref().map(Schedule::from_row).transpose()?.unwrap_or_default())
}

/// Makes the schedule of a season unless there is one.
pub async fn ensure(tx: &mut Tx, season: i64) -> Result<()> {
    sqlx::query("INSERT INTO schedules (season_id) VALUES ($1) ON CONFLICT (season_id) DO NOTHING")
        .bind(season)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Changes what an instructor sets: times, days, how many rounds, modules.
pub async fn update(tx: &mut Tx, season: i64, schedule: &Schedule) -> Result<()> {
    ensure(tx, season).await?;
    sqlx::query(
        "UPDATE schedules SET times = $1, days = $2, rounds_each = $3, most_rounds = $4, least_left = $5,
         gives_modules = $6 WHERE season_id = $7",
    )
    .bind(written_times(&schedule.times))
    .bind(schedule.written_days())
    .bind(schedule.rounds_each)
    .bind(schedule.most_rounds)
    .bind(schedule.least_left)
    .bind(i64::from(schedule.gives_modules))
    .bind(season)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Lets no further round start, or, without a reason, lets them start again.
pub async fn pause(tx: &mut Tx, season: i64, reason: Option<&str>) -> Result<()> {
    ensure(tx, season).await?;
    sqlx::query("UPDATE schedules SET paused_at = $1, paused_reason = $2 WHERE season_id = $3")
        .bind(reason.map(|_| now()))
        .bind(reason.unwrap_or_default())
        .bind(season)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Moves the start of the round that is prepared, after the schedule has changed.
pub async fn move_start(tx: &mut Tx, round: i64, starts_at: Option<i64>) -> Result<()> {
    sqlx::query("UPDATE rounds SET starts_at = $1, changes = changes + 1 WHERE id = $2 AND state = 'committed'")
        .bind(starts_at)
        .bind(round)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        let zone = TimeZone::get("Europe/Madrid").unwrap();
        text.parse::<jiff::civil::DateTime>().unwrap().to_zoned(zone).unwrap().timestamp().as_millisecond()
    }

    #[test]
    fn times_are_read_and_written() {
        assert_eq!(written_times(&read_times("13:30, 9:00;13:30").unwrap()), "09:00 13:30");
        assert_eq!(read_times(""), Some(Vec::new()));
        for wrong in ["9", "25:00", "9:60", "nine", "9:00 x", "-1:00", "9:00:00"] {
            assert_eq!(read_times(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_next_time_is_in_the_time_zone_of_the_course() {
        let zone = TimeZone::get("Europe/Madrid").unwrap();
        let mut schedule = Schedule { times: read_times("9:00 13:30").unwrap(), ..Schedule::default() };
        let next = |schedule: &Schedule, after: &str| schedule.next_time(at(after), &zone);
        assert_eq!(next(&schedule, "2026-11-17T08:59"), Some(at("2026-11-17T09:00")));
        assert_eq!(next(&schedule, "2026-11-17T09:00"), Some(at("2026-11-17T13:30")));
        assert_eq!(next(&schedule, "2026-11-17T13:30"), Some(at("2026-11-18T09:00")));
        // Monday to Friday, from a Friday; and over the change of the clocks.
        schedule.days = [true, true, true, true, true, false, false];
        assert_eq!(next(&schedule, "2026-11-20T14:00"), Some(at("2026-11-23T09:00")));
        assert_eq!(next(&schedule, "2026-10-23T14:00"), Some(at("2026-10-26T09:00")));
        schedule.days = [false; 7];
        assert_eq!(next(&schedule, "2026-11-20T14:00"), None);
        assert_eq!(next(&Schedule::default(), "2026-11-20T14:00"), None);
    }
}
