(* Squish, side 4: White wins from the start. *)
From Coq Require Import ZArith Uint63.
From Marquis Require Import Game Unification UnificationChecker.
From Marquis.generated Require squish_4.

Theorem squish4_white_wins : wins (squish 4) White (start 4).
Proof.
  apply (check_squish_sound 4 White (1 << 21) squish_4.words).
  vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions squish4_white_wins.
