//! Configs that are refused, with the message of each.

use super::{config, start};

/// A board for `FIXED` with one letter in place of soil at some cells, and
/// some words replaced.
fn fixed(letters: &[(usize, usize, char)], words: &[(&str, &str)]) -> String {
    let mut rows = vec![vec!['.'; 20]; 20];
    letters.iter().for_each(|&(i, j, letter)| rows[i][j] = letter);
    let rows: String =
        rows.iter().enumerate().map(|(i, row)| format!("{i} {}\n", row.iter().collect::<String>())).collect();
    let corners = "1 2  3 12  14 15  16 7";
    let mut board =
        format!("FIXED a b\n{rows}rivers 2  1 5 6  0\nbread {corners}\nseed {corners}\nleaf {corners}\nthe rest");
    for (from, to) in words {
        assert!(board.contains(from), "{from}");
        board = board.replacen(from, to, 1);
    }
    let settings = config(&[("BOARD_ROWS", "20"), ("BOARD_COLS", "20"), ("NUM_INI_WORKERS", "0")]);
    settings.replace("GENERATOR1", &board)
}

fn check_config(text: &str, expected: Result<(), &str>) {
    let found = start(text, 1).map(|_| ());
    assert_eq!(found, expected.map_err(String::from), "{text}");
}

#[test]
fn settings_that_are_refused() {
    for (label, value, expected) in [
        ("NUM_PLAYERS", "3", "line 3, column 13: NUM_PLAYERS must be 4, found 3"),
        ("NUM_PLAYERS", "5", "line 3, column 13: NUM_PLAYERS must be 4, found 5"),
        ("NUM_ROUNDS", "0", "line 4, column 12: NUM_ROUNDS must be from 1 to 10000, found 0"),
        ("NUM_ROUNDS", "10001", "line 4, column 12: NUM_ROUNDS must be from 1 to 10000, found 10001"),
        ("BOARD_ROWS", "19", "line 5, column 12: BOARD_ROWS must be from 20 to 500, found 19"),
        ("BOARD_ROWS", "501", "line 5, column 12: BOARD_ROWS must be from 20 to 500, found 501"),
        ("BOARD_COLS", "19", "line 6, column 12: BOARD_COLS must be from 20 to 500, found 19"),
        ("BOARD_COLS", "501", "line 6, column 12: BOARD_COLS must be from 20 to 500, found 501"),
        ("QUEEN_PERIOD", "0", "line 7, column 14: QUEEN_PERIOD must be at least 1, found 0"),
        ("NUM_INI_SOLDIERS", "-1", "line 23, column 18: NUM_INI_SOLDIERS must be at least 0, found -1"),
        ("NUM_INI_WORKERS", "-1", "line 24, column 17: NUM_INI_WORKERS must be at least 0, found -1"),
        ("BONUS_ROWS", "-1", "line 25, column 12: BONUS_ROWS must be from 0 to 12, found -1"),
        ("BONUS_ROWS", "13", "line 25, column 12: BONUS_ROWS must be from 0 to 12, found 13"),
        ("BONUS_COLS", "-1", "line 26, column 12: BONUS_COLS must be from 0 to 12, found -1"),
        ("BONUS_COLS", "13", "line 26, column 12: BONUS_COLS must be from 0 to 12, found 13"),
        ("BONUS_PERIOD", "0", "line 27, column 14: BONUS_PERIOD must be at least 1, found 0"),
        ("WORKER_LIFE", "0", "line 28, column 13: WORKER_LIFE must be at least 1, found 0"),
        ("SOLDIER_LIFE", "0", "line 29, column 14: SOLDIER_LIFE must be at least 1, found 0"),
        ("QUEEN_LIFE", "0", "line 30, column 12: QUEEN_LIFE must be at least 1, found 0"),
        ("QUEEN_LIFE", "x", "line 30, column 12: expected QUEEN_LIFE, an integer, found 'x'"),
        ("QUEEN_LIFE", "2.5", "line 30, column 13: expected GENERATOR1 or FIXED, found '.5'"),
        ("WORKER_LIFE", "2.5", "line 28, column 14: expected SOLDIER_LIFE, found '.5'"),
        ("WORKER_LIFE", "2147483648", "line 28, column 13: WORKER_LIFE must fit in 32 bits, found '2147483648'"),
        (
            "NUM_INI_WORKERS",
            "150",
            "NUM_INI_SOLDIERS 3 and NUM_INI_WORKERS 150 do not fit on the board for player 3; ask for fewer ants or a larger board",
        ),
        (
            "NUM_INI_WORKERS",
            "2147483647",
            "NUM_INI_SOLDIERS 3 and NUM_INI_WORKERS 2147483647 do not fit on the board for player 0; ask for fewer ants or a larger board",
        ),
    ] {
        check_config(&config(&[(label, value)]), Err(expected));
    }
    let nutrients = ["CARBO", "PROTE", "LIPID"];
    for (k, owner) in ["SOLDIER", "WORKER", "BREAD", "SEED", "LEAF"].into_iter().enumerate() {
        for (n, nutrient) in nutrients.into_iter().enumerate() {
            let label = format!("{owner}_{nutrient}");
            let (line, column) = (8 + 3 * k + n, label.len() + 2);
            let expected = format!("line {line}, column {column}: {label} must be at least 0, found -1");
            check_config(&config(&[(&label, "-1")]), Err(&expected));
        }
    }
}

#[test]
fn settings_at_their_limits() {
    for (label, value) in [
        ("NUM_ROUNDS", "1"),
        ("BOARD_ROWS", "20"),
        ("BOARD_COLS", "120"),
        ("QUEEN_PERIOD", "+1"),
        ("NUM_INI_SOLDIERS", "0"),
        ("BONUS_ROWS", "12"),
        ("BONUS_COLS", "12"),
        ("QUEEN_LIFE", "2147483647"),
        ("QUEEN_LIFE", "1"),
    ] {
        check_config(&config(&[(label, value)]), Ok(()));
    }
}

#[test]
fn config_texts() {
    let text = config(&[]);
    check_config(&text.replace(char::is_whitespace, "\r\n\x0b\x0c\t "), Ok(()));
    // A number ends where its digits do; what follows the generator is not looked at.
    check_config(&text.replace("4\nNUM", "4NUM"), Ok(()));
    check_config(&format!("{text} 1 2 -3 and so on"), Ok(()));
    for (from, to, expected) in [
        ("Ants", "Bees", "line 1, column 1: expected Ants, found 'Bees'"),
        ("1.0", "1.1", "line 1, column 6: expected 1.0, found '1.1'"),
        ("BOARD_ROWS", "BOARD_COLS", "line 5, column 1: expected BOARD_ROWS, found 'BOARD_COLS'"),
        ("GENERATOR1", "GENERATOR2", "line 32, column 1: expected GENERATOR1 or FIXED, found 'GENERATOR2'"),
        ("GENERATOR1", "", "line 33, column 1: expected GENERATOR1 or FIXED, found the end of the text"),
    ] {
        check_config(&text.replacen(from, to, 1), Err(expected));
    }
    check_config("", Err("line 1, column 1: expected Ants, found the end of the text"));
}

#[test]
fn fixed_boards() {
    check_config(&fixed(&[(0, 0, 'W'), (9, 9, 'B'), (9, 10, 'S'), (10, 9, 'L')], &[]), Ok(()));
    for (from, to, expected) in [
        ("0 ....", "0 ...", "line 33, column 3: expected a row of 20 cells, found 19 of them"),
        ("0 ....", "0 .....", "line 33, column 3: expected a row of 20 cells, found 21 of them"),
        ("0 ..", "0 .w", "line 33, column 4: expected one of . W B S L, found 'w'"),
        ("rivers", "river", "line 53, column 1: expected rivers, found 'river'"),
        ("rivers 2", "rivers -2", "line 53, column 8: the number of rivers must be at least 0, found -2"),
        ("5 6  0", "5 6  -1", "line 53, column 18: the number of cells of a river must be at least 0, found -1"),
        ("5 6  0", "5 x  0", "line 53, column 15: expected a column, an integer, found 'x'"),
        ("bread", "breed", "line 54, column 1: expected bread, found 'breed'"),
        ("\nseed", "\nleaf", "line 55, column 1: expected seed, found 'leaf'"),
        ("\nleaf", "\nend", "line 56, column 1: expected leaf, found 'end'"),
        ("leaf 1 2", "leaf 1 two", "line 56, column 8: expected a column, an integer, found 'two'"),
    ] {
        check_config(&fixed(&[], &[(from, to)]), Err(expected));
    }
    for (from, to, at, quadrant) in [
        (
            "bread 1 2 ",
            "bread -1 2 ",
            "bread rectangle of player 0, 3 by 3 cells from (-1, 2)",
            "0 to 9 and columns 0 to 9",
        ),
        (
            "bread 1 2 ",
            "bread 8 2 ",
            "bread rectangle of player 0, 3 by 3 cells from (8, 2)",
            "0 to 9 and columns 0 to 9",
        ),
        ("seed 1 2 ", "seed 1 8 ", "seed rectangle of player 0, 3 by 3 cells from (1, 8)", "0 to 9 and columns 0 to 9"),
        (" 3 12 ", " 3 9 ", "bread rectangle of player 1, 3 by 3 cells from (3, 9)", "0 to 9 and columns 10 to 19"),
        (
            " 14 15 ",
            " 9 15 ",
            "bread rectangle of player 2, 3 by 3 cells from (9, 15)",
            "10 to 19 and columns 10 to 19",
        ),
        (
            " 14 15 ",
            " 18 15 ",
            "bread rectangle of player 2, 3 by 3 cells from (18, 15)",
            "10 to 19 and columns 10 to 19",
        ),
        (" 16 7", " 16 8", "bread rectangle of player 3, 3 by 3 cells from (16, 8)", "10 to 19 and columns 0 to 9"),
        (
            " 16 7",
            " 2147483647 7",
            "bread rectangle of player 3, 3 by 3 cells from (2147483647, 7)",
            "10 to 19 and columns 0 to 9",
        ),
    ] {
        check_config(&fixed(&[], &[(from, to)]), Err(&format!("the {at}, is not within rows {quadrant}")));
    }
    let no_rows = fixed(&[], &[]).replace("BONUS_ROWS            3", "BONUS_ROWS 0");
    check_config(&no_rows, Ok(()));
    check_config(
        &no_rows.replace("seed 1 2 ", "seed 0 2 "),
        Err(
            "the seed rectangle of player 0, 0 by 3 cells from (0, 2), is not within rows 0 to 9 and columns 0 to 9; one of 0 rows or columns may not begin at the edge of the board either",
        ),
    );
    let all_food: Vec<(usize, usize, char)> = (0..4).flat_map(|i| (0..4).map(move |j| (i, j, 'B'))).collect();
    let refused = start(&fixed(&all_food, &[]), 1).map(|_| ()).unwrap_err();
    assert!(refused.starts_with("the queen of player 0 would start on food, at ("), "{refused}");
}
