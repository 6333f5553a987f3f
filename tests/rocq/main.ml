(* The extracted rules and checkers as a program:

     main check           certificates on standard input: which are accepted
     main moves GAME      positions on standard input, one a line: their ends, or moves

   Exit code 1: a certificate was refused. This file reads and writes texts; it is trusted for what
   it says was proved. *)
open Rules

let int_of_set s = int_of_string (Uint63.to_string s)
let rec count set = if set = 0 then 0 else 1 + count (set land (set - 1))
let is_in set c = (set lsr c) land 1 = 1

let letter = function White -> "w" | Black -> "b"
let player = function "w" -> White | "b" -> Black | text -> failwith ("player " ^ text)

(* The lengths of the rows, from the bottom. *)
let widths side = List.init (2 * side - 1) (fun row -> 2 * side - 1 - abs (row - side + 1))

(* The row and the place in it, from 0, of each cell. *)
let places side =
  List.mapi (fun row width -> List.init width (fun place -> (row, place))) (widths side)
  |> List.concat |> Array.of_list

let name side c =
  let row, place = (places side).(c) in
  Printf.sprintf "%c%d" (Char.chr (Char.code 'a' + row)) (place + 1)

(* A board as its side and one character a cell, in the order of numbers. *)
let read_board text =
  let rows = List.rev (String.split_on_char '/' text) in
  let empty = function '1' .. '9' as c -> String.make (Char.code c - Char.code '0') '.'
    | c -> String.make 1 c in
  let cells row = String.concat "" (List.map empty (List.of_seq (String.to_seq row))) in
  let rows = List.map cells rows in
  let side = (List.length rows + 1) / 2 in
  if List.map String.length rows <> widths side then failwith ("board " ^ text);
  (side, String.concat "" rows)

let set_of cells letter =
  let set = ref 0 in
  String.iteri (fun c l -> if l = letter then set := !set lor (1 lsl c)) cells;
  Uint63.of_int !set

let write_board side letter_of =
  let row first width =
    let text = Buffer.create 16 and gap = ref 0 in
    let flush () = if !gap > 0 then Buffer.add_string text (string_of_int !gap); gap := 0 in
    for c = first to first + width - 1 do
      match letter_of c with
      | '.' -> incr gap
      | l -> flush (); Buffer.add_char text l
    done;
    flush (); Buffer.contents text in
  let add (first, rows) width = (first + width, row first width :: rows) in
  String.concat "/" (snd (List.fold_left add (0, []) (widths side)))

(* Squish and Flowish *)

let read_pieces text =
  match String.split_on_char ' ' text with
  | [ board; turn ] ->
      let side, cells = read_board board in
      (side, { turn = player turn; white = set_of cells 'w'; black = set_of cells 'b' })
  | _ -> failwith ("position " ^ text)

let write_pieces side p =
  let white = int_of_set p.white and black = int_of_set p.black in
  let letter_of c = if is_in white c then 'w' else if is_in black c then 'b' else '.' in
  write_board side letter_of ^ " " ^ letter p.turn

let men p = count (int_of_set p.white lor int_of_set p.black)

(* Swish and Squeeze; the extraction renames fields that Squish has as well. *)

let numbers text = List.map int_of_string (String.split_on_char '-' text)

let read_setting text =
  match String.split_on_char ' ' text with
  | [ board; turn; stores; target ] ->
      let side, cells = read_board board in
      let set = set_of cells in
      let white_store, black_store = match numbers stores with
        | [ white; black ] -> (Uint63.of_int white, Uint63.of_int black)
        | _ -> failwith ("stores " ^ stores) in
      (side, { turn0 = player turn; white0 = set 'w'; black0 = set 'b'; beads = set 'o';
               white_store; black_store; target = Uint63.of_int (int_of_string target) })
  | _ -> failwith ("position " ^ text)

let write_setting side p =
  let sets = [ (p.white0, 'w'); (p.black0, 'b'); (p.beads, 'o') ] in
  let letter_of c =
    match List.find_opt (fun (set, _) -> is_in (int_of_set set) c) sets with
    | Some (_, letter) -> letter
    | None -> '.' in
  let number = Uint63.to_string in
  Printf.sprintf "%s %s %s-%s %s" (write_board side letter_of) (letter p.turn0)
    (number p.white_store) (number p.black_store) (number p.target)

let things p = count (int_of_set p.white0 lor int_of_set p.black0 lor int_of_set p.beads)

(* Games by name *)

type any = Any : {
  read : string -> int * 'p;
  write : int -> 'p -> string;
  count : 'p -> int; (* fewer after a capture *)
  judge : Uint63.t -> 'p -> 'p verdict;
  check : Uint63.t -> promise -> player -> Uint63.t -> Uint63.t list -> 'p -> bool;
} -> any

let unification judge check =
  Any { read = read_pieces; write = write_pieces; count = men; judge; check }

let capturing judge check =
  Any { read = read_setting; write = write_setting; count = things; judge; check }

let game_of = function
  | "squish" -> unification judge_squish check_squish
  | "flowish" -> unification judge_flowish check_flowish
  | "swish" -> capturing (judge_swish Loses) (check_swish Loses)
  | "squeeze" -> capturing (judge_squeeze Loses) (check_squeeze Loses)
  | "swish-pass" -> capturing (judge_swish Passes) (check_swish Passes)
  | "squeeze-pass" -> capturing (judge_squeeze Passes) (check_squeeze Passes)
  | text -> failwith ("game " ^ text)

let rec iter_lines f =
  match read_line () with line -> f line; iter_lines f | exception End_of_file -> ()

let memoize f =
  let known = Hashtbl.create 8 in
  fun x -> match Hashtbl.find_opt known x with
    | Some y -> y
    | None -> let y = f x in Hashtbl.add known x y; y

let moves (Any game) =
  let judge = memoize (fun side -> game.judge (Uint63.of_int side)) in
  let write_move side p (m, q) =
    let origin = int_of_set m / 64 and goal = int_of_set m mod 64 in
    let sign = if game.count p = game.count q then "-" else "x" in
    let text =
      if origin = goal then "pass" else name side origin ^ sign ^ name side goal in
    text ^ " " ^ game.write side q in
  let answer text =
    let side, p = game.read text in
    match judge side p with
    | Over (Some who) -> "over " ^ letter who
    | Over None -> "over draw"
    | Goes_on moves -> String.concat ";" (List.map (write_move side p) moves) in
  iter_lines (fun line -> print_endline (answer line))

(* The smallest power of two above twice the number, at most 2^21. *)
let slots moves =
  let rec grow slots = if slots <= 2 * moves && slots < 1 lsl 21 then grow (2 * slots) else slots in
  Uint63.of_int (grow 16)

let check () =
  let refused = ref false in
  let certificate head =
    match String.split_on_char ' ' head with
    | [ name; holder; promise; count ] ->
        let (Any game) = game_of name in
        let count = int_of_string count in
        let text = read_line () in
        let side, p = game.read text in
        let who = match holder with "White" -> White | "Black" -> Black | _ -> failwith head in
        let kept =
          match promise with "wins" -> Wins | "does-not-lose" -> Does_not_lose | _ -> failwith head in
        let words = List.init count (fun _ -> Uint63.of_int (int_of_string (read_line ()))) in
        let proved = game.check (Uint63.of_int side) kept who (slots (5 * count)) words p in
        if not proved then refused := true;
        Printf.printf "%s: %s %s, %s %s\n%!" (if proved then "proved" else "refused")
          name text holder promise
    | _ -> failwith ("certificate " ^ head) in
  iter_lines certificate;
  if !refused then exit 1

let () =
  match Array.to_list Sys.argv with
  | [ _; "check" ] -> check ()
  | [ _; "moves"; name ] -> moves (game_of name)
  | _ -> prerr_endline "usage: main check | main moves GAME"; exit 2
