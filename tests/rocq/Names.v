(* The names of cells: the letter of the row, from the bottom, and the place in it. *)
From Coq Require Import ZArith List String Ascii Uint63.
From Marquis Require Import Game Hexagon.

Definition letter (first : ascii) (k : Z) : ascii := ascii_of_nat (nat_of_ascii first + Z.to_nat k).

Definition cell_name (side : Z) '((q, r) : Z * Z) : string :=
  let leftmost := Z.max (1 - side) (1 - side - r) in
  String (letter "a" (r + side - 1)) (String (letter "1" (q - leftmost)) EmptyString).

Fixpoint place (name : string) (names : list string) : int :=
  match names with
  | nil => 0
  | cons n names => if String.eqb name n then 0 else 1 + place name names
  end.

Definition cell_number (side : Z) (name : string) : int :=
  place name (map (cell_name side) (coordinates side)).
