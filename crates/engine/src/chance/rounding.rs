//! Rounds errors for display, never downward.

/// A chance with nine digits and its error, which includes the rounding of both: `0.510330640 ± 1.1e-9`.
#[must_use]
pub fn within(chance: f64, error: f64) -> String {
    let shown = format!("{chance:.9}");
    let rounded = shown.parse().map_or(0.0, |shown: f64| (shown - chance).abs());
    format!("{shown} ± {}", at_most(error + rounded))
}

/// An error with two digits, rounded up: `1.5e-6` for 1.42·10⁻⁶.
#[must_use]
pub fn at_most(error: f64) -> String {
    // Adds half of the last digit, so that the nearest number of two digits is not below the error.
    let digit = 10_f64.powf(error.log10().floor() - 1.0);
    format!("{:.1e}", error + digit / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_error_is_shown_smaller_than_it_is() {
        assert_eq!(at_most(1.424_110_960_546_906_7e-6), "1.5e-6");
        assert_eq!(at_most(0.0), "0.0e0");
        for step in 0..4000 {
            let error = 1e-10 * 1.01_f64.powi(step / 2) + f64::from(step % 2) * 1e-16;
            let shown: f64 = at_most(error).parse().expect("a number");
            assert!(shown >= error && shown <= 1.11 * error, "{error} as {shown}");
        }
    }

    #[test]
    fn digits_that_are_left_out_of_a_chance_count_as_error() {
        assert_eq!(within(0.510_330_640_2, 5.13e-10), "0.510330640 ± 7.2e-10");
        assert_eq!(within(1.0, 0.0), "1.000000000 ± 0.0e0");
    }
}
