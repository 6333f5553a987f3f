(* Flowish, side 4: White wins from the start. *)
From Coq Require Import ZArith Uint63.
From Marquis Require Import Game Unification UnificationChecker.
From Marquis.generated Require flowish_4.

Theorem flowish4_white_wins : wins (flowish 4) White (start 4).
Proof.
  apply (check_flowish_sound 4 White (1 << 17) flowish_4.words).
  vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions flowish4_white_wins.
