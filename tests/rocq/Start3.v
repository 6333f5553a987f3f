(* Squish and Flowish, side 3: White wins from the start. *)
From Coq Require Import ZArith Uint63.
From Marquis Require Import Game Unification UnificationChecker.
From Marquis.generated Require squish_3 flowish_3.

Theorem squish3_white_wins : wins (squish 3) White (start 3).
Proof.
  apply (check_squish_sound 3 White (1 << 10) squish_3.words).
  vm_cast_no_check (eq_refl true).
Qed.

Theorem flowish3_white_wins : wins (flowish 3) White (start 3).
Proof.
  apply (check_flowish_sound 3 White (1 << 10) flowish_3.words).
  vm_cast_no_check (eq_refl true).
Qed.
