(* Flowish, side 4: who wins after each of the 30 first moves. *)
From Coq Require Import Bool ZArith List String Uint63.
From Marquis Require Import Game Unification UnificationChecker Names.
From Marquis.generated Require
  flowish_4_a2_b3 flowish_4_a2_b2 flowish_4_b1_b2 flowish_4_b1_c2 flowish_4_b4_c5 flowish_4_b4_c4
  flowish_4_b4_b3 flowish_4_c3_c4 flowish_4_c3_d4 flowish_4_c3_d3 flowish_4_c6_d6 flowish_4_c6_c5
  flowish_4_d2_d3 flowish_4_d2_e2 flowish_4_d2_c2 flowish_4_d5_e4 flowish_4_d5_d4 flowish_4_d5_c4
  flowish_4_e3_e4 flowish_4_e3_d3 flowish_4_e3_d4 flowish_4_e6_e5 flowish_4_e6_d6 flowish_4_f1_f2
  flowish_4_f1_e2 flowish_4_f4_f3 flowish_4_f4_e4 flowish_4_f4_e5 flowish_4_g2_f2 flowish_4_g2_f3.
Import ListNotations.

Definition legal_moves (g : game) (p : position g) : list (move * position g) :=
  match judge g p with Over _ => [] | Goes_on moves => moves end.

(* Origin, goal, winner. *)
Definition first_moves : list (string * string * player) :=
  [("a2", "b3", Black); ("a2", "b2", Black); ("b1", "b2", Black); ("b1", "c2", Black);
   ("b4", "c5", Black); ("b4", "c4", White); ("b4", "b3", Black); ("c3", "c4", White);
   ("c3", "d4", Black); ("c3", "d3", White); ("c6", "d6", Black); ("c6", "c5", Black);
   ("d2", "d3", White); ("d2", "e2", Black); ("d2", "c2", Black); ("d5", "e4", White);
   ("d5", "d4", Black); ("d5", "c4", White); ("e3", "e4", White); ("e3", "d3", White);
   ("e3", "d4", Black); ("e6", "e5", Black); ("e6", "d6", Black); ("f1", "f2", Black);
   ("f1", "e2", Black); ("f4", "f3", Black); ("f4", "e4", White); ("f4", "e5", Black);
   ("g2", "f2", Black); ("g2", "f3", Black)]%string.

Definition move_between (origin goal : string) : move :=
  (64 * cell_number 4 origin + cell_number 4 goal)%uint63.

Definition verdict_holds '((m, p), (origin, goal, who)) : Prop :=
  m = move_between origin goal /\ wins (flowish 4) who p.

Definition certificates : list (list int) :=
  [flowish_4_a2_b3.words; flowish_4_a2_b2.words; flowish_4_b1_b2.words; flowish_4_b1_c2.words;
   flowish_4_b4_c5.words; flowish_4_b4_c4.words; flowish_4_b4_b3.words; flowish_4_c3_c4.words;
   flowish_4_c3_d4.words; flowish_4_c3_d3.words; flowish_4_c6_d6.words; flowish_4_c6_c5.words;
   flowish_4_d2_d3.words; flowish_4_d2_e2.words; flowish_4_d2_c2.words; flowish_4_d5_e4.words;
   flowish_4_d5_d4.words; flowish_4_d5_c4.words; flowish_4_e3_e4.words; flowish_4_e3_d3.words;
   flowish_4_e3_d4.words; flowish_4_e6_e5.words; flowish_4_e6_d6.words; flowish_4_f1_f2.words;
   flowish_4_f1_e2.words; flowish_4_f4_f3.words; flowish_4_f4_e4.words; flowish_4_f4_e5.words;
   flowish_4_g2_f2.words; flowish_4_g2_f3.words].

Fixpoint check_all moves claims certificates : bool :=
  match moves, claims, certificates with
  | [], [], [] => true
  | (m, p) :: moves, (origin, goal, who) :: claims, certificate :: certificates =>
      (m =? move_between origin goal)%uint63 &&
      check_flowish 4 who (1 << 17) certificate p && check_all moves claims certificates
  | _, _, _ => false
  end.

Lemma check_all_sound moves claims certificates :
  check_all moves claims certificates = true ->
  Forall2 (fun move claim => verdict_holds (move, claim)) moves claims.
Proof.
  revert claims certificates.
  induction moves as [| [m p] moves IH]; intros [| [[origin goal] who] claims] [| certificate rest];
    cbn [check_all]; try discriminate; [constructor |].
  rewrite !andb_true_iff; intros [[same%eqb_correct won%check_flowish_sound] others].
  constructor; [split |]; eauto.
Qed.

Theorem flowish4_first_moves :
  Forall2 (fun move claim => verdict_holds (move, claim))
    (legal_moves (flowish 4) (start 4)) first_moves.
Proof.
  apply check_all_sound with (certificates := certificates).
  vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions flowish4_first_moves.
