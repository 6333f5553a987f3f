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

(* The starts, as rules.md has them: 1wb1/wb1wb/b1wb1w/1wb1wb1/b1wb1w/wb1wb/1wb1 w on side 4. *)
Definition cells (side : Z) (names : list string) : int := set_of (map (cell_number side) names).

Goal start 3 = Pieces White
  (cells 3 ["a3"; "b2"; "c1"; "c4"; "d2"; "e3"]%string)
  (cells 3 ["a1"; "b3"; "c2"; "c5"; "d3"; "e1"]%string).
Proof. vm_compute. reflexivity. Qed.

Goal start 4 = Pieces White
  (cells 4 ["a2"; "b1"; "b4"; "c3"; "c6"; "d2"; "d5"; "e3"; "e6"; "f1"; "f4"; "g2"]%string)
  (cells 4 ["a3"; "b2"; "b5"; "c1"; "c4"; "d3"; "d6"; "e1"; "e4"; "f2"; "f5"; "g3"]%string).
Proof. vm_compute. reflexivity. Qed.

(* The set-up w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b. *)
Definition full_game : Beads.setting :=
  Beads.Setting White
    (cells 5 ["a1"; "e9"; "i1"]%string) (cells 5 ["a5"; "e1"; "i5"]%string)
    (cells 5 ["c3"; "c4"; "c5"; "d3"; "d4"; "d5"; "d6"; "e3"; "e4"; "e5"; "e6"; "e7";
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
