(* Hexagonal boards, and sets of their cells.

   A cell has axial coordinates (q, r): q to the right, r up along the diagonal to the upper right,
   (0, 0) in the centre. The rules use cell numbers: 0 is a1, then row after row upward, from the
   left. A set of cells is an integer with bit c for cell c. *)
From Coq Require Import Bool ZArith List Uint63 PArray.
Import ListNotations.

(* Coordinates *)

Definition on_board (side : Z) '((q, r) : Z * Z) : bool :=
  (Z.max (Z.abs q) (Z.max (Z.abs r) (Z.abs (q + r))) <? side)%Z.

(* The integers from `first` up, `count` of them. *)
Definition integers (first count : Z) : list Z :=
  map (fun k => first + Z.of_nat k)%Z (seq 0 (Z.to_nat count)).

(* All cells in the order of their numbers. *)
Definition coordinates (side : Z) : list (Z * Z) :=
  let span := integers (1 - side) (2 * side - 1) in
  filter (on_board side) (flat_map (fun r => map (fun q => (q, r)) span) span).

Definition directions : list (Z * Z) :=
  [(1, 0); (0, 1); (-1, 1); (-1, 0); (0, -1); (1, -1)]%Z.

(* The cells in a direction from a cell, the nearest first. *)
Definition walk (side : Z) '((q, r) : Z * Z) '((x, y) : Z * Z) : list (Z * Z) :=
  filter (on_board side)
    (map (fun k => (q + k * x, r + k * y)%Z) (integers 1 (2 * side))).

Open Scope uint63_scope.
Open Scope bool_scope.

(* The number of elements before `cell`. *)
Fixpoint index (cell : Z * Z) (cells : list (Z * Z)) : int :=
  match cells with
  | [] => 0
  | (q, r) :: cells =>
      if ((fst cell =? q) && (snd cell =? r))%Z then 0 else 1 + index cell cells
  end.

(* Sets *)

Definition singleton (c : int) : int := 1 << c.
Definition is_empty (s : int) : bool := s =? 0.
Definition has (s c : int) : bool := negb (is_empty (s land singleton c)).
Definition without (s t : int) : int := s lxor (s land t).
Definition set_of (cells : list int) : int := fold_right (fun c s => singleton c lor s) 0 cells.

(* The elements in ascending order; `s land (s - 1)` is s without its lowest element. *)
Fixpoint first_elements (count : nat) (s : int) : list int :=
  match count with
  | O => []
  | S count => if is_empty s then [] else tail0 s :: first_elements count (s land (s - 1))
  end.
Definition elements (s : int) : list int := first_elements 63 s.
Definition size (s : int) : int := fold_left (fun count _ => count + 1) (elements s) 0.

(* Boards *)

(* The cells in one direction from a cell: as a list, the nearest first, and as a set. *)
Record ray := Ray { next : int; beyond : int; run : list int }.

Record board := Board {
  rays : array (list ray);    (* of each cell, without empty ones *)
  neighbours : array int;     (* of each cell, as a set *)
}.

Definition array_of {A} (default : A) (l : list A) : array A :=
  snd (fold_left (fun '(i, a) x => (i + 1, a.[i <- x])) l (0, make 64 default)).

Definition board_of (side : Z) : board :=
  let cells := coordinates side in
  let numbers := map (fun cell => index cell cells) in
  let rays cell :=
    flat_map (fun direction => match numbers (walk side cell direction) with
      | [] => []
      | next :: rest => [Ray next (set_of rest) (next :: rest)]
      end) directions in
  let rays := map rays cells in
  Board (array_of [] rays) (array_of 0 (map (fun rays => set_of (map next rays)) rays)).

(* Groups *)

(* Removes from `rest` all that is connected with `reached` by elements of `rest`. *)
Fixpoint flood (count : nat) (b : board) (reached rest : int) : int :=
  match count with
  | O => rest
  | S count =>
      if is_empty reached then rest else
      let found := (neighbours b).[tail0 reached] land rest in
      flood count b ((reached land (reached - 1)) lor found) (rest lxor found)
  end.

(* The elements of `s` that are not connected with its element c, c itself being connected. *)
Definition others (b : board) (s c : int) : int :=
  flood 63 b (singleton c) (without s (singleton c)).

Definition is_one_group (b : board) (s : int) : bool :=
  is_empty s || is_empty (others b s (tail0 s)).

(* The groups, each as a set. *)
Fixpoint first_groups (count : nat) (b : board) (s : int) : list int :=
  match count with
  | O => []
  | S count =>
      if is_empty s then [] else
      let rest := others b s (tail0 s) in (s lxor rest) :: first_groups count b rest
  end.
Definition groups (b : board) (s : int) : list int := first_groups 63 b s.
