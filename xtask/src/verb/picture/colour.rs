//! The 256 colours of terminals, as SVG spells them.

/// The first sixteen are the terminal's own; these are common ones.
const OWN: [&str; 16] = [
    "#1c1f26", "#d06c6c", "#8fb573", "#dbb671", "#6ea3d8", "#b48ead", "#6fb3b8", "#c9ced6", "#5c6370",
    "#e88388", "#a8cc8c", "#e5c07b", "#81b3ec", "#c8a2c8", "#88c7cc", "#ffffff",
];

/// The colour with this number.
pub(super) fn hex(number: u8) -> String {
    match number {
        0..=15 => OWN[usize::from(number)].to_owned(),
        16..=231 => cube(number - 16),
        232..=255 => {
            let grey = 8 + 10 * (number - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    }
}

/// Six steps each of red, green and blue.
fn cube(place: u8) -> String {
    let step = |digit: u8| if digit == 0 { 0 } else { 55 + 40 * digit };
    let [red, green, blue] = [place / 36, place / 6 % 6, place % 6].map(step);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn the_corners_of_the_cube_and_the_greys_are_where_they_belong() {
        assert_eq!(
            [16, 231, 196, 74, 232, 255].map(hex),
            ["#000000", "#ffffff", "#ff0000", "#5fafd7", "#080808", "#eeeeee"]
        );
    }
}
