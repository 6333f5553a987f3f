(* The rules and checkers as an OCaml program, for main.ml. *)
From Coq Require Import ZArith List Uint63 PArray.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOCamlInt63 ExtrOCamlPArray.
From Marquis Require Import Game Checker HoldChecker Unification UnificationChecker Beads BeadsChecker.

(* Games by the side of their board, as a primitive integer. *)
Definition squish_of side := squish (to_Z side).
Definition flowish_of side := flowish (to_Z side).
Definition swish_of rule side := swish (to_Z side) rule.
Definition squeeze_of rule side := squeeze (to_Z side) rule.

Definition judge_squish side : pieces -> verdict pieces := judge (squish_of side).
Definition judge_flowish side : pieces -> verdict pieces := judge (flowish_of side).
Definition judge_swish rule side : setting -> verdict setting := judge (swish_of rule side).
Definition judge_squeeze rule side : setting -> verdict setting := judge (squeeze_of rule side).

Inductive promise := Wins | Does_not_lose.

Definition check_promise (g : game) (kept : promise) :=
  match kept with Wins => check g | Does_not_lose => check_hold g end.

Definition check_squish side kept who : int -> list int -> pieces -> bool :=
  check_promise (squish_of side) kept who same_pieces hash_pieces.
Definition check_flowish side kept who : int -> list int -> pieces -> bool :=
  check_promise (flowish_of side) kept who same_pieces hash_pieces.
Definition check_swish rule side kept who : int -> list int -> setting -> bool :=
  check_promise (swish_of rule side) kept who same_setting hash_setting.
Definition check_squeeze rule side kept who : int -> list int -> setting -> bool :=
  check_promise (squeeze_of rule side) kept who same_setting hash_setting.

(* Inlined, the type has two arguments. *)
Extraction NoInline PArray.array.

Extraction "generated/rules.ml"
  judge_squish judge_flowish judge_swish judge_squeeze
  check_squish check_flowish check_swish check_squeeze.
