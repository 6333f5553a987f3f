(* A checker of strategies that do not lose. A certificate is as in Checker.v, but the table holds
   all positions entered so far: play may return to them. *)
From Coq Require Import Bool List Uint63 PArray.
From Marquis Require Import Game Checker.
Import ListNotations.
Open Scope uint63_scope.

Section Checker.

Context (g : game) (who : player).
Context (same : position g -> position g -> bool) (hash : position g -> int).
Context (same_true : forall p q, same p q = true -> p = q).

Definition insert (t : table g) (p : position g) : option (table g) :=
  let i := slot_of g same hash t p in
  match t.[i] with
  | None => if i <? length t then Some t.[i <- Some p] else None
  | Some _ => None
  end.

Definition enter (p : position g) (s : state g) : option (state g) :=
  option_map (fun t => State g t (word g s) (words g s)) (insert (won g s) p).

Definition is_lost (winner : option player) : bool :=
  match winner with Some winner => same_player winner (opponent who) | None => false end.

(* Follows the strategy from p. None if that fails. *)
Fixpoint follow (depth : nat) (p : position g) (s : state g) : option (state g) :=
  match depth with
  | O => None
  | S depth =>
      let chooses := same_player (to_move g p) who in
      if chooses && known g same hash (won g s) p then Some s else
      match judge g p with
      | Over winner => if is_lost winner then None else Some s
      | Goes_on moves =>
          if chooses then
            let '(m, s) := next_move g s in
            match find g m moves, enter p s with
            | Some q, Some s => follow depth q s
            | _, _ => None
            end
          else all g (follow depth) moves s
      end
  end.

(* A line may enter as many positions. *)
Definition hold_limit : nat := Nat.pow 2 14.

Definition check_hold (slots : int) (certificate : list int) (p : position g) : bool :=
  match follow hold_limit p (State g (make slots None) 0 certificate) with
  | Some _ => true
  | None => false
  end.

(* Soundness. In the end, each position in the table is justified by others in the table. *)

Definition inside (t : table g) (p : position g) := exists i, t.[i] = Some p.

Inductive held (t : table g) : position g -> Prop :=
| held_inside p : inside t p -> held t p
| held_over p winner :
    judge g p = Over winner -> winner <> Some (opponent who) -> held t p
| held_replies p moves :
    judge g p = Goes_on moves -> to_move g p = opponent who ->
    (forall m q, In (m, q) moves -> held t q) -> held t p.

Definition justified (t : table g) (p : position g) :=
  exists moves m q,
    judge g p = Goes_on moves /\ to_move g p = who /\ In (m, q) moves /\ held t q.

Lemma held_does_not_lose t p :
  (forall q, inside t q -> justified t q) -> held t p -> does_not_lose g who p.
Proof.
  intros closed; revert p; cofix IH; intros p H.
  destruct H as [p H | p winner over not_lost | p moves goes mover replies].
  - destruct (closed p H) as (moves & m & q & goes & mover & chosen & Hq).
    eapply can_hold; [eassumption.. | exact (IH q Hq)].
  - eapply has_not_lost; eassumption.
  - eapply must_hold; [eassumption.. |].
    intros m q Hin; exact (IH q (replies m q Hin)).
Qed.

Definition grows (t u : table g) := forall p, inside t p -> inside u p.

Lemma held_grows t u p : grows t u -> held t p -> held u p.
Proof.
  intros Hgrows; induction 1;
    [apply held_inside | eapply held_over | eapply held_replies]; eauto.
Qed.

Lemma justified_grows t u p : grows t u -> justified t p -> justified u p.
Proof.
  intros Hgrows (moves & m & q & goes & mover & chosen & Hq).
  exists moves, m, q; eauto using held_grows.
Qed.

(* From t to u, only justified positions were added. *)
Definition extends (t u : table g) :=
  grows t u /\ forall p, inside u p -> inside t p \/ justified u p.

Lemma extends_trans t u v : extends t u -> extends u v -> extends t v.
Proof.
  intros [grows_tu new_u] [grows_uv new_v]; split; [unfold grows in *; auto |].
  intros p [Hp | Hp]%new_v; [| auto].
  destruct (new_u p Hp); eauto using justified_grows.
Qed.

Lemma insert_spec t u p : insert t p = Some u ->
  grows t u /\ inside u p /\ forall q, inside u q -> inside t q \/ q = p.
Proof.
  unfold insert; generalize (slot_of g same hash t p); intros i.
  destruct t.[i] eqn:Hi; [discriminate |].
  destruct (i <? length t) eqn:Hlength; [| discriminate].
  intros [= <-]; split; [| split].
  - intros q [j Hj]; exists j; rewrite get_set_other; [assumption |].
    intros <-; congruence.
  - exists i; apply get_set_same; assumption.
  - intros q [j Hj]; destruct (i =? j) eqn:Hij.
    + apply eqb_correct in Hij; subst j; rewrite get_set_same in Hj by assumption.
      right; congruence.
    + apply eqb_false_spec in Hij; rewrite get_set_other in Hj by assumption.
      left; exists j; assumption.
Qed.

Lemma known_inside t p : known g same hash t p = true -> inside t p.
Proof.
  unfold known; generalize (slot_of g same hash t p); intros i H.
  destruct t.[i] as [q |] eqn:Hi; [| discriminate].
  apply same_true in H; subst q; exists i; assumption.
Qed.

Lemma is_lost_false winner : is_lost winner = false -> winner <> Some (opponent who).
Proof. intros H ->; cbn in H; destruct who; discriminate. Qed.

Definition sound_follower (follow : position g -> state g -> option (state g)) :=
  forall p s t, follow p s = Some t -> extends (won g s) (won g t) /\ held (won g t) p.

Lemma extends_refl t : extends t t.
Proof. split; unfold grows; auto. Qed.

Lemma all_sound follow moves s t : sound_follower follow -> all g follow moves s = Some t ->
  extends (won g s) (won g t) /\ forall m q, In (m, q) moves -> held (won g t) q.
Proof.
  intros Hfollow; revert s; induction moves as [| [m q] moves IH]; cbn; intros s H.
  - injection H as <-; split; [apply extends_refl | easy].
  - destruct (follow q s) as [u |] eqn:Hq; [| discriminate].
    destruct (Hfollow _ _ _ Hq) as [Hsu Hheld].
    destruct (IH u H) as [Hut Hall].
    split; [eapply extends_trans; eassumption |].
    intros n r [[= _ <-] | Hin]; [| eauto].
    eapply held_grows; [apply Hut | assumption].
Qed.

Lemma follow_sound depth : sound_follower (follow depth).
Proof.
  induction depth as [| depth IH]; intros p s t H; cbn in H; [discriminate |].
  destruct (same_player (to_move g p) who && known g same hash (won g s) p) eqn:Hknown.
  { injection H as <-; apply andb_true_iff in Hknown; destruct Hknown as [_ Hknown].
    split; [apply extends_refl | apply held_inside, known_inside; assumption]. }
  destruct (judge g p) as [winner | moves] eqn:Hjudge.
  { destruct (is_lost winner) eqn:Hlost; [discriminate | injection H as <-].
    split; [apply extends_refl | eapply held_over; eauto using is_lost_false]. }
  destruct (same_player (to_move g p) who) eqn:Hwho.
  - apply same_player_true in Hwho.
    pose proof (next_move_won g s) as Hnext.
    destruct (next_move g s) as [m s']; cbn in Hnext; rewrite <- Hnext.
    destruct (find g m moves) as [q |] eqn:Hfind; [| discriminate].
    unfold enter in H; destruct (insert (won g s') p) as [u |] eqn:Hinsert; [| discriminate].
    destruct (insert_spec _ _ _ Hinsert) as (Hgrows & Hinside & Hnew).
    destruct (IH _ _ _ H) as [[Hut Hnew_t] Hq]; cbn in Hut, Hnew_t.
    assert (justified (won g t) p).
    { exists moves, m, q; eauto using find_in. }
    split; [split |].
    + intros r Hr; auto.
    + intros r [Hr | Hr]%Hnew_t; [| auto].
      destruct (Hnew r Hr) as [| ->]; auto.
    + apply held_inside; auto.
  - apply same_player_false in Hwho.
    destruct (all_sound _ _ _ _ IH H) as [Hextends Hall].
    split; [assumption | eapply held_replies; eassumption].
Qed.

Theorem check_hold_sound slots certificate p :
  check_hold slots certificate p = true -> does_not_lose g who p.
Proof.
  unfold check_hold.
  destruct (follow hold_limit p (State g (make slots None) 0 certificate)) as [t |] eqn:H;
    [| discriminate].
  intros _; destruct (follow_sound _ _ _ _ H) as [[_ Hnew] Hheld].
  apply held_does_not_lose with (t := won g t); [| assumption].
  intros q [[i Hi] |]%Hnew; [| assumption].
  cbn in Hi; rewrite get_make in Hi; discriminate.
Qed.

End Checker.
