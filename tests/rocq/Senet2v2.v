(* Senet with up to two pieces each: bounds of the chance in every state, accepted by the kernel. *)
From Coq Require Import Bool List Uint63 PArray ZArith QArith Lia.
From Marquis Require Import Game Hexagon Chance Senet SenetChecker.
From Marquis.generated Require senet_2v2.
Import ListNotations.
Open Scope uint63_scope.
Open Scope bool_scope.

(* The squares on which a piece can rest, the highest first. *)
Definition rests : list int :=
  [29; 28; 26; 25; 24; 23; 22; 21; 20; 19; 18; 17; 16; 15; 14; 13; 12; 11; 10;
   9; 8; 7; 6; 5; 4; 3; 2; 1].

Fixpoint choices (size : nat) (squares : list int) : list int :=
  match size, squares with
  | O, _ => [0]
  | S _, [] => []
  | S fewer, s :: lower =>
      choices size lower ++ map (fun set => singleton s lor set) (choices fewer lower)
  end.

(* The states of a layer in the order of their slots. *)
Definition states (pieces others : nat) : list (int * int) :=
  flat_map (fun a =>
    map (fun b => (a, b)) (choices others (filter (fun s => negb (has a s)) rests)))
    (choices pieces rests).

(* A word has the chance in its lowest 32 bits, and 15 bits each of `above` and of `below`. *)
Definition state_entry (error note : int) '((a, b), word) : entry :=
  entry_of a b error note (word land 4294967295) ((word >> 32) land 32767) (word >> 47).

Definition layer_entries '((pieces, others, error, note, words) : nat * nat * int * int * list int)
    : list entry :=
  map (state_entry error note) (combine (states pieces others) words).

Definition depth : nat := 19.

(* wbwb6/10/10 b *)
Definition start : track := Track Black (set_of [2; 4]) (set_of [1; 3]).

(* 0.510330639 and 0.510330641 of certainty, rounded inward. *)
Definition start_low : int := 17955663086727.
Definition start_high : int := 17955663157095.

Definition accepted (t : table) : bool :=
  if check depth t then
    let e := lookup t (own start) (other start) in
    (start_low <=? low e) && (high e <=? start_high)
  else false.

Lemma accepted_check t : accepted t = true -> check depth t = true.
Proof. unfold accepted; destruct (check depth t); easy. Qed.

Lemma accepted_start t : accepted t = true ->
  chance_between senet Black (510330639 # 1000000000) (510330641 # 1000000000) start.
Proof.
  intros H; pose proof (check_sound depth t start (accepted_check t H) eq_refl) as Hstart.
  unfold accepted in H; destruct (check depth t); [| discriminate].
  cbv zeta in H, Hstart.
  set (e := lookup t (own start) (other start)) in *; clearbody e.
  rewrite andb_true_iff, !leb_spec in H; destruct H as [Hlow Hhigh].
  change (turn start) with Black in Hstart.
  assert (Hl : to_Z start_low = 17955663086727%Z) by reflexivity.
  assert (Hh : to_Z start_high = 17955663157095%Z) by reflexivity.
  rewrite Hl in Hlow; rewrite Hh in Hhigh; clear Hl Hh.
  revert Hlow Hhigh Hstart; generalize (to_Z (low e)) (to_Z (high e)).
  unfold certain; intros l h Hlow Hhigh [Hl Hh]; split; (eapply assures_less; [| eassumption]);
    unfold Qle, Qminus, Qplus, Qopp; cbn [Qnum Qden]; lia.
Qed.

(* A function, so that the kernel does not compute it before the virtual machine does. *)
Definition the_table (_ : unit) : table :=
  fold_left add (flat_map layer_entries senet_2v2.layers) (make (width depth) nothing).

Lemma is_accepted : accepted (the_table tt) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(* The chance of the player who throws, in every state of the table. *)
Theorem senet_2v2_chances p :
  borne_off p = None ->
  let e := lookup (the_table tt) (own p) (other p) in
  chance_between senet (turn p) (to_Z (low e) # certain) (to_Z (high e) # certain) p.
Proof. exact (check_sound depth (the_table tt) p (accepted_check (the_table tt) is_accepted)). Qed.

(* Black, who throws first, wins with this chance. *)
Theorem senet_2v2_start :
  chance_between senet Black (510330639 # 1000000000) (510330641 # 1000000000) start.
Proof. exact (accepted_start (the_table tt) is_accepted). Qed.

Print Assumptions senet_2v2_start.
