(* The rules of Senet and the checker of its bounds as an OCaml program, for senet.ml. *)
From Coq Require Import List Uint63 PArray.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOCamlInt63 ExtrOCamlPArray.
From Marquis Require Import Game Senet SenetChecker.

Definition empty_table (length : int) : table := make length nothing.

(* Inlined, the type has two arguments. *)
Extraction NoInline PArray.array.

Extraction "generated/senet_rules.ml"
  moves borne_off entry_of empty_table add lookup good check lower upper backup.
