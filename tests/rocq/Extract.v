(* The rules and checkers as an OCaml program, for main.ml. *)
From Coq Require Import ZArith List Uint63 PArray.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOCamlInt63 ExtrOCamlPArray.
From Marquis Require Import Game Checker Unification UnificationChecker Beads BeadsChecker.

(* Games by the side of their board, as a primitive integer. *)
Definition squish_of side := squish (to_Z side).
Definition flowish_of side := flowish (to_Z side).
Definition swish_of rule side := swish (to_Z side) rule.
Definition squeeze_of rule side := squeeze (to_Z side) rule.

Definition judge_squish side : pieces -> verdict pieces := judge (squish_of side).
Definition judge_flowish side : pieces -> verdict pieces := judge (flowish_of side).
Definition judge_swish rule side : setting -> verdict setting := judge (swish_of rule side).
Definition judge_squeeze rule side : setting -> verdict setting := judge (squeeze_of rule side).

Definition check_squish side who : int -> list int -> pieces -> bool :=
  check (squish_of side) who same_pieces hash_pieces.
Definition check_flowish side who : int -> list int -> pieces -> bool :=
  check (flowish_of side) who same_pieces hash_pieces.
Definition check_swish rule side who : int -> list int -> setting -> bool :=
  check (swish_of rule side) who same_setting hash_setting.
Definition check_squeeze rule side who : int -> list int -> setting -> bool :=
  check (squeeze_of rule side) who same_setting hash_setting.

(* Inlined, the type has two arguments. *)
Extraction NoInline PArray.array.

Extraction "generated/rules.ml"
  judge_squish judge_flowish judge_swish judge_squeeze
  check_squish check_flowish check_swish check_squeeze.
