(* Senet after Jequier, from crates/games/src/senet/rules.md. *)
From Coq Require Import Bool List Uint63 ZArith.
From Marquis Require Import Game Hexagon Chance.
Import ListNotations.
Open Scope uint63_scope.
Open Scope bool_scope.

(* Squares have the numbers 1 to 30. A set of squares is an integer with bit s for square s. *)
Record track := Track {
  turn : player; (* the player who throws *)
  own : int;     (* his pieces *)
  other : int;   (* those of his opponent *)
}.

Definition water : int := 27.
Definition last_square : int := 30.

Definition safe_houses : int := set_of [26; 28; 29].

(* Squares 21 to 30. *)
Definition last_row : int := set_of [21; 22; 23; 24; 25; 26; 27; 28; 29; 30].

Definition vacant (p : track) (s : int) : bool := negb (has (own p lor other p) s).

(* The first of three consecutive squares in s, the second and the third, as sets. *)
Definition threes (s : int) : int := s land (s >> 1) land (s >> 2).

(* The squares strictly between a and b; a < b. *)
Definition between (a b : int) : int := singleton b - singleton (a + 1).

(* No row of three enemies stands strictly between a and b, in whichever order. *)
Definition open_way (p : track) (a b : int) : bool :=
  is_empty (threes (other p land (if a <? b then between a b else between b a))).

(* Squares 0 and 30 are never occupied. *)
Definition in_row_of_two (s c : int) : bool := has s c && (has s (c - 1) || has s (c + 1)).

(* Of the squares 1 to 30; with five pieces a side it is never 27 or 30. *)
Definition lowest_empty (occupied : int) : int := tail0 (without 2147483646 occupied).

(* The position after the piece on a has left for c, not yet handed to the next player. *)
Definition moved (p : track) (a c : int) : track :=
  let rest := without (own p) (singleton a) in
  if c =? last_square then Track (turn p) rest (other p)
  else if c =? water then
    Track (turn p) (rest lor singleton (lowest_empty (rest lor other p))) (other p)
  else if has (other p) c then
    Track (turn p) (rest lor singleton c) (without (other p) (singleton c) lor singleton a)
  else Track (turn p) (rest lor singleton c) (other p).

Definition forward_legal (p : track) (a c : int) : bool :=
  (c <=? last_square) && open_way p a c &&
  (if c =? last_square then is_empty (without (own p) last_row)
   else negb (has (own p) c) &&
     negb (has (other p) c && (in_row_of_two (other p) c || has safe_houses c))).

Definition backward_legal (p : track) (a x : int) : bool :=
  (x <? a) && vacant p (a - x) && open_way p a (a - x).

(* The turn passes. *)
Definition passed (p : track) : track := Track (opponent (turn p)) (other p) (own p).

Definition throws_again (x : int) : bool := (x =? 1) || (x =? 4) || (x =? 6).

Definition after_move (p : track) (x : int) : track := if throws_again x then p else passed p.

Definition pass : move := 4095.

(* A move is 64 times the square that the piece leaves, plus the square where it lands. *)
Definition moves (p : track) (x : int) : list (move * track) :=
  let play a c := (64 * a + c, after_move (moved p a c) x) in
  let pieces := elements (own p) in
  match filter (fun a => forward_legal p a (a + x)) pieces with
  | [] =>
      match filter (fun a => backward_legal p a x) pieces with
      | [] => [(pass, passed p)]
      | pieces => map (fun a => play a (a - x)) pieces
      end
  | pieces => map (fun a => play a (a + x)) pieces
  end.

(* A player without a piece has won; if both have none, the one who does not throw, as he moved. *)
Definition borne_off (p : track) : option player :=
  if is_empty (other p) then Some (opponent (turn p))
  else if is_empty (own p) then Some (turn p)
  else None.

Definition senet : chance_game :=
  Chance_game track int [(1, 4%Z); (2, 6%Z); (3, 4%Z); (4, 1%Z); (6, 1%Z)] borne_off turn
    (fun p x => map snd (moves p x)).

Lemma moves_some p x : moves p x <> [].
Proof.
  unfold moves; destruct (filter _ _); [destruct (filter _ _) |]; discriminate.
Qed.

Lemma senet_well_formed : well_formed senet.
Proof.
  split; cbn.
  - intros x w H; repeat (destruct H as [[= <- <-] | H]; [reflexivity |]); contradiction.
  - discriminate.
  - intros p x _ H; apply map_eq_nil in H; exact (moves_some p x H).
Qed.
