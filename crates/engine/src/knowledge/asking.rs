//! A question's knowledge and limits.

use crate::knowledge::known::Known;
use crate::{Control, Limits};

/// The knowledge that an answer may use, its limits, and the control of its work.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'a> {
    pub(crate) known: &'a Known,
    pub(crate) limits: &'a Limits,
    pub(crate) control: &'a Control<'a>,
}
