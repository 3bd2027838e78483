//! The city: what each cell shows, and boards as configs and records give them.

use super::settings::Settings;
use super::state::{Barricade, Citizen, Kind, Weapon};
use crate::record::read_board;
use crate::tokens::{Result, TextError, Tokens, show};
use crate::{Grid, Pos, Seat};

/// What is on a cell. The values are the letters of records.
///
/// A cell never holds two of an item, a barricade and a citizen, but for a
/// citizen in a barricade of its own clan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cell {
    Street = b'.',
    Building = b'B',
    Gun = b'G',
    Bazooka = b'Z',
    Money = b'M',
    Food = b'F',
    Builder = b'C',
    Warrior = b'W',
    Barricade = b'b',
    BuilderInBarricade = b'c',
    WarriorInBarricade = b'w',
}

impl Cell {
    pub fn from_letter(letter: u8) -> Option<Cell> {
        Some(match letter {
            b'.' => Cell::Street,
            b'B' => Cell::Building,
            b'G' => Cell::Gun,
            b'Z' => Cell::Bazooka,
            b'M' => Cell::Money,
            b'F' => Cell::Food,
            b'C' => Cell::Builder,
            b'W' => Cell::Warrior,
            b'b' => Cell::Barricade,
            b'c' => Cell::BuilderInBarricade,
            b'w' => Cell::WarriorInBarricade,
            _ => return None,
        })
    }

    /// The kind of citizen here.
    #[inline]
    pub fn citizen(self) -> Option<Kind> {
        match self {
            Cell::Builder | Cell::BuilderInBarricade => Some(Kind::Builder),
            Cell::Warrior | Cell::WarriorInBarricade => Some(Kind::Warrior),
            _ => None,
        }
    }

    #[inline]
    pub fn has_barricade(self) -> bool {
        matches!(self, Cell::Barricade | Cell::BuilderInBarricade | Cell::WarriorInBarricade)
    }

    /// The cell once a citizen has come to it. Whatever item was here is gone.
    #[inline]
    pub fn with_citizen(self, kind: Kind) -> Cell {
        match (self.has_barricade(), kind) {
            (false, Kind::Builder) => Cell::Builder,
            (false, Kind::Warrior) => Cell::Warrior,
            (true, Kind::Builder) => Cell::BuilderInBarricade,
            (true, Kind::Warrior) => Cell::WarriorInBarricade,
        }
    }

    /// The cell once its citizen has left.
    #[inline]
    pub fn without_citizen(self) -> Cell {
        if self.has_barricade() { Cell::Barricade } else { Cell::Street }
    }

    /// The cell once a barricade has been built on it.
    pub fn with_barricade(self) -> Cell {
        match self.citizen() {
            None => Cell::Barricade,
            Some(Kind::Builder) => Cell::BuilderInBarricade,
            Some(Kind::Warrior) => Cell::WarriorInBarricade,
        }
    }

    /// The cell once its barricade is gone.
    pub fn without_barricade(self) -> Cell {
        match self.citizen() {
            None => Cell::Street,
            Some(Kind::Builder) => Cell::Builder,
            Some(Kind::Warrior) => Cell::Warrior,
        }
    }
}

impl From<Cell> for u8 {
    fn from(cell: Cell) -> u8 {
        cell as u8
    }
}

/// What lies in the streets to be picked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Item {
    Money,
    Food,
    Gun,
    Bazooka,
}

impl Item {
    /// A street with this item on it.
    pub fn on_street(self) -> Cell {
        match self {
            Item::Money => Cell::Money,
            Item::Food => Cell::Food,
            Item::Gun => Cell::Gun,
            Item::Bazooka => Cell::Bazooka,
        }
    }
}

/// A city with what is in it.
#[derive(Clone, Debug)]
pub struct Board {
    pub cells: Grid<Cell>,
    /// By increasing id.
    pub citizens: Vec<Citizen>,
    /// By row, then column.
    pub barricades: Vec<Barricade>,
}

impl Board {
    /// The id after the greatest one; it may be too great for an id.
    pub fn first_id_after(&self) -> i64 {
        self.citizens.iter().map(|citizen| i64::from(citizen.id)).fold(0, i64::max) + 1
    }

    /// Whether a match can begin here: everybody with the life of birth, and
    /// as many citizens and items as the settings say. Only the clans together
    /// must have the right number of citizens; one of them may have nobody.
    pub fn check(&self, settings: &Settings) -> Result<()> {
        for citizen in &self.citizens {
            let life = settings.life(citizen.kind);
            if citizen.life != life {
                return Err(TextError::whole(format!(
                    "citizen {} must have the life with which it is born, {life}, found {}",
                    citizen.id, citizen.life
                )));
            }
        }
        for barricade in &self.barricades {
            if !(0..=settings.barricade_max).contains(&barricade.resistance) {
                return Err(TextError::whole(format!(
                    "the barricade at ({}, {}) must have a resistance from 0 to {} (BARRICADE_MAX_RESISTANCE), found {}",
                    barricade.pos.i, barricade.pos.j, settings.barricade_max, barricade.resistance
                )));
            }
        }
        for seat in Seat::ALL {
            let found = self.barricades.iter().filter(|barricade| barricade.owner == seat).count();
            if found > settings.most_barricades as usize {
                return Err(TextError::whole(format!(
                    "player {seat} must have at most {} barricades (MAX_NUM_BARRICADES), found {found}",
                    settings.most_barricades
                )));
            }
        }
        self.check_numbers(settings)
    }

    fn check_numbers(&self, settings: &Settings) -> Result<()> {
        let cells = |wanted: Cell| self.cells.cells().iter().filter(|&&cell| cell == wanted).count();
        let citizens = |wanted: Kind| self.citizens.iter().filter(|citizen| citizen.kind == wanted).count();
        for (what, label, expected, found) in [
            ("pieces of money", "NUM_INI_MONEY", settings.initial_money, cells(Cell::Money)),
            ("pieces of food", "NUM_INI_FOOD", settings.initial_food, cells(Cell::Food)),
            ("guns", "NUM_INI_GUNS", settings.initial_guns, cells(Cell::Gun)),
            ("bazookas", "NUM_INI_BAZOOKAS", settings.initial_bazookas, cells(Cell::Bazooka)),
            ("builders", "4 times NUM_INI_BUILDERS", 4 * settings.initial_builders, citizens(Kind::Builder)),
            ("warriors", "4 times NUM_INI_WARRIORS", 4 * settings.initial_warriors, citizens(Kind::Warrior)),
        ] {
            if found != expected as usize {
                return Err(TextError::whole(format!(
                    "the board must have {expected} {what} ({label}), found {found}"
                )));
            }
        }
        Ok(())
    }
}

/// Reads a board as configs give it and states of a record begin with it.
///
/// Letters of citizens and barricades stand for an empty street: the lists
/// below the grid say who is where.
pub fn read(tokens: &mut Tokens, settings: &Settings) -> Result<Board> {
    let mut cells = Grid::new(settings.rows, settings.cols, Cell::Street);
    read_board(tokens, settings.rows, settings.cols, |pos, letter| {
        let cell = Cell::from_letter(letter).ok_or("one of . B G Z M F C W c w b")?;
        cells[pos] = if cell.citizen().is_some() || cell.has_barricade() { Cell::Street } else { cell };
        Ok(())
    })?;
    let mut board = Board { cells, citizens: Vec::new(), barricades: Vec::new() };
    tokens.expect("citizens")?;
    let count = tokens.int("the number of citizens")?;
    (0..7).try_for_each(|_| tokens.word("a column title").map(drop))?;
    for _ in 0..count {
        board.read_citizen(tokens)?;
    }
    tokens.expect("barricades")?;
    let count = tokens.int("the number of barricades")?;
    (0..4).try_for_each(|_| tokens.word("a column title").map(drop))?;
    for _ in 0..count {
        board.read_barricade(tokens)?;
    }
    Ok(board)
}

impl Board {
    fn read_citizen(&mut self, tokens: &mut Tokens) -> Result<()> {
        let kind = Kind::ALL[read_letter(tokens, "b or w", b"bw")?];
        let id = tokens.int("the id of a citizen")?;
        let place = self.citizens.binary_search_by_key(&id, |citizen| citizen.id);
        let (Err(place), true) = (place, id != -1) else {
            return Err(tokens.error(format!("the id of a citizen must be its own, and not -1, found {id}")));
        };
        let seat = Seat::ALL[tokens.int_in("player", 0..=3)? as usize];
        let pos = self.read_pos(tokens)?;
        if self.cells[pos] != Cell::Street {
            return Err(tokens.error(format!(
                "citizen {id} must stand on an empty street, found {} at ({}, {})",
                show(&[self.cells[pos] as u8]),
                pos.i,
                pos.j
            )));
        }
        let weapon = match (kind, read_letter(tokens, "n, h, g or b", b"nhgb")?) {
            (Kind::Builder, 0) => None,
            (Kind::Warrior, 1) => Some(Weapon::Hammer),
            (Kind::Warrior, 2) => Some(Weapon::Gun),
            (Kind::Warrior, 3) => Some(Weapon::Bazooka),
            (Kind::Builder, _) => return Err(tokens.error(format!("builder {id} must have no weapon (n)"))),
            (Kind::Warrior, _) => return Err(tokens.error(format!("warrior {id} must have a weapon (h, g or b)"))),
        };
        let life = tokens.int("the life of a citizen")?;
        self.cells[pos] = self.cells[pos].with_citizen(kind);
        self.citizens.insert(place, Citizen { id, kind, seat, pos, weapon, life });
        Ok(())
    }

    fn read_barricade(&mut self, tokens: &mut Tokens) -> Result<()> {
        let owner = Seat::ALL[tokens.int_in("player", 0..=3)? as usize];
        let pos = self.read_pos(tokens)?;
        let cell = self.cells[pos];
        if cell != Cell::Street && cell.citizen().is_none() {
            return Err(tokens.error(format!(
                "a barricade must be on an empty street or around a citizen, found {} at ({}, {})",
                show(&[cell as u8]),
                pos.i,
                pos.j
            )));
        }
        if let Some(citizen) = self.citizens.iter().find(|citizen| citizen.pos == pos)
            && citizen.seat != owner
        {
            return Err(tokens.error(format!(
                "citizen {} of player {} must not be in a barricade of player {owner}",
                citizen.id, citizen.seat
            )));
        }
        let resistance = tokens.int("the resistance of a barricade")?;
        self.cells[pos] = cell.with_barricade();
        match self.barricades.binary_search_by_key(&pos, |barricade| barricade.pos) {
            Ok(same) => self.barricades[same].resistance = resistance,
            Err(place) => self.barricades.insert(place, Barricade { pos, owner, resistance }),
        }
        Ok(())
    }

    fn read_pos(&self, tokens: &mut Tokens) -> Result<Pos> {
        let i = tokens.int_in("row", 0..=self.cells.rows() - 1)?;
        Ok(Pos::new(i, tokens.int_in("column", 0..=self.cells.cols() - 1)?))
    }
}

/// The next character, which must be one of `letters`, as its place among them.
/// It need not be a word of its own.
fn read_letter(tokens: &mut Tokens, expected: &str, letters: &[u8]) -> Result<usize> {
    let found = tokens.character(expected)?;
    letters
        .iter()
        .position(|&letter| letter == found)
        .ok_or_else(|| tokens.error(format!("expected {expected}, found {}", show(&[found]))))
}
