(* Squish and Flowish: a player wins by bringing all his pieces into one group. *)
From Coq Require Import Bool ZArith List Uint63 PArray.
From Marquis Require Import Game Hexagon.
Import ListNotations.
Open Scope uint63_scope.
Open Scope bool_scope.

Record pieces := Pieces { turn : player; white : int; black : int }.

Definition mine (p : pieces) : int := match turn p with White => white p | Black => black p end.
Definition theirs (p : pieces) : int := match turn p with White => black p | Black => white p end.

(* A piece moves, and an enemy on its goal is captured. *)
Definition step (p : pieces) (origin goal : int) : move * pieces :=
  let moved := without (mine p) (singleton origin) lor singleton goal in
  let left := without (theirs p) (singleton goal) in
  (64 * origin + goal,
   match turn p with White => Pieces Black moved left | Black => Pieces White left moved end).

(* `goals b mine` lists, for pieces of the mover, the cells to which each may move. *)
Definition unification (side : Z) (goals : board -> int -> list (int * list int)) : game :=
  let b := board_of side in
  Game pieces turn (fun p =>
    if is_one_group b (theirs p) then Over (Some (opponent (turn p)))
    else if is_one_group b (mine p) then Over (Some (turn p))
    else match flat_map (fun '(origin, goals) => map (step p origin) goals) (goals b (mine p)) with
    | [] => Over (Some (opponent (turn p)))
    | moves => Goes_on moves
    end).

(* The colours (q - r) mod 3 of the board: 1 for White's pieces, 2 for Black's. *)
Definition start (side : Z) : pieces :=
  let cells := coordinates side in
  let coloured colour := filter (fun '(q, r) => (q - r) mod 3 =? colour)%Z cells in
  let pieces colour := set_of (map (fun cell => index cell cells) (coloured colour)) in
  Pieces White (pieces 1%Z) (pieces 2%Z).

(* Squish: a step towards a friend beyond the goal, and not onto a friend. *)

Definition squish_goals (b : board) (mine : int) : list (int * list int) :=
  map (fun origin =>
    (origin, map next (filter (fun ray =>
      negb (has mine (next ray)) && negb (is_empty (beyond ray land mine))) (rays b).[origin])))
    (elements mine).

Definition squish (side : Z) : game := unification side squish_goals.

(* Flowish *)

Definition far : int := 63.

(* The distance of the first target, `far` if there is none. *)
Fixpoint distance (targets : int) (run : list int) (steps : int) : int :=
  match run with
  | [] => far
  | c :: run => if has targets c then steps else distance targets run (steps + 1)
  end.

Definition minimum (l : list int) : int := fold_left (fun a b => if b <? a then b else a) l far.
Definition maximum (l : list int) : int := fold_left (fun a b => if a <? b then b else a) l 0.

(* The goals on the flowlines on which the piece stands. *)
Definition along_flowline (b : board) (mine origin targets : int) : list int :=
  let nearest := map (fun ray => (next ray, distance targets (run ray) 1)) (rays b).[origin] in
  let least := minimum (map snd nearest) in
  map fst (filter (fun '(goal, steps) =>
    (steps =? least) && (steps <? far) && negb (has mine goal)) nearest).

(* All cells on the three lines through a cell. *)
Definition lines (b : board) (c : int) : int :=
  fold_left (fun s ray => s lor set_of (run ray)) (rays b).[c] (singleton c).

Definition on_flowline (b : board) '((origin, targets) : int * int) : bool :=
  negb (is_empty (lines b origin land targets)).

Definition union (sets : list int) : int := fold_left (fun s t => s lor t) sets 0.

(* The neighbours of c that are nearest to a set without c: `near` is grown from the set, one step
   at a time, until it touches c. None if the set is empty. *)
Fixpoint nearest_neighbours (count : nat) (b : board) (c near : int) : int :=
  match count with
  | O => 0
  | S count =>
      let nearest := (neighbours b).[c] land near in
      if negb (is_empty nearest) then nearest else
      nearest_neighbours count b c
        (near lor union (map (fun d => (neighbours b).[d]) (elements near)))
  end.

(* The goals towards the nearest flowline, for a piece that does not stand on one. *)
Definition towards_flowline (b : board) (mine origin targets : int) : list int :=
  let flowlines := union (map (lines b) (elements targets)) in
  let nearest := nearest_neighbours 16 b origin flowlines in
  filter (fun goal => has nearest goal && negb (has mine goal)) (map next (rays b).[origin]).

Definition flowish_goals (b : board) (mine : int) : list (int * list int) :=
  let groups := groups b mine in
  let most := maximum (map size groups) in
  let largest := union (filter (fun group => size group =? most) groups) in
  let targets c := without largest (union (filter (fun group => has group c) groups)) in
  let pieces := map (fun c => (c, targets c)) (elements mine) in
  let goals := if existsb (on_flowline b) pieces then along_flowline else towards_flowline in
  map (fun '(origin, targets) => (origin, goals b mine origin targets)) pieces.

Definition flowish (side : Z) : game := unification side flowish_goals.
