(* Swish and Squeeze: rooks capture beads, by leaping over them or by enclosing them. *)
From Coq Require Import Bool ZArith List Uint63 PArray.
From Marquis Require Import Game Hexagon.
Import ListNotations.
Open Scope uint63_scope.
Open Scope bool_scope.

(* Sets of rooks and of beads, the beads in the stores, and how many of them win. *)
Record setting := Setting {
  turn : player;
  white : int; black : int; beads : int;
  white_store : int; black_store : int; target : int;
}.

Definition mine (p : setting) : int := match turn p with White => white p | Black => black p end.
Definition theirs (p : setting) : int := match turn p with White => black p | Black => white p end.
Definition my_store (p : setting) : int :=
  match turn p with White => white_store p | Black => black_store p end.
Definition their_store (p : setting) : int :=
  match turn p with White => black_store p | Black => white_store p end.

Definition vacant (p : setting) (c : int) : bool := negb (has (mine p lor theirs p lor beads p) c).

(* A rook moves, and what is taken leaves the board, beads for the mover's store. *)
Definition step (p : setting) (origin : int) '((goal, taken) : int * int) : move * setting :=
  let moved := without (mine p) (singleton origin) lor singleton goal in
  let left := without (theirs p) taken in
  let store := my_store p + size (beads p land taken) in
  let beads := without (beads p) taken in
  (64 * origin + goal,
   match turn p with
   | White => Setting Black moved left beads store (black_store p) (target p)
   | Black => Setting White left moved beads (white_store p) store (target p)
   end).

Definition pass : move := 4095.

Definition passed (p : setting) : setting :=
  Setting (opponent (turn p)) (white p) (black p) (beads p) (white_store p) (black_store p)
    (target p).

(* What happens to a player without a move: the rule, and its variant. *)
Inductive immobile := Loses | Passes.

(* `goals b p origin` lists the cells to which a rook may move, each with what it takes. *)
Definition capturing (side : Z) (rule : immobile)
    (goals : board -> setting -> int -> list (int * int)) : game :=
  let b := board_of side in
  let moves p :=
    flat_map (fun origin => map (step p origin) (goals b p origin)) (elements (mine p)) in
  Game setting turn (fun p =>
    if target p <=? their_store p then Over (Some (opponent (turn p)))
    else if target p <=? my_store p then Over (Some (turn p))
    else match moves p, rule with
    | [], Loses => Over (Some (opponent (turn p)))
    | [], Passes =>
        match moves (passed p) with [] => Over None | _ => Goes_on [(pass, passed p)] end
    | moves, _ => Goes_on moves
    end).

(* The longest beginning of a list whose elements have a property, and the rest. *)
Fixpoint span (f : int -> bool) (l : list int) : list int * list int :=
  match l with
  | c :: cs => if f c then let '(row, rest) := span f cs in (c :: row, rest) else ([], l)
  | [] => ([], [])
  end.

(* Swish: slides, and leaps over one row of beads or of enemies. *)
Definition swish_goals (b : board) (p : setting) (origin : int) : list (int * int) :=
  flat_map (fun ray =>
    let '(slides, rest) := span (vacant p) (run ray) in
    let kind := match rest with
      | c :: _ => if has (beads p) c then beads p else if has (theirs p) c then theirs p else 0
      | [] => 0
      end in
    let '(row, rest) := span (has kind) rest in
    let '(landings, _) := span (vacant p) rest in
    map (fun c => (c, 0)) slides ++ map (fun c => (c, set_of row)) landings)
    (rays b).[origin].

Definition swish (side : Z) (rule : immobile) : game := capturing side rule swish_goals.

(* Squeeze: slides, and captures every row of beads or of enemies between the rook's new cell and
   another of the mover's rooks. *)
Definition enclosed (kind friends : int) (run : list int) : int :=
  match span (has kind) run with
  | (row, c :: _) => if has friends c then set_of row else 0
  | (_, []) => 0
  end.

Definition taken_from (b : board) (p : setting) (origin goal : int) : int :=
  let friends := without (mine p) (singleton origin) in
  fold_left (fun taken ray => taken lor
    enclosed (beads p) friends (run ray) lor enclosed (theirs p) friends (run ray))
    (rays b).[goal] 0.

Definition squeeze_goals (b : board) (p : setting) (origin : int) : list (int * int) :=
  flat_map (fun ray => map (fun goal => (goal, taken_from b p origin goal))
    (fst (span (vacant p) (run ray)))) (rays b).[origin].

Definition squeeze (side : Z) (rule : immobile) : game := capturing side rule squeeze_goals.
