(* The checker for Swish and Squeeze. *)
From Coq Require Import Bool ZArith List Uint63.
From Marquis Require Import Game Checker Beads.
Open Scope uint63_scope.
Open Scope bool_scope.

Definition same_setting (p q : setting) : bool :=
  (white p =? white q) && (black p =? black q) && (beads p =? beads q) &&
  (white_store p =? white_store q) && (black_store p =? black_store q) && (target p =? target q) &&
  same_player (turn p) (turn q).

Lemma same_setting_true p q : same_setting p q = true -> p = q.
Proof.
  destruct p, q; unfold same_setting; cbn.
  rewrite !andb_true_iff, !eqb_spec.
  intros [[[[[[-> ->] ->] ->] ->] ->] ->%same_player_true]; reflexivity.
Qed.

(* The upper half of the product depends on all bits of the sets. *)
Definition hash_setting (p : setting) : int :=
  (white p * 7046029254386353131 + black p * 2685821657736338717 + beads p * 6364136223846793005 +
   white_store p * 3935559000370003845) >> 32.

Notation check_swish side rule who := (check (swish side rule) who same_setting hash_setting).
Notation check_squeeze side rule who := (check (squeeze side rule) who same_setting hash_setting).

Theorem check_swish_sound side rule who slots certificate p :
  check_swish side rule who slots certificate p = true -> wins (swish side rule) who p.
Proof.
  exact (check_sound (swish side rule) who _ hash_setting same_setting_true slots certificate p).
Qed.

Theorem check_squeeze_sound side rule who slots certificate p :
  check_squeeze side rule who slots certificate p = true -> wins (squeeze side rule) who p.
Proof.
  exact (check_sound (squeeze side rule) who _ hash_setting same_setting_true slots certificate p).
Qed.
