//! The fleet as the machines of the judge.
//!
//! Nothing that a worker says is believed as it is: every answer is checked
//! (`check`), and a share of them is asked of somebody else, too. When two differ
//! a third decides, and who stands alone is taken out of service. What nobody
//! else was asked for is noted, so that it can be played again (`trust`).
//!
//! Where no other worker is there the judge plays the second one itself, if its
//! machine can; official matches wait if it cannot.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use futures_util::future::join_all;
use ludus_games::{Game, PerSeat};
use ludus_sandbox::LARGEST_MODULE;
use ludus_sandbox::build::Language;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::check::{self, Lie};
use super::fleet::{Answered, Fleet, Needs, NoSecond, NobodyThere};
use super::heard::{Heard, checked, follow_the_rules, say_the_same, told};
use super::letters::{Compile, Said, Task, read_built, read_played};
use super::trust;
use crate::ids::{AccountId, WorkerId};
use crate::jobs::Machines;
use crate::local_machine::{Built, Compiled, PlayerLikeness, Seated, keep_all, order_of, small_for, store_for};
use crate::matches::{Played, Purpose};
use crate::patience::{Patience, TooSlow};
use crate::playroom::{Finished, Order, Playroom};
use crate::seasons::Season;
use crate::secrets;
use crate::store::Store;
use crate::trouble::Trouble;

/// Workers that may say something that is not believed before a job fails.
const MOST_LIARS: usize = 5;
/// Matches in one order, and in one that is a part of others.
const MOST_MATCHES: usize = 512;
const FEWEST_MATCHES: usize = 4;
/// What compilers say, at most, besides a module.
const MOST_MESSAGES: usize = 1 << 20;
/// All shares are parts of this.
pub const WHOLE: u32 = 10_000;

/// How much is asked of two workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Of [`WHOLE`].
    pub usual: u32,
    pub official: u32,
}

impl Default for Shares {
    fn default() -> Shares {
        Shares { usual: WHOLE / 50, official: WHOLE }
    }
}

#[derive(Clone)]
pub struct RemoteMachines {
    fleet: Fleet,
    store: Store,
    shares: Shares,
    runtime: Handle,
    patience: Patience,
    purpose: Purpose,
    own: Option<Own>,
}

/// Where the judge plays itself, a few at a time: its pages come first.
#[derive(Clone)]
struct Own {
    playroom: Playroom,
    room: Arc<Semaphore>,
}

/// The judge itself, where it has played something.
const HERE: WorkerId = WorkerId(0);

impl RemoteMachines {
    /// Must be called where there is a runtime.
    pub fn new(fleet: Fleet, store: Store, shares: Shares) -> RemoteMachines {
        let (patience, purpose) = (Patience::Endless, Purpose::Verification);
        RemoteMachines { fleet, store, shares, runtime: Handle::current(), patience, purpose, own: None }
    }

    /// The same with a playroom of this machine for what no other worker can check.
    pub fn checked_by(self, playroom: Option<Playroom>) -> RemoteMachines {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let room = Arc::new(Semaphore::new(processors.div_ceil(2)));
        RemoteMachines { own: playroom.map(|playroom| Own { playroom, room }), ..self }
    }

    /// Who may do what these machines are for.
    fn needs(&self) -> Needs {
        let open = matches!(self.purpose, Purpose::Training | Purpose::Ladder);
        Needs { trusted: !open, ..Needs::default() }
    }

    fn is_checked(&self) -> bool {
        let share = if self.purpose == Purpose::Official { self.shares.official } else { self.shares.usual };
        secrets::seed().unsigned_abs() % WHOLE < share
    }

    fn orders(&self, season: &Season, matches: &[(i64, PerSeat<Seated>)]) -> Result<Vec<Order>> {
        matches.iter().map(|(seed, players)| order_of(season, *seed, players, self.patience)).collect()
    }

    /// Plays matches, several at a time where there is room. The results are in
    /// order up to the first that could not be played.
    async fn play_orders(&self, orders: &[Order]) -> Vec<Result<Finished>> {
        let at_a_time = self.fleet.cores().max(1);
        let size = orders.len().div_ceil(at_a_time).clamp(FEWEST_MATCHES, MOST_MATCHES);
        let pieces = join_all(orders.chunks(size).map(|some| self.play_some(some))).await;
        let mut results = Vec::new();
        for result in pieces.into_iter().flatten() {
            let failed = result.is_err();
            results.push(result);
            if failed {
                break;
            }
        }
        results
    }

    /// Plays matches one after the other until one cannot be played.
    async fn play_some(&self, orders: &[Order]) -> Vec<Result<Finished>> {
        let mut results = Vec::new();
        while results.len() < orders.len() {
            match self.play_checked(&orders[results.len()..]).await {
                Ok(some) if some.is_empty() => results.push(Err(anyhow!("a worker played none of its matches"))),
                Ok(some) => results.extend(some),
                Err(error) => results.push(Err(error)),
            }
            if results.last().is_some_and(Result::is_err) {
                break;
            }
        }
        results
    }

    /// Asks one worker, and others if it is to be checked.
    async fn play_checked(&self, orders: &[Order]) -> Result<Vec<Result<Finished>>> {
        let needs = self.needs();
        let is_checked = self.is_checked();
        let must = is_checked && self.purpose == Purpose::Official;
        if must && self.own.is_none() && self.fleet.able(&needs) == 1 {
            return Err(NoSecond.into());
        }
        let first = self.ask_to_play(orders, &needs).await?;
        let others = Needs { not: vec![first.worker], not_of: vec![first.account], ..needs };
        // Whose player runs past its time is not for one machine to say.
        let doubtful = matches!(first.said.last(), Some(Said::Overran(_)));
        let second = if doubtful || is_checked { self.ask_another(orders, &others).await? } else { None };
        match second {
            Some(second) => Ok(self.decide(orders, first, second, &others).await?.results()),
            None if must => Err(NoSecond.into()),
            None => {
                trust::note(self.fleet.database(), first.worker, &told(orders, &first.said, 0)).await?;
                Ok(first.results())
            }
        }
    }

    /// What somebody else says of some matches: another worker, or this machine
    /// where there is none; nothing if it cannot play either.
    async fn ask_another(&self, orders: &[Order], needs: &Needs) -> Result<Option<Heard>> {
        if self.fleet.has(needs) {
            match self.ask_to_play(orders, needs).await {
                Err(error) if is_nobody_there(&error) => {}
                heard => return heard.map(Some),
            }
        }
        let Some(Own { playroom, room }) = self.own.clone() else { return Ok(None) };
        let _room = room.acquire().await?;
        let (store, given) = (self.store.clone(), orders.to_vec());
        let played =
            tokio::task::spawn_blocking(move || playroom.play_all(&given, |hash| store.get(&hash.to_string())));
        let said: Vec<Said<Finished>> = played.await?.into_iter().map(Said::of).collect();
        if let [Said::Trouble(text)] = said.as_slice() {
            return Err(anyhow!("the judge's own machine: {text}"));
        }
        Ok(Some(Heard { worker: HERE, account: AccountId(0), said }.without_trouble()))
    }

    /// What is true of what two workers say; a third is asked if they differ.
    async fn decide(&self, orders: &[Order], first: Heard, second: Heard, needs: &Needs) -> Result<Heard> {
        let Some(at) = first.first_difference(&second) else {
            self.fleet.compared(&[first.worker, second.worker], None);
            let (longer, shorter) = if first.done() >= second.done() { (first, second) } else { (second, first) };
            trust::note(self.fleet.database(), longer.worker, &told(orders, &longer.said, shorter.done())).await?;
            return Ok(longer);
        };
        if second.worker == HERE {
            // What this machine comes to is what is true.
            self.fleet.compared(&[], Some(first.worker));
            self.fleet.lied(first.worker, &Lie::Contradicted).await;
            return Ok(second.up_to(at));
        }
        let mut needs = needs.clone();
        needs.not.push(second.worker);
        needs.not_of.push(second.account);
        let third = self.ask_another(&orders[..=at], &needs).await?.ok_or(NobodyThere)?;
        let three = [first, second, third];
        let agree = |a: usize, b: usize| {
            three[a].said.get(at).zip(three[b].said.get(at)).is_some_and(|(a, b)| say_the_same(a, b))
        };
        let odd = match (agree(0, 2), agree(1, 2)) {
            (true, _) => 1,
            (_, true) => 0,
            _ => return Err(anyhow!("three workers came to three results, and nobody knows which is true")),
        };
        let believed = 1 - odd;
        self.fleet.compared(&[three[believed].worker, three[2].worker], Some(three[odd].worker));
        self.fleet.lied(three[odd].worker, &Lie::Outvoted).await;
        let [first, second, _] = three;
        Ok(if believed == 0 { first } else { second }.up_to(at))
    }

    /// What a worker says of some matches, checked.
    async fn ask_to_play(&self, orders: &[Order], needs: &Needs) -> Result<Heard> {
        let (task, most) = (Task::Play(orders.to_vec()), check::most_bytes(orders));
        let mut trouble = None;
        for _ in 0..MOST_LIARS {
            let answered =
                self.fleet.carry(&task, needs, most).await.map_err(|error| trouble.take().unwrap_or(error))?;
            let Answered { worker, is_trusted, account, answer } = answered;
            let said = read_played(&answer, orders).ok_or(Lie::Rubbish).and_then(|said| checked(orders, said));
            let said = match said {
                Ok(said) if !is_trusted => tokio::task::spawn_blocking(|| follow_the_rules(said)).await?,
                said => said,
            };
            match said {
                Err(lie) => self.fleet.lied(worker, &lie).await,
                Ok(said) => match said.last() {
                    Some(Said::Missing(hash)) if said.len() == 1 => self.fleet.shelf().forget(worker, *hash),
                    Some(Said::Trouble(text)) if said.len() == 1 => {
                        self.fleet.had_trouble(worker, text);
                        trouble = Some(anyhow!("worker {worker}: {text}"));
                    }
                    _ => {
                        let heard = Heard { worker, account, said }.without_trouble();
                        self.fleet.credit(worker, heard.done());
                        return Ok(heard);
                    }
                },
            }
        }
        Err(trouble.unwrap_or_else(|| anyhow!("{MOST_LIARS} workers gave no answer that could be believed")))
    }

    /// Replays of up to `small` bytes are kept beside the results.
    fn play_and_keep(&self, season: &Season, matches: &[(i64, PerSeat<Seated>)], small: usize) -> Vec<Result<Played>> {
        let orders = match self.orders(season, matches) {
            Ok(orders) => orders,
            Err(error) => return vec![Err(error)],
        };
        let finished = self.runtime.block_on(self.play_orders(&orders));
        let store = store_for(&self.store, self.purpose);
        keep_all(&store, small, finished, matches.iter().map(|(_, players)| players))
    }

    async fn build(&self, compile: Compile) -> Result<Built> {
        let task = Task::Compile(compile);
        let needs = Needs { compiles: true, trusted: true, ..Needs::default() };
        let (first, built) = self.ask_to_build(&task, &needs).await?;
        let others = Needs { not: vec![first], ..needs };
        if !self.is_checked() || !self.fleet.has(&others) {
            return Ok(built);
        }
        let (second, again) = self.ask_to_build(&task, &others).await?;
        if built == again {
            self.fleet.compared(&[first, second], None);
            return Ok(built);
        }
        let (third, decides) = self.ask_to_build(&task, &Needs { not: vec![first, second], ..others }).await?;
        let (odd, other) = match (decides == built, decides == again) {
            (true, _) => (second, first),
            (_, true) => (first, second),
            _ => return Err(anyhow!("three workers compiled a source to three things")),
        };
        self.fleet.compared(&[third, other], Some(odd));
        self.fleet.lied(odd, &Lie::Outvoted).await;
        Ok(decides)
    }

    async fn ask_to_build(&self, task: &Task, needs: &Needs) -> Result<(WorkerId, Built)> {
        let most = LARGEST_MODULE + MOST_MESSAGES;
        let mut trouble = None;
        for _ in 0..MOST_LIARS {
            let answered =
                self.fleet.carry(task, needs, most).await.map_err(|error| trouble.take().unwrap_or(error))?;
            let worker = answered.worker;
            match read_built(&answered.answer) {
                Some(Said::Done(built)) => return Ok((worker, built)),
                Some(Said::TooSlow) if self.patience != Patience::Endless => return Err(TooSlow.into()),
                Some(Said::Trouble(text)) => {
                    self.fleet.had_trouble(worker, &text);
                    trouble = Some(anyhow!("worker {worker}: {text}"));
                }
                _ => self.fleet.lied(worker, &Lie::Rubbish).await,
            }
        }
        Err(trouble.unwrap_or_else(|| anyhow!("{MOST_LIARS} workers gave no answer that could be believed")))
    }
}

impl Machines for RemoteMachines {
    /// Workers prepare themselves.
    fn warm_up(&self, _: &dyn Game, _: Language) -> Result<()> {
        Ok(())
    }

    fn compile(&self, season: &Season, name: &str, language: Language, source: &[u8]) -> Result<Compiled> {
        let compile = Compile {
            game: season.game.clone(),
            name: name.to_owned(),
            language,
            source: source.to_vec(),
            little_patience: self.patience.for_compilers(),
        };
        self.runtime.block_on(self.build(compile))?.kept(&self.store)
    }

    fn play(&self, season: &Season, seed: i64, players: &PerSeat<Seated>) -> Result<Played> {
        let mut results = self.play_and_keep(season, &[(seed, players.clone())], 0);
        results.pop().unwrap_or_else(|| Err(anyhow!("a match was not played")))
    }

    fn play_all(&self, season: &Season, matches: &[(i64, PerSeat<Seated>)]) -> Vec<Result<Played>> {
        self.play_and_keep(season, matches, small_for(self.purpose))
    }

    fn compare_players(&self, season: &Season, pair: &[String; 2], others: &[String]) -> Result<PlayerLikeness> {
        let needs = Needs { trusted: true, ..Needs::default() };
        let play = |order: &Order| {
            let heard = self.runtime.block_on(self.ask_to_play(std::slice::from_ref(order), &needs))?;
            heard.results().pop().unwrap_or_else(|| Err(anyhow!("a match was not played")))
        };
        PlayerLikeness::of(&self.store, season, pair, others, self.patience, play)
    }

    fn probe(&self) -> Result<(), Trouble> {
        self.store.probe().map_err(|error| Trouble::of(&error).unwrap_or(Trouble::Store))?;
        if self.fleet.has(&Needs::default()) { Ok(()) } else { Err(Trouble::Workers) }
    }

    fn hurried(&self, patience: Patience) -> Option<Arc<dyn Machines>> {
        Some(Arc::new(RemoteMachines { patience, ..self.clone() }))
    }

    fn meant_for(&self, purpose: Purpose) -> Option<Arc<dyn Machines>> {
        Some(Arc::new(RemoteMachines { purpose, ..self.clone() }))
    }
}

/// Whether an error is that nobody is there to do it.
pub fn is_nobody_there(error: &anyhow::Error) -> bool {
    error.is::<NobodyThere>()
}
