(* Games of two players, and what it means that a player wins. *)
From Coq Require Import List Uint63.

Inductive player := White | Black.

Definition opponent (who : player) : player :=
  match who with White => Black | Black => White end.

Definition same_player (a b : player) : bool :=
  match a, b with White, White | Black, Black => true | _, _ => false end.

(* A move is a number; each game defines its meaning. *)
Definition move := int.

(* A position is either final, with a winner or drawn, or has at least one legal move. Each move
   comes with the position after it. *)
Inductive verdict (position : Type) :=
| Over (winner : option player)
| Goes_on (moves : list (move * position)).

Arguments Over {position}.
Arguments Goes_on {position}.

Record game := Game {
  position : Type;
  to_move : position -> player;
  judge : position -> verdict position;
}.

(* `wins g who p`: from p, the player `who` can force the end of the game as its winner. *)
Inductive wins (g : game) (who : player) : position g -> Prop :=
| has_won p :
    judge g p = Over (Some who) -> wins g who p
| can_choose p moves m q :
    judge g p = Goes_on moves -> to_move g p = who ->
    In (m, q) moves -> wins g who q -> wins g who p
| must_answer p moves :
    judge g p = Goes_on moves -> to_move g p = opponent who ->
    (forall m q, In (m, q) moves -> wins g who q) -> wins g who p.

(* `does_not_lose g who p`: from p, the player `who` can avoid to lose, if need be by endless
   play. *)
CoInductive does_not_lose (g : game) (who : player) : position g -> Prop :=
| has_not_lost p winner :
    judge g p = Over winner -> winner <> Some (opponent who) -> does_not_lose g who p
| can_hold p moves m q :
    judge g p = Goes_on moves -> to_move g p = who ->
    In (m, q) moves -> does_not_lose g who q -> does_not_lose g who p
| must_hold p moves :
    judge g p = Goes_on moves -> to_move g p = opponent who ->
    (forall m q, In (m, q) moves -> does_not_lose g who q) -> does_not_lose g who p.
