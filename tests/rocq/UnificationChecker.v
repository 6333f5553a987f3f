(* The checker for Squish and Flowish. *)
From Coq Require Import Bool ZArith List Uint63.
From Marquis Require Import Game Checker Unification.
Open Scope uint63_scope.
Open Scope bool_scope.

Definition same_pieces (p q : pieces) : bool :=
  (white p =? white q) && (black p =? black q) && same_player (turn p) (turn q).

Lemma same_pieces_true p q : same_pieces p q = true -> p = q.
Proof.
  destruct p, q; unfold same_pieces; cbn.
  rewrite !andb_true_iff, !eqb_spec.
  intros [[-> ->] ->%same_player_true]; reflexivity.
Qed.

(* The upper half of the product depends on all bits of both sets. *)
Definition hash_pieces (p : pieces) : int :=
  (white p * 7046029254386353131 + black p * 2685821657736338717) >> 32.

Notation check_squish side who := (check (squish side) who same_pieces hash_pieces).
Notation check_flowish side who := (check (flowish side) who same_pieces hash_pieces).

Theorem check_squish_sound side who slots certificate p :
  check_squish side who slots certificate p = true -> wins (squish side) who p.
Proof. exact (check_sound (squish side) who _ hash_pieces same_pieces_true slots certificate p). Qed.

Theorem check_flowish_sound side who slots certificate p :
  check_flowish side who slots certificate p = true -> wins (flowish side) who p.
Proof. exact (check_sound (flowish side) who _ hash_pieces same_pieces_true slots certificate p). Qed.
