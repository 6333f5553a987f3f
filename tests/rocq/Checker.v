(* A checker of winning strategies, and the theorem that it accepts nothing false.

   A certificate is a list of the winner's moves, in the order in which the checker asks for them:
   depth first from the claimed position, through all replies in the order of `judge`. Positions
   that were won before are looked up in a hash table and need no moves. *)
From Coq Require Import Bool List Uint63 PArray.
From Marquis Require Import Game.
Import ListNotations.
Open Scope uint63_scope.

Lemma same_player_true a b : same_player a b = true -> a = b.
Proof. destruct a, b; easy. Qed.

Lemma same_player_false a b : same_player a b = false -> a = opponent b.
Proof. destruct a, b; easy. Qed.

Section Checker.

Context (g : game) (who : player).
Context (same : position g -> position g -> bool) (hash : position g -> int).
Context (same_true : forall p q, same p q = true -> p = q).

(* Open addressing. The length is a power of two. *)
Definition table := array (option (position g)).

(* The number of slots tried, and of plies to the end of the game. *)
Definition limit : nat := Nat.pow 2 10.

(* The slot of p, or an empty one. If none is found within `count` slots, any other. *)
Fixpoint slot (count : nat) (t : table) (p : position g) (i : int) : int :=
  match count, t.[i] with
  | S count, Some q => if same p q then i else slot count t p ((i + 1) land (length t - 1))
  | _, _ => i
  end.

Definition slot_of (t : table) (p : position g) : int :=
  slot limit t p (hash p land (length t - 1)).

Definition known (t : table) (p : position g) : bool :=
  match t.[slot_of t p] with Some q => same p q | None => false end.

Definition add (t : table) (p : position g) : table := t.[slot_of t p <- Some p].

(* A word holds several moves of 12 bits, the first in the lowest bits; no move is 0. *)
Record state := State { won : table; word : int; words : list int }.

Definition next_move (s : state) : move * state :=
  let '(word, words) :=
    if word s =? 0 then match words s with [] => (0, []) | w :: ws => (w, ws) end
    else (word s, words s) in
  (word land 4095, State (won s) (word >> 12) words).

Definition remember (p : position g) (s : state) : state :=
  State (add (won s) p) (word s) (words s).

Fixpoint find (m : move) (moves : list (move * position g)) : option (position g) :=
  match moves with
  | [] => None
  | (n, q) :: moves => if m =? n then Some q else find m moves
  end.

Fixpoint all (prove : position g -> state -> option state) (moves : list (move * position g))
    (s : state) : option state :=
  match moves with
  | [] => Some s
  | (_, q) :: moves => match prove q s with Some s => all prove moves s | None => None end
  end.

(* Proves that p is won, in at most `depth` plies. None if that fails. *)
Fixpoint prove (depth : nat) (p : position g) (s : state) : option state :=
  match depth with
  | O => None
  | S depth =>
      let chooses := same_player (to_move g p) who in
      if chooses && known (won s) p then Some s else
      match judge g p with
      | Over (Some winner) => if same_player winner who then Some s else None
      | Over None => None
      | Goes_on moves =>
          if chooses then
            let '(m, s) := next_move s in
            match find m moves with
            | Some q => option_map (remember p) (prove depth q s)
            | None => None
            end
          else all (prove depth) moves s
      end
  end.

(* `slots` is the length of the table, a power of two. *)
Definition check (slots : int) (certificate : list int) (p : position g) : bool :=
  match prove limit p (State (make slots None) 0 certificate) with Some _ => true | None => false end.

(* Soundness. The table only holds positions that are won. *)

Definition sound (t : table) := forall i p, t.[i] = Some p -> wins g who p.

Lemma sound_make slots : sound (make slots None).
Proof. intros i p; rewrite get_make; discriminate. Qed.

Lemma sound_add t p : sound t -> wins g who p -> sound (add t p).
Proof.
  unfold add; generalize (slot_of t p); intros k Ht Hp i q H.
  destruct (k =? i) eqn:Hki; [apply eqb_correct in Hki; subst i | apply eqb_false_spec in Hki].
  - destruct (k <? length t) eqn:inside.
    + rewrite get_set_same in H by assumption; congruence.
    + rewrite get_out_of_bounds, default_set, <- get_out_of_bounds with (i := k) in H
        by (rewrite ?length_set; assumption).
      eauto.
  - rewrite get_set_other in H by assumption; eauto.
Qed.

Lemma known_wins t p : sound t -> known t p = true -> wins g who p.
Proof.
  unfold known; intros Ht H.
  destruct t.[slot_of t p] as [q |] eqn:Hq; [| discriminate].
  apply same_true in H; subst q; eauto.
Qed.

Lemma find_in m moves q : find m moves = Some q -> In (m, q) moves.
Proof.
  induction moves as [| [n r] moves IH]; cbn; [discriminate |].
  destruct (m =? n) eqn:Hmn; [apply eqb_correct in Hmn; subst n | auto].
  intros [= ->]; auto.
Qed.

Lemma next_move_won s : won (snd (next_move s)) = won s.
Proof. unfold next_move; destruct (word s =? 0); [destruct (words s) |]; reflexivity. Qed.

Definition sound_prover (prove : position g -> state -> option state) :=
  forall p s t, sound (won s) -> prove p s = Some t -> wins g who p /\ sound (won t).

Lemma all_sound prove moves s t :
  sound_prover prove -> sound (won s) -> all prove moves s = Some t ->
  (forall m q, In (m, q) moves -> wins g who q) /\ sound (won t).
Proof.
  intros Hprove; revert s; induction moves as [| [m q] moves IH]; cbn; intros s Hs H.
  - injection H as <-; easy.
  - destruct (prove q s) as [s' |] eqn:Hq; [| discriminate].
    destruct (Hprove q s s' Hs Hq) as [Hwins Hs'].
    destruct (IH s' Hs' H) as [Hall Ht].
    split; [| assumption].
    intros n r [[= _ <-] | Hin]; eauto.
Qed.

Lemma prove_sound depth : sound_prover (prove depth).
Proof.
  induction depth as [| depth IH]; intros p s t Hs H; cbn in H; [discriminate |].
  destruct (same_player (to_move g p) who) eqn:Hwho; cbn in H.
  - apply same_player_true in Hwho.
    destruct (known (won s) p) eqn:Hknown.
    { injection H as <-; split; [eapply known_wins |]; eassumption. }
    destruct (judge g p) as [[winner |] | moves] eqn:Hjudge; try discriminate.
    + destruct (same_player winner who) eqn:Hw; [| discriminate].
      apply same_player_true in Hw; injection H as <-; subst winner.
      split; [apply has_won |]; assumption.
    + pose proof (next_move_won s) as Hnext.
      destruct (next_move s) as [m s']; cbn in H, Hnext.
      destruct (find m moves) as [q |] eqn:Hfind; [| discriminate].
      destruct (prove depth q s') as [u |] eqn:Hq; [| discriminate].
      injection H as <-.
      destruct (IH q s' u) as [Hwins Hu]; [rewrite Hnext; assumption | assumption |].
      assert (wins g who p) by eauto using can_choose, find_in.
      split; [| apply sound_add]; assumption.
  - apply same_player_false in Hwho.
    destruct (judge g p) as [[winner |] | moves] eqn:Hjudge; try discriminate.
    + destruct (same_player winner who) eqn:Hw; [| discriminate].
      apply same_player_true in Hw; injection H as <-; subst winner.
      split; [apply has_won |]; assumption.
    + destruct (all_sound _ _ _ _ IH Hs H) as [Hall Ht].
      split; [eapply must_answer |]; eassumption.
Qed.

Theorem check_sound slots certificate p : check slots certificate p = true -> wins g who p.
Proof.
  unfold check.
  destruct (prove limit p (State (make slots None) 0 certificate)) as [t |] eqn:H; [| discriminate].
  intros _; refine (proj1 (prove_sound _ _ _ _ _ H)); apply sound_make.
Qed.

End Checker.
