(* A checker of bounds for the chances of Senet, and the theorem that it accepts nothing false.

   A table holds bounds of positions. They are believed if each follows strictly from those of the
   positions after one throw. Of a position outside the table nothing is known. *)
From Coq Require Import Bool List Uint63 PArray ZArith QArith Lia.
From Coq Require Import ZifyUint63.
From Marquis Require Import Game Hexagon Chance Senet.
Import ListNotations.
Open Scope uint63_scope.
Open Scope bool_scope.

(* Chances are in units of 1 / (2^32 - 1), bounds and errors in parts, 2^13 to a unit. *)
Definition parts : int := 8192.
Definition units : int := 4294967295.
Definition certainty : int := 35184372080640.
Definition certain : positive := 35184372080640%positive.

(* The chance of the player to throw, its greatest error, and its bounds. *)
Record entry := Entry {
  mine : int; theirs : int; (* the pieces *)
  chance : int; error : int;
  low : int; high : int;
}.

(* An entry from the cells of a table file: `above` and `below` count in parts of a unit, `note` of them, and
   half of `note` stands for 0. *)
Definition clamped (sum subtracted : int) : int :=
  if sum <=? subtracted then 0
  else if certainty <=? sum - subtracted then certainty else sum - subtracted.

Definition entry_of (own other error note chance above below : int) : entry :=
  let step := parts / note in
  let half := (note + 1) / 2 in
  Entry own other chance error
    (clamped (chance * parts + half * step) (below * step))
    (clamped (chance * parts + above * step) (half * step)).

Definition nothing : entry := Entry 0 0 0 certainty 0 certainty.

(* Open addressing. The length is a power of two. *)
Definition table := array entry.

Definition limit : nat := Nat.pow 2 10.

Definition is_at (own other : int) (e : entry) : bool := (mine e =? own) && (theirs e =? other).

(* The slot of a position, or an empty one. If none is found within `count` slots, any other. *)
Fixpoint slot (count : nat) (t : table) (own other i : int) : int :=
  match count with
  | O => i
  | S count =>
      let e := t.[i] in
      if is_at own other e then i
      else if mine e =? 0 then i
      else slot count t own other ((i + 1) land (length t - 1))
  end.

Definition hash (own other : int) : int :=
  let mixed := (own + other * 2654435769) * 1181783497276652981 in mixed >> 30.

Definition slot_of (t : table) (own other : int) : int :=
  slot limit t own other (hash own other land (length t - 1)).

Definition add (t : table) (e : entry) : table := t.[slot_of t (mine e) (theirs e) <- e].

(* What the table says of a position. *)
Definition lookup (t : table) (own other : int) : entry :=
  let e := t.[slot_of t own other] in if is_at own other e then e else nothing.

(* A bound of White's chance: of an entry `own_bound` if White is to throw, else the complement
   of `other_bound`. *)
Definition bound_by (own_bound other_bound : entry -> int) (t : table) (p : track) : int :=
  match borne_off p with
  | Some w => if same_player w White then certainty else 0
  | None =>
      let e := lookup t (own p) (other p) in
      if same_player (turn p) White then own_bound e else certainty - other_bound e
  end.

Definition lower := bound_by low high.
Definition upper := bound_by high low.

Fixpoint maximum (f : track -> int) (l : list (move * track)) : int :=
  match l with
  | [] => 0
  | (_, q) :: l => let b := f q in let m := maximum f l in if b <=? m then m else b
  end.

(* Sixteen times the mean after a throw of White. *)
Definition backup (f : track -> int) (p : track) : int :=
  let best x := maximum f (moves p x) in
  4 * best 1 + 6 * best 2 + 4 * best 3 + best 4 + best 6.

Definition in_range (e : entry) : bool :=
  (low e <=? certainty) && (high e <=? certainty) &&
  (chance e <=? units) && (error e <=? certainty).

Definition near (e : entry) : bool :=
  (high e <=? chance e * parts + error e) && (chance e * parts <=? low e + error e).

Definition good (t : table) (e : entry) : bool :=
  let p := Track White (mine e) (theirs e) in
  in_range e && near e &&
  (if low e =? 0 then true else 16 * low e <? backup (lower t) p) &&
  (if high e =? certainty then true else backup (upper t) p <? 16 * high e).

(* 2^depth *)
Fixpoint width (depth : nat) : int := match depth with O => 1 | S depth => 2 * width depth end.

(* All slots from `first` on, 2^depth of them. *)
Fixpoint all_good (depth : nat) (t : table) (first : int) : bool :=
  match depth with
  | O => good t t.[first]
  | S depth => if all_good depth t first then all_good depth t (first + width depth) else false
  end.

Definition check (depth : nat) (t : table) : bool :=
  Nat.leb depth 40 && (length t <=? width depth) && good t (default t) && all_good depth t 0.

(* Soundness *)

Lemma width_power depth : (depth <= 40)%nat -> to_Z (width depth) = (2 ^ Z.of_nat depth)%Z.
Proof.
  induction depth as [| depth IH]; [reflexivity |]; intros H.
  cbn [width]; rewrite mul_spec, IH by lia; rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  change (to_Z 2) with 2%Z.
  assert (0 < 2 ^ Z.of_nat depth <= 2 ^ 40)%Z
    by (split; [apply Z.pow_pos_nonneg; lia | apply Z.pow_le_mono_r; lia]).
  apply Z.mod_small; change wB with (2 ^ 63)%Z; lia.
Qed.

Lemma all_good_spec depth t first :
  (depth <= 40)%nat -> (to_Z first + 2 ^ Z.of_nat depth <= 2 ^ 41)%Z ->
  all_good depth t first = true ->
  forall i, (to_Z first <= to_Z i < to_Z first + 2 ^ Z.of_nat depth)%Z -> good t t.[i] = true.
Proof.
  revert first; induction depth as [| depth IH]; intros first Hdepth Hfirst H i Hi;
    cbn [all_good] in H.
  - replace i with first; [assumption |].
    apply to_Z_inj; change (2 ^ Z.of_nat 0)%Z with 1%Z in Hi; lia.
  - destruct (all_good depth t first) eqn:Hleft; [| discriminate].
    rewrite Nat2Z.inj_succ, Z.pow_succ_r in Hfirst, Hi by lia.
    assert (0 < 2 ^ Z.of_nat depth)%Z by (apply Z.pow_pos_nonneg; lia).
    destruct (Z.lt_ge_cases (to_Z i) (to_Z first + 2 ^ Z.of_nat depth)).
    + apply (IH first); try assumption; lia.
    + assert (Hsum : to_Z (first + width depth) = (to_Z first + 2 ^ Z.of_nat depth)%Z).
      { rewrite add_spec, width_power by lia; apply Z.mod_small.
        pose proof (to_Z_bounded first); change wB with (2 ^ 63)%Z; lia. }
      apply (IH (first + width depth)); rewrite ?Hsum; try assumption; lia.
Qed.

Lemma check_all depth t : check depth t = true -> forall i, good t t.[i] = true.
Proof.
  unfold check; rewrite !andb_true_iff; intros [[[Hdepth Hlength] Hdefault] Hall] i.
  apply Nat.leb_le in Hdepth; apply leb_spec in Hlength; rewrite width_power in Hlength by lia.
  assert (2 ^ Z.of_nat depth <= 2 ^ 40)%Z by (apply Z.pow_le_mono_r; lia).
  destruct (i <? length t) eqn:Hi.
  - apply ltb_spec in Hi.
    apply (all_good_spec depth t 0); try assumption; change (to_Z 0) with 0%Z; [lia |].
    pose proof (to_Z_bounded i); lia.
  - rewrite get_out_of_bounds by assumption; exact Hdefault.
Qed.

(* The rules are the same for both players. *)

Definition seen_from (w : player) (p : track) : track :=
  Track (if same_player (turn p) White then w else opponent w) (own p) (other p).

Lemma moves_seen_from w a b x :
  moves (Track w a b) x = map (fun '(m, q) => (m, seen_from w q)) (moves (Track White a b) x).
Proof.
  assert (Hplay : forall c d, after_move (moved (Track w a b) c d) x =
    seen_from w (after_move (moved (Track White a b) c d) x)).
  { intros c d; unfold moved, after_move, passed, seen_from; cbn [turn own other].
    destruct (d =? last_square), (d =? water), (has b d), (throws_again x); reflexivity. }
  unfold moves.
  change (forward_legal (Track w a b)) with (forward_legal (Track White a b)).
  change (backward_legal (Track w a b)) with (backward_legal (Track White a b)).
  cbn [own]; destruct (filter _ (elements a)) as [| c l];
    [destruct (filter _ (elements a)) as [| c l] |].
  - reflexivity.
  - rewrite map_map; apply map_ext; intros d; rewrite Hplay; reflexivity.
  - rewrite map_map; apply map_ext; intros d; rewrite Hplay; reflexivity.
Qed.

(* The table as bounds of the chance of each player. *)

Section Table.

Context (t : table) (all : forall i, good t t.[i] = true).

Lemma lookup_good a b : good t (lookup t a b) = true.
Proof. unfold lookup; destruct (is_at a b _); [apply all | reflexivity]. Qed.

Lemma lookup_at a b : is_at a b (lookup t a b) = true \/ lookup t a b = nothing.
Proof.
  unfold lookup; cbv zeta; set (e := t.[_]); destruct (is_at a b e) eqn:H; auto.
Qed.

Lemma lookup_range a b :
  let e := lookup t a b in
  (to_Z (low e) <= Z.pos certain /\ to_Z (high e) <= Z.pos certain /\
   to_Z (chance e) < 2 ^ 32 /\ to_Z (error e) <= Z.pos certain)%Z.
Proof.
  intros e; pose proof (lookup_good a b) as H; fold e in H.
  unfold good, in_range in H; rewrite !andb_true_iff, !leb_spec in H.
  change (to_Z certainty) with (Z.pos certain) in H.
  change (to_Z units) with (2 ^ 32 - 1)%Z in H; lia.
Qed.

Definition bound (who : player) (p : place senet) : Z :=
  match borne_off p with
  | Some w => if same_player w who then Z.pos certain else 0
  | None =>
      let e := lookup t (own p) (other p) in
      if same_player (turn p) who then to_Z (low e) else (Z.pos certain - to_Z (high e))%Z
  end.

Lemma complement h :
  (to_Z h <= Z.pos certain)%Z -> to_Z (certainty - h) = (Z.pos certain - to_Z h)%Z.
Proof.
  intros H; rewrite sub_spec; change (to_Z certainty) with (Z.pos certain).
  pose proof (to_Z_bounded h); unfold certain in *.
  apply Z.mod_small; change wB with (2 ^ 63)%Z; lia.
Qed.

Lemma bound_lower w q : bound w (seen_from w q) = to_Z (lower t q).
Proof.
  pose proof (lookup_range (own q) (other q)) as H; cbn zeta in H.
  unfold bound, lower, bound_by, borne_off, seen_from; cbn [turn own other].
  set (e := lookup t (own q) (other q)) in *; clearbody e.
  pose proof (complement (low e) (proj1 H)) as Hlow.
  pose proof (complement (high e) (proj1 (proj2 H))) as Hhigh.
  destruct (is_empty (other q)), (is_empty (own q)), (turn q), w; cbn [same_player opponent];
    match goal with |- _ = to_Z (_ - _) => exact (eq_sym Hhigh) | _ => reflexivity end.
Qed.

Lemma bound_upper w q : bound (opponent w) (seen_from w q) = (Z.pos certain - to_Z (upper t q))%Z.
Proof.
  pose proof (lookup_range (own q) (other q)) as H; cbn zeta in H.
  unfold bound, upper, bound_by, borne_off, seen_from; cbn [turn own other].
  set (e := lookup t (own q) (other q)) in *; clearbody e.
  pose proof (complement (low e) (proj1 H)) as Hlow.
  pose proof (complement (high e) (proj1 (proj2 H))) as Hhigh.
  destruct (is_empty (other q)), (is_empty (own q)), (turn q), w; cbn [same_player opponent];
    match goal with
    | |- context [to_Z (_ - _)] => lia
    | |- context [to_Z certainty] => reflexivity
    | |- context [to_Z 0] => reflexivity
    | _ => reflexivity
    end.
Qed.

Lemma bound_range who p : (0 <= bound who p <= Z.pos certain)%Z.
Proof.
  unfold bound; pose proof (lookup_range (own p) (other p)) as H; cbn zeta in H.
  pose proof (to_Z_bounded (low (lookup t (own p) (other p)))).
  pose proof (to_Z_bounded (high (lookup t (own p) (other p)))).
  destruct (borne_off p) as [w |]; [destruct (same_player w who) |
    destruct (same_player (turn p) who)]; lia.
Qed.

Lemma lower_range p : (to_Z (lower t p) <= Z.pos certain)%Z.
Proof. rewrite <- bound_lower with (w := White); apply bound_range. Qed.

Lemma upper_range p : (to_Z (upper t p) <= Z.pos certain)%Z.
Proof.
  pose proof (bound_upper White p).
  pose proof (bound_range (opponent White) (seen_from White p)); lia.
Qed.

(* Maxima and sums. *)

Lemma maximum_ge f l m q : In (m, q) l -> (to_Z (f q) <= to_Z (maximum f l))%Z.
Proof.
  induction l as [| [n r] l IH]; cbn [In maximum]; [easy |]; intros [[= _ ->] | H].
  - destruct (f q <=? maximum f l) eqn:E; [apply leb_spec in E; exact E | lia].
  - specialize (IH H); destruct (f r <=? maximum f l) eqn:E; [assumption |].
    assert (to_Z (maximum f l) <= to_Z (f r))%Z; [| lia].
    rewrite <- not_true_iff_false, leb_spec in E; lia.
Qed.

Lemma maximum_reached f l : l <> [] ->
  exists m q, In (m, q) l /\ (to_Z (maximum f l) <= to_Z (f q))%Z.
Proof.
  induction l as [| [n r] l IH]; [easy |]; intros _; cbn [maximum].
  destruct (f r <=? maximum f l) eqn:E.
  - destruct l as [| next l].
    + exists n, r; split; [left; reflexivity |]; cbn [maximum].
      pose proof (to_Z_bounded (f r)); change (to_Z 0) with 0%Z; lia.
    + destruct IH as (m & q & Hin & Hle); [easy |]; exists m, q; split; [right |]; assumption.
  - exists n, r; split; [left; reflexivity | lia].
Qed.

Definition best (f : track -> int) (p : track) (x : int) : Z := to_Z (maximum f (moves p x)).

Lemma weigh a b c d e :
  (to_Z a <= Z.pos certain -> to_Z b <= Z.pos certain -> to_Z c <= Z.pos certain ->
   to_Z d <= Z.pos certain -> to_Z e <= Z.pos certain ->
   to_Z (4 * a + 6 * b + 4 * c + d + e) =
     4 * to_Z a + (6 * to_Z b + (4 * to_Z c + (1 * to_Z d + (1 * to_Z e + 0)))))%Z.
Proof. unfold certain; lia. Qed.

Lemma backup_sum f p : (forall q, to_Z (f q) <= Z.pos certain)%Z ->
  to_Z (backup f p) = sum senet (best f p) (throws senet).
Proof.
  intros Hf.
  assert (H : forall x, (to_Z (maximum f (moves p x)) <= Z.pos certain)%Z).
  { intros x; destruct (maximum_reached f (moves p x) (moves_some p x)) as (m & q & _ & Hle).
    specialize (Hf q); lia. }
  unfold backup; cbv zeta; exact (weigh _ _ _ _ _ (H 1) (H 2) (H 3) (H 4) (H 6)).
Qed.

Lemma sum_complement c b :
  sum senet (fun x => c - b x)%Z (throws senet) = (16 * c - sum senet b (throws senet))%Z.
Proof. unfold sum; cbn [senet throws fold_right]; ring. Qed.

Lemma bounds_justified who p : justified senet who certain (bound who) p.
Proof.
  unfold justified; split; [apply bound_range |].
  change (winner senet p) with (borne_off p).
  destruct (borne_off p) as [w |] eqn:over.
  { unfold bound; rewrite over; destruct w, who; cbn; auto; right; lia. }
  set (e := lookup t (own p) (other p)).
  pose proof (lookup_good (own p) (other p)) as Hgood; fold e in Hgood.
  pose proof (lookup_range (own p) (other p)) as Hrange; cbn zeta in Hrange; fold e in Hrange.
  assert (Hbound : bound who p =
    if same_player (turn p) who then to_Z (low e) else (Z.pos certain - to_Z (high e))%Z)
    by (unfold bound; rewrite over; reflexivity).
  destruct (lookup_at (own p) (other p)) as [Hat | Hnothing].
  2: { left; rewrite Hbound; unfold e; rewrite Hnothing; destruct (same_player _ _); reflexivity. }
  fold e in Hat; unfold is_at in Hat; rewrite andb_true_iff, !Uint63.eqb_spec in Hat.
  destruct Hat as [Hmine Htheirs].
  unfold good in Hgood; rewrite Hmine, Htheirs, !andb_true_iff in Hgood.
  destruct Hgood as [[_ Hlow] Hhigh].
  set (White_p := Track White (own p) (other p)) in *.
  assert (Hmoves : forall x, options senet p x =
    map (seen_from (turn p)) (map snd (moves White_p x))).
  { intros x; cbn [senet options]; destruct p as [w a b]; cbn [turn own other] in *.
    rewrite moves_seen_from, 2 map_map; apply map_ext; intros []; reflexivity. }
  change (total senet) with 16%Z.
  destruct (same_player (turn p) who) eqn:Hwho.
  - assert (turn p = who) by (clear - Hwho; destruct (turn p), who; easy); subst who.
    destruct (low e =? 0) eqn:Hzero.
    { left; rewrite Hbound; apply Uint63.eqb_spec in Hzero; rewrite Hzero; reflexivity. }
    right; exists (best (lower t) White_p); split.
    + intros x; unfold reached; change (thrower senet p) with (turn p); rewrite Hwho, Hmoves.
      destruct (maximum_reached (lower t) (moves White_p x) (moves_some _ _))
        as (m & q & Hin & Hle).
      exists (seen_from (turn p) q); split.
      * apply in_map; exact (in_map snd _ _ Hin).
      * rewrite bound_lower; exact Hle.
    + rewrite <- backup_sum by apply lower_range; rewrite Hbound.
      apply ltb_spec in Hlow; rewrite mul_spec in Hlow.
      change (to_Z 16) with 16%Z in Hlow; change wB with (2 ^ 63)%Z in Hlow.
      pose proof (to_Z_bounded (low e)); unfold certain in *.
      rewrite Z.mod_small in Hlow by lia; lia.
  - assert (who = opponent (turn p)) by (clear - Hwho; destruct (turn p), who; easy); subst who.
    destruct (high e =? certainty) eqn:Hone.
    { left; rewrite Hbound; apply Uint63.eqb_spec in Hone; rewrite Hone.
      change (to_Z certainty) with (Z.pos certain); lia. }
    right; exists (fun x => Z.pos certain - best (upper t) White_p x)%Z; split.
    + intros x; unfold reached; change (thrower senet p) with (turn p); rewrite Hwho, Hmoves.
      intros q' Hq'; rewrite map_map in Hq'; apply in_map_iff in Hq'.
      destruct Hq' as ([m q] & <- & Hin); cbn [snd]; rewrite bound_upper.
      pose proof (maximum_ge (upper t) _ _ _ Hin); unfold best; lia.
    + rewrite sum_complement, <- backup_sum by apply upper_range; rewrite Hbound.
      apply ltb_spec in Hhigh; rewrite mul_spec in Hhigh.
      change (to_Z 16) with 16%Z in Hhigh; change wB with (2 ^ 63)%Z in Hhigh.
      pose proof (to_Z_bounded (high e)); unfold certain in *.
      rewrite Z.mod_small in Hhigh by lia; lia.
Qed.

Lemma table_bounds p : borne_off p = None ->
  let e := lookup t (own p) (other p) in
  chance_between senet (turn p) (to_Z (low e) # certain) (to_Z (high e) # certain) p.
Proof.
  intros over e.
  pose proof (fun who => bound_assured senet senet_well_formed who certain (bound who)
    (bounds_justified who) p) as H.
  split.
  - specialize (H (turn p)); unfold bound in H; rewrite over in H.
    replace (same_player (turn p) (turn p)) with true in H by (destruct (turn p); reflexivity).
    exact H.
  - specialize (H (opponent (turn p))); unfold bound in H; rewrite over in H.
    replace (same_player (turn p) (opponent (turn p))) with false in H
      by (destruct (turn p); reflexivity).
    eapply assures_less; [| exact H].
    unfold Qle, Qminus, Qplus, Qopp; cbn [Qnum Qden]; fold e; lia.
Qed.

End Table.

(* What an accepted table says of a position: the bounds, and the chance with its error. *)
Theorem check_sound depth t p :
  check depth t = true -> borne_off p = None ->
  let e := lookup t (own p) (other p) in
  chance_between senet (turn p) (to_Z (low e) # certain) (to_Z (high e) # certain) p.
Proof. intros H; apply table_bounds, (check_all depth t H). Qed.

Theorem check_sound_error depth t p :
  check depth t = true -> borne_off p = None ->
  let e := lookup t (own p) (other p) in
  let c := (to_Z (chance e) * to_Z parts)%Z in
  chance_between senet (turn p) (c - to_Z (error e) # certain) (c + to_Z (error e) # certain) p.
Proof.
  intros H over e c; pose proof (check_all depth t H) as all.
  destruct (check_sound depth t p H over) as [Hlow Hhigh]; fold e in Hlow, Hhigh.
  pose proof (lookup_range t all (own p) (other p)) as Hrange; cbn zeta in Hrange; fold e in Hrange.
  pose proof (lookup_good t all (own p) (other p)) as Hgood; fold e in Hgood.
  unfold good, near in Hgood; rewrite !andb_true_iff in Hgood.
  destruct Hgood as [[[_ [Hh Hl]] _] _].
  apply leb_spec in Hh, Hl; rewrite !add_spec, !mul_spec in *.
  pose proof (to_Z_bounded (chance e)); pose proof (to_Z_bounded (error e)).
  pose proof (to_Z_bounded (low e)); unfold certain in *.
  change (to_Z parts) with 8192%Z in *; change wB with (2 ^ 63)%Z in *.
  rewrite !(Z.mod_small (_ * _)) in Hh, Hl by lia; rewrite !Z.mod_small in Hh, Hl by lia.
  split; (eapply assures_less; [| eassumption]);
    unfold Qle, Qminus, Qplus, Qopp, c; cbn [Qnum Qden]; lia.
Qed.
