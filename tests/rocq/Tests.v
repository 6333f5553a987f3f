(* Tests of the rules: numbers of positions after d moves, a finished game counting as one. *)
From Coq Require Import ZArith List String Uint63.
From Marquis Require Import Game Hexagon Unification Names.
From Marquis Require Beads.
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

(* The set-up w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b. *)
Definition full_game : Beads.setting :=
  let cells names := set_of (map (cell_number 5) names) in
  Beads.Setting White (cells ["a1"; "e9"; "i1"]%string) (cells ["a5"; "e1"; "i5"]%string)
    (cells ["c3"; "c4"; "c5"; "d3"; "d4"; "d5"; "d6"; "e3"; "e4"; "e5"; "e6"; "e7";
            "f3"; "f4"; "f5"; "f6"; "g3"; "g4"; "g5"]%string) 0 0 10.

Goal perfts 3 (Beads.swish 5 Beads.Loses) full_game = [24; 636; 17739].
Proof. vm_compute. reflexivity. Qed.

Goal perfts 3 (Beads.squeeze 5 Beads.Loses) full_game = [21; 429; 9291].
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

(* A player who need not lose has an opponent who cannot win. *)
Theorem holds_against g who p : does_not_lose g who p -> wins g (opponent who) p -> False.
Proof.
  intros holds won; revert holds.
  induction won as [p over | p moves m q goes mover chosen _ IH | p moves goes mover _ IH];
    inversion 1 as [p' w over' not_lost | p' moves' m' q' goes' mover' chosen' holds' |
                    p' moves' goes' mover' holds'];
    try congruence; try (destruct who; cbn in *; congruence).
  - apply IH, (holds' m); congruence.
  - apply (IH m' q'); congruence.
Qed.
