(* The rules and checkers as an OCaml program, for main.ml. *)
From Coq Require Import ZArith List Uint63 PArray Extraction ExtrOcamlBasic ExtrOCamlInt63 ExtrOCamlPArray.
From Marquis Require Import Game Checker Hexagon Unification UnificationChecker.

Definition squish_of (side : int) : game := squish (to_Z side).
Definition flowish_of (side : int) : game := flowish (to_Z side).

Definition judge_squish side : pieces -> verdict pieces := judge (squish_of side).
Definition judge_flowish side : pieces -> verdict pieces := judge (flowish_of side).

Definition check_squish side who : int -> list int -> pieces -> bool :=
  check (squish_of side) who same_pieces hash_pieces.
Definition check_flowish side who : int -> list int -> pieces -> bool :=
  check (flowish_of side) who same_pieces hash_pieces.

(* Inlined, the type has two arguments. *)
Extraction NoInline PArray.array.

Extraction "generated/rules.ml" judge_squish judge_flowish check_squish check_flowish.
