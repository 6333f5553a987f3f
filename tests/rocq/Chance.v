(* Games of two players with throws, and what it means that a player wins with some chance.

   A sceptic reads this file as far as `chance_between`. The rest proves that bounds which follow
   strictly from those of the positions after one throw are bounds of the chance. *)
From Coq Require Import List QArith ZArith Lia.
From Marquis Require Import Game.
Import ListNotations.

(* A position is over if it has a winner. Otherwise one player throws, and chooses one of the
   options of his throw. A throw has the chance of its weight out of all weights. *)
Record chance_game := Chance_game {
  place : Type;
  throw : Type;
  throws : list (throw * Z);
  winner : place -> option player;
  thrower : place -> player;
  options : place -> throw -> list place;
}.

Definition total (g : chance_game) : Z :=
  fold_right (fun '(_, w) sum => (w + sum)%Z) 0%Z (throws g).

Record well_formed (g : chance_game) : Prop := {
  weights_positive : forall x w, In (x, w) (throws g) -> (0 < w)%Z;
  some_throw : throws g <> [];
  some_option : forall p x, winner g p = None -> options g p x <> [];
}.

(* A strategy knows the position, all earlier ones, the last one first, and the throw. *)
Definition strategy (g : chance_game) := place g -> list (place g) -> throw g -> place g.

Definition legal {g : chance_game} (s : strategy g) :=
  forall p history x, winner g p = None -> In (s p history x) (options g p x).

(* The mean of f over the throws. *)
Definition mean {g : chance_game} (f : throw g -> Q) : Q :=
  fold_right (fun '(x, w) sum => (w # Z.to_pos (total g)) * f x + sum) 0 (throws g).

(* The chance that the player `who` has won after at most n throws, if he follows s and his
   opponent t. *)
Fixpoint won_within {g : chance_game} (who : player) (s t : strategy g) (n : nat)
    (history : list (place g)) (p : place g) : Q :=
  match winner g p, n with
  | Some w, _ => if same_player w who then 1 else 0
  | None, O => 0
  | None, S n =>
      let chooses := if same_player (thrower g p) who then s else t in
      mean (fun x => won_within who s t n (p :: history) (chooses p history x))
  end.

(* From p, the player can win with a chance of at least c, whatever the other one does. *)
Definition assures (g : chance_game) (who : player) (c : Q) (p : place g) : Prop :=
  exists (s : strategy g) (n : nat), legal s /\
    forall t, legal t -> c <= won_within who s t n [] p.

(* The player can win with a chance of at least `low`, and the other one can prevent more than
   `high`: he wins himself with the chance that is left. *)
Definition chance_between (g : chance_game) (who : player) (low high : Q) (p : place g) : Prop :=
  assures g who low p /\ assures g (opponent who) (1 - high) p.

Section Chance.

Context (g : chance_game) (fine : well_formed g).

Lemma total_sum_positive (l : list (throw g * Z)) :
  (forall x w, In (x, w) l -> (0 < w)%Z) ->
  (0 <= fold_right (fun '(_, w) sum => (w + sum)%Z) 0%Z l)%Z.
Proof.
  induction l as [| [x w] l IH]; cbn; intros H; [lia |].
  pose proof (H x w (or_introl eq_refl)).
  enough (0 <= fold_right (fun '(_, w) sum => (w + sum)%Z) 0%Z l)%Z by lia.
  apply IH; eauto.
Qed.

Lemma total_positive : (0 < total g)%Z.
Proof.
  pose proof (weights_positive g fine) as H; pose proof (some_throw g fine) as H'.
  unfold total; destruct (throws g) as [| [x w] l]; [easy |]; cbn.
  pose proof (H x w (or_introl eq_refl)).
  enough (0 <= fold_right (fun '(_, w) sum => (w + sum)%Z) 0%Z l)%Z by lia.
  apply total_sum_positive; intros y v Hin; apply (H y v); right; exact Hin.
Qed.

Lemma total_pos : Z.pos (Z.to_pos (total g)) = total g.
Proof. apply Z2Pos.id, total_positive. Qed.

(* Means. *)

Definition sum (b : throw g -> Z) (l : list (throw g * Z)) : Z :=
  fold_right (fun '(x, w) sum => (w * b x + sum)%Z) 0%Z l.

Definition part (f : throw g -> Q) (l : list (throw g * Z)) : Q :=
  fold_right (fun '(x, w) sum => (w # Z.to_pos (total g)) * f x + sum) 0 l.

Definition weighty (l : list (throw g * Z)) := forall x w, In (x, w) l -> (0 < w)%Z.

Lemma part_le f h l :
  weighty l -> (forall x w, In (x, w) l -> f x <= h x) -> part f l <= part h l.
Proof.
  unfold weighty; induction l as [| [x w] l IH]; cbn; intros Hw H; [apply Qle_refl |].
  apply Qplus_le_compat.
  - rewrite 2 (Qmult_comm (w # _)); apply Qmult_le_compat_r; [eauto |].
    unfold Qle; cbn; pose proof (Hw x w (or_introl eq_refl)); lia.
  - apply IH; eauto.
Qed.

Lemma part_plus f h l : part (fun x => f x + h x) l == part f l + part h l.
Proof.
  unfold part; induction l as [| [x w] l IH]; cbn [fold_right]; [reflexivity |].
  rewrite IH; ring.
Qed.

Lemma part_scaled (b : throw g -> Z) d l :
  part (fun x => b x # d) l == sum b l # (Z.to_pos (total g) * d).
Proof.
  unfold part, sum; induction l as [| [x w] l IH]; cbn [fold_right]; [reflexivity |].
  rewrite IH; unfold Qeq, Qplus, Qmult; cbn [Qnum Qden]; rewrite !Pos2Z.inj_mul; ring.
Qed.

Lemma mean_le (f h : throw g -> Q) : (forall x, f x <= h x) -> mean f <= mean h.
Proof. intros H; apply part_le; [exact (weights_positive g fine) | auto]. Qed.

Lemma sum_constant c l : sum (fun _ => c) l = (c * fold_right (fun '(_, w) s => (w + s)%Z) 0%Z l)%Z.
Proof.
  unfold sum; induction l as [| [x w] l IH]; cbn [fold_right]; [ring | rewrite IH; ring].
Qed.

Lemma mean_constant (c : Z) : mean (g := g) (fun _ => c # 1) == c # 1.
Proof.
  etransitivity; [exact (part_scaled (fun _ => c) 1 (throws g)) |].
  rewrite sum_constant; fold (total g).
  unfold Qeq; cbn -[Z.mul]; rewrite Pos.mul_1_r, total_pos; lia.
Qed.

(* Chances. *)

Lemma won_nonnegative who (s t : strategy g) n : forall h p, 0 <= won_within who s t n h p.
Proof.
  induction n as [| n IH]; intros h p; cbn; destruct (winner g p) as [w |];
    try (destruct (same_player w who); discriminate); try apply Qle_refl.
  rewrite <- (mean_constant 0); apply mean_le; auto.
Qed.

Lemma won_at_most_one who (s t : strategy g) n : forall h p, won_within who s t n h p <= 1.
Proof.
  induction n as [| n IH]; intros h p; cbn; destruct (winner g p) as [w |];
    try (destruct (same_player w who); discriminate); try discriminate.
  rewrite <- (mean_constant 1); apply mean_le; auto.
Qed.

Lemma won_over who (s t : strategy g) n h p w :
  winner g p = Some w -> won_within who s t n h p = if same_player w who then 1 else 0.
Proof. destruct n; cbn; intros ->; reflexivity. Qed.

Lemma won_next who (s t : strategy g) n h p :
  winner g p = None ->
  won_within who s t (S n) h p =
    mean (fun x => won_within who s t n (p :: h)
      ((if same_player (thrower g p) who then s else t) p h x)).
Proof. cbn; intros ->; reflexivity. Qed.

Lemma won_grows who (s t : strategy g) n :
  forall h p, won_within who s t n h p <= won_within who s t (S n) h p.
Proof.
  induction n as [| n IH]; intros h p; destruct (winner g p) as [w |] eqn:over;
    try (rewrite 2 (won_over who s t _ h p w over); apply Qle_refl).
  - replace (won_within who s t 0 h p) with 0 by (cbn; rewrite over; reflexivity).
    apply won_nonnegative.
  - rewrite 2 (won_next who s t _ h p over); apply mean_le; intros x; apply IH.
Qed.

Lemma won_monotone who (s t : strategy g) n m h p :
  (n <= m)%nat -> won_within who s t n h p <= won_within who s t m h p.
Proof.
  induction 1; [apply Qle_refl |].
  eapply Qle_trans; [eassumption | apply won_grows].
Qed.

Lemma won_by_one who (s t : strategy g) n :
  forall h p, won_within who s t n h p + won_within (opponent who) t s n h p <= 1.
Proof.
  induction n as [| n IH]; intros h p; cbn; destruct (winner g p) as [w |];
    try (destruct w, who; cbn; discriminate); try discriminate.
  pose proof (part_plus
    (fun x => won_within who s t n (p :: h)
      ((if same_player (thrower g p) who then s else t) p h x))
    (fun x => won_within (opponent who) t s n (p :: h)
      ((if same_player (thrower g p) (opponent who) then t else s) p h x)) (throws g)) as H.
  unfold part in H; unfold mean; rewrite <- H; clear H.
  rewrite <- (mean_constant 1); apply mean_le; intros x.
  destruct (thrower g p), who; cbn; apply IH.
Qed.

(* Whoever assures c leaves the other one at most 1 - c: the value is between the bounds. *)
Theorem assured_by_one who c d p :
  assures g who c p -> assures g (opponent who) d p -> c + d <= 1.
Proof.
  intros (s & n & Hs & Hc) (t & m & Ht & Hd).
  eapply Qle_trans; [apply Qplus_le_compat |].
  - eapply Qle_trans; [apply (Hc t Ht) | apply won_monotone with (m := Nat.max n m); lia].
  - eapply Qle_trans; [apply (Hd s Hs) | apply won_monotone with (m := Nat.max n m); lia].
  - apply won_by_one.
Qed.

Lemma assures_less who c d p : d <= c -> assures g who c p -> assures g who d p.
Proof.
  intros Hd (s & n & Hs & H); exists s, n; split; [exact Hs |].
  intros t Ht; eapply Qle_trans; [exact Hd | auto].
Qed.

(* Bounds that prove themselves. Chances are counted in parts of 1 / unit. *)

Section Bound.

Context (who : player) (unit : positive) (bound : place g -> Z).

(* b is at most what the player can choose after the throw, or the opponent must leave him. *)
Definition reached (p : place g) (b : Z) (options : list (place g)) : Prop :=
  if same_player (thrower g p) who then exists q, In q options /\ (b <= bound q)%Z
  else forall q, In q options -> (b <= bound q)%Z.

(* A bound of 0 says nothing. Any other is strictly less than the mean after a throw. *)
Definition justified (p : place g) : Prop :=
  (bound p <= Z.pos unit)%Z /\
  match winner g p with
  | Some w => w = who \/ (bound p <= 0)%Z
  | None => (bound p <= 0)%Z \/
      exists b, (forall x, reached p (b x) (options g p x)) /\
        (total g * bound p < sum b (throws g))%Z
  end.

(* The best of p and of the options in l. *)
Fixpoint greatest (p : place g) (l : list (place g)) : place g :=
  match l with
  | [] => p
  | q :: l => greatest (if (bound p <? bound q)%Z then q else p) l
  end.

(* The strategy of the player: to choose the greatest bound. *)
Definition greedy : strategy g := fun p _ x =>
  match options g p x with [] => p | q :: l => greatest q l end.

Lemma greatest_in p l : In (greatest p l) (p :: l).
Proof.
  revert p; induction l as [| q l IH]; cbn -[In]; intros p; [left; reflexivity |].
  destruct (bound p <? bound q)%Z; [right; apply IH |].
  destruct (IH p) as [<- | H]; [left | right; right]; auto.
Qed.

Lemma greatest_ge p l q : In q (p :: l) -> (bound q <= bound (greatest p l))%Z.
Proof.
  revert p q; induction l as [| r l IH]; cbn -[In]; intros p q H.
  - destruct H as [<- | []]; lia.
  - destruct (bound p <? bound r)%Z eqn:Hpr.
    + apply Z.ltb_lt in Hpr; destruct H as [<- | H]; [| auto].
      specialize (IH r r (or_introl eq_refl)); lia.
    + apply Z.ltb_ge in Hpr; destruct H as [<- | [<- | H]]; [apply IH; left; auto | |].
      * specialize (IH p p (or_introl eq_refl)); lia.
      * apply IH; right; exact H.
Qed.

Lemma greedy_legal : legal greedy.
Proof.
  intros p history x over; unfold greedy.
  pose proof (some_option g fine p x over).
  destruct (options g p x); [easy | apply greatest_in].
Qed.

Lemma greedy_ge p h x q : In q (options g p x) -> (bound q <= bound (greedy p h x))%Z.
Proof. unfold greedy; destruct (options g p x); [easy | apply greatest_ge]. Qed.

Context (all_justified : forall p, justified p).

(* What is missing after n throws: with each, a part of 1 / (total * unit) less. *)
Definition missing (n : nat) : Z := Z.max 0 (total g * Z.pos unit - Z.of_nat n).

Definition fine_unit : positive := (Z.to_pos (total g) * unit)%positive.

Lemma won_ge t n : legal t -> forall h p,
  (total g * bound p - missing n # fine_unit) <= won_within who greedy t n h p.
Proof.
  intros Ht.
  assert (Hunit : Z.pos fine_unit = (total g * Z.pos unit)%Z)
    by (unfold fine_unit; rewrite Pos2Z.inj_mul, total_pos; reflexivity).
  pose proof total_positive as Htotal.
  assert (nothing : forall n p, (bound p <= 0)%Z ->
    (total g * bound p - missing n # fine_unit) <= 0)
    by (intros m p H; unfold Qle, missing; cbn -[Z.mul]; nia).
  assert (everything : forall n p, (total g * bound p - missing n # fine_unit) <= 1).
  { intros m p; destruct (all_justified p) as [H _].
    unfold Qle, missing; cbn -[Z.mul]; rewrite Hunit; nia. }
  induction n as [| n IH]; intros h p.
  - destruct (all_justified p) as [most H]; cbn.
    destruct (winner g p) as [w |].
    + destruct H as [-> | H].
      * replace (same_player who who) with true by (destruct who; reflexivity); auto.
      * destruct (same_player w who); auto.
    + unfold Qle, missing; cbn -[Z.mul Z.max]; nia.
  - destruct (all_justified p) as [most H].
    pose proof (won_nonnegative who greedy t (S n) h p) as least.
    cbn [won_within] in *.
    destruct (winner g p) as [w |] eqn:Hover.
    + destruct H as [-> | H].
      * replace (same_player who who) with true by (destruct who; reflexivity); auto.
      * destruct (same_player w who); auto.
    + destruct H as [H | (b & Hb & Hmore)]; [eapply Qle_trans; [apply nothing |]; eassumption |].
      eapply Qle_trans;
        [| apply mean_le with (f := fun x => total g * b x - missing n # fine_unit)].
      * unfold mean; fold (part (fun x => total g * b x - missing n # fine_unit) (throws g)).
        rewrite part_scaled.
        assert (Hsum : forall l, sum (fun x => total g * b x - missing n)%Z l =
          (total g * sum b l -
           missing n * fold_right (fun '(_, w) s => (w + s)%Z) 0%Z l)%Z)
          by (unfold sum; induction l as [| [x w] l IHl]; cbn [fold_right];
              [ring | rewrite IHl; ring]).
        rewrite Hsum; clear Hsum; fold (total g).
        unfold Qle; cbn [Qnum Qden].
        rewrite !Pos2Z.inj_mul, total_pos, Hunit.
        assert (missing n - 1 <= missing (S n) /\ 0 <= missing (S n))%Z by (unfold missing; lia).
        set (B := sum b (throws g)) in *; set (T := total g) in *; set (U := Z.pos unit).
        assert (0 < T * U)%Z by (unfold U; nia).
        replace ((T * B - missing n * T) * (T * U))%Z
          with ((B - missing n) * T * (T * U))%Z by ring.
        replace ((T * bound p - missing (S n)) * (T * (T * U)))%Z
          with ((T * bound p - missing (S n)) * T * (T * U))%Z by ring.
        apply Z.mul_le_mono_nonneg_r; [lia |].
        apply Z.mul_le_mono_nonneg_r; lia.
      * intros x; eapply Qle_trans; [| apply IH].
        unfold Qle; cbn [Qnum Qden].
        apply Z.mul_le_mono_nonneg_r; [lia |].
        enough (b x <=
          bound ((if same_player (thrower g p) who then greedy else t) p h x))%Z by nia.
        specialize (Hb x); unfold reached in Hb.
        destruct (same_player (thrower g p) who).
        -- destruct Hb as (q & Hq & Hle); pose proof (greedy_ge p h x q Hq); lia.
        -- apply Hb, Ht, Hover.
Qed.

Theorem bound_assured p : assures g who (bound p # unit) p.
Proof.
  exists greedy, (Z.to_nat (total g * Z.pos unit)); split; [exact greedy_legal |].
  intros t Ht; eapply Qle_trans; [| apply won_ge, Ht].
  pose proof total_positive.
  unfold missing; rewrite Z2Nat.id by nia.
  replace (Z.max 0 _) with 0%Z by lia.
  unfold Qle; cbn [Qnum Qden]; unfold fine_unit; rewrite Pos2Z.inj_mul, total_pos; lia.
Qed.

End Bound.
End Chance.
