(* Tests of the rules: numbers of positions after d moves, a finished game counting as one. *)
From Coq Require Import ZArith List Uint63.
From Marquis Require Import Game Hexagon Unification.
Import ListNotations.
Open Scope uint63_scope.

Fixpoint perft (depth : nat) (g : game) (p : position g) : int :=
  match depth with
  | O => 1
  | S depth =>
      match judge g p with
      | Over _ => 1
      | Goes_on moves => fold_left (fun count '(_, q) => count + perft depth g q) moves 0
      end
  end.

Definition perfts (depth : nat) (g : game) (p : position g) : list int :=
  map (fun d => perft d g p) (seq 1 depth).

(* The check numbers of rules.md, in the rules of each game. *)

Goal perfts 3 (squish 3) (start 3) = [6; 30; 150].
Proof. vm_compute. reflexivity. Qed.

Goal perfts 4 (squish 4) (start 4) = [30; 810; 19794; 441072].
Proof. vm_compute. reflexivity. Qed.

Goal perfts 3 (squish 5) (start 5) = [72; 4968; 325872].
Proof. vm_compute. reflexivity. Qed.

Goal perfts 4 (flowish 4) (start 4) = [30; 810; 5523; 36174].
Proof. vm_compute. reflexivity. Qed.

Goal perfts 3 (flowish 5) (start 5) = [72; 4914; 53052].
Proof. vm_compute. reflexivity. Qed.

(* At most one player wins. *)
Theorem one_winner g p : wins g White p -> wins g Black p -> False.
Proof.
  induction 1 as [p over | p moves m q goes mover chosen _ IH | p moves goes mover _ IH];
    inversion 1 as [p' over' | p' moves' m' q' goes' mover' chosen' won' | p' moves' goes' mover' won'];
    subst; cbn in *; try congruence.
  - assert (moves' = moves) by congruence; subst; eauto.
  - assert (moves' = moves) by congruence; subst; eauto.
Qed.
