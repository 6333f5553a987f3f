(* The extracted rules of Senet and checker of its bounds as a program:

     senet moves     positions on standard input, one a line: their ends, or moves for each throw
     senet check     a table on standard input: is it accepted, and which layers are complete
     senet spare     the same table: by how much each bound could be tighter, in parts

   Exit code 1: the table was refused. This file reads and writes texts; it is trusted for what it
   says was proved. A table is lines `layer ERROR PARTS`, with the error in parts of 1 / 2^13 of a
   unit, each followed by lines `OWN OTHER CHANCE ABOVE BELOW`, sets of squares and cells. *)
open Senet_rules

let int_of x = int_of_string (Uint63.to_string x)
let uint = Uint63.of_int
let rec count set = if set = 0 then 0 else 1 + count (set land (set - 1))
let rec nat n = if n = 0 then O else S (nat (n - 1))

let rec iter_lines f =
  match read_line () with line -> f line; iter_lines f | exception End_of_file -> ()

(* Texts *)

let letter = function White -> "w" | Black -> "b"

let read_track text =
  match String.split_on_char ' ' text with
  | [ rows; turn ] ->
      let white = ref 0 and black = ref 0 in
      let read_row first row =
        let square = ref first and gap = ref 0 in
        let flush () = square := !square + !gap; gap := 0 in
        let piece set = flush (); set := !set lor (1 lsl !square); incr square in
        String.iter (function
          | 'w' -> piece white
          | 'b' -> piece black
          | '0' .. '9' as c -> gap := 10 * !gap + Char.code c - Char.code '0'
          | _ -> failwith text) row;
        flush ();
        if !square <> first + 10 then failwith text in
      List.iteri (fun i row -> read_row (1 + 10 * i) row) (String.split_on_char '/' rows);
      if turn = "w" then { turn = White; own = uint !white; other = uint !black }
      else { turn = Black; own = uint !black; other = uint !white }
  | _ -> failwith text

let write_track p =
  let own = letter p.turn and other = letter (opponent p.turn) in
  let row first =
    let text = Buffer.create 10 and gap = ref 0 in
    let flush () = if !gap > 0 then Buffer.add_string text (string_of_int !gap); gap := 0 in
    for s = first to first + 9 do
      if has p.own (uint s) then (flush (); Buffer.add_string text own)
      else if has p.other (uint s) then (flush (); Buffer.add_string text other)
      else incr gap
    done;
    flush (); Buffer.contents text in
  Printf.sprintf "%s/%s/%s %s" (row 1) (row 11) (row 21) own

(* Where the piece went that fell into the water: the only new square of its owner. *)
let write_move p x (m, q) =
  let from = int_of m / 64 and goal = int_of m mod 64 in
  let mine = if q.turn = p.turn then int_of q.own else int_of q.other in
  let text =
    if m = pass then "pass"
    else if goal = 30 then Printf.sprintf "%d-off" from
    else if goal = 27 then
      let landed = mine land lnot (int_of p.own land lnot (1 lsl from)) in
      Printf.sprintf "%d-27>%d" from (count (landed - 1))
    else
      Printf.sprintf "%d%s%d" from (if has p.other (uint goal) then "x" else "-") goal in
  Printf.sprintf "%d:%s %s" x text (write_track q)

let show_moves text =
  let p = read_track text in
  print_endline (match borne_off p with
    | Some who -> "over " ^ letter who
    | None ->
        String.concat ";" (List.concat_map
          (fun x -> List.map (write_move p x) (moves p (uint x))) [ 1; 2; 3; 4; 6 ]))

(* Tables *)

let read_entries () =
  let entries = ref [] and note = ref 1 and error = ref 0 in
  iter_lines (fun line ->
    try Scanf.sscanf line "layer %d %d%!" (fun e n -> error := e; note := n)
    with Scanf.Scan_failure _ ->
      Scanf.sscanf line "%d %d %d %d %d%!" (fun own other chance above below ->
        let u = uint in
        entries := entry_of (u own) (u other) (u !error) (u !note) (u chance) (u above) (u below)
          :: !entries));
  List.rev !entries

let rec depth n = if n <= 1 then 0 else 1 + depth ((n + 1) / 2)

let table_of entries =
  let depth = depth (2 * List.length entries) in
  (depth, List.fold_left add1 (empty_table (uint (1 lsl depth))) entries)

(* All squares on which a piece can rest. *)
let rests = (1 lsl 30 - 2) lxor (1 lsl 27)

let rec choose n k = if k = 0 then 1 else choose n (k - 1) * (n - k + 1) / k

(* The different positions of each layer in the table. *)
let layers depth t =
  let counts = Hashtbl.create 16 in
  for i = 0 to 1 lsl depth - 1 do
    let e = get t (uint i) in
    let own = int_of e.mine and other = int_of e.theirs in
    if own <> 0 && (own lor other) land lnot rests = 0 && own land other = 0
       && lookup t e.mine e.theirs == e then begin
      let layer = (count own, count other) in
      Hashtbl.replace counts layer (1 + (try Hashtbl.find counts layer with Not_found -> 0))
    end
  done;
  List.sort compare (List.of_seq (Hashtbl.to_seq counts))

let check_table () =
  let entries = read_entries () in
  let depth, t = table_of entries in
  if check (nat depth) t then begin
    List.iter (fun ((p, q), n) ->
      let all = choose 28 p * choose (28 - p) q in
      Printf.printf "proved: %dv%d, %s\n" p q
        (if n = all then Printf.sprintf "all %d states" n
         else Printf.sprintf "%d of %d states" n all)) (layers depth t)
  end else begin
    let bad = List.filter (fun e -> not (good t e)) entries in
    Printf.printf "refused: %d of %d entries\n" (List.length bad) (List.length entries);
    exit 1
  end

let spare () =
  let entries = read_entries () in
  let _, t = table_of entries in
  List.iter (fun e ->
    let p = { turn = White; own = e.mine; other = e.theirs } in
    let low = (int_of (backup (lower t) p) - 1) / 16 - int_of e.low in
    let high = int_of e.high - int_of (backup (upper t) p) / 16 - 1 in
    Printf.printf "%d %d\n" low high) entries

let () =
  match Sys.argv with
  | [| _; "moves" |] -> iter_lines show_moves
  | [| _; "check" |] -> check_table ()
  | [| _; "spare" |] -> spare ()
  | _ -> prerr_endline "usage: senet moves | check | spare"; exit 2
