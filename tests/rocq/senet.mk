# Theorems about Senet; SENET.md says what is proved and trusted.
#
#   make senet           rules, checker, every state up to 2 against 2, the theorem about the start
#   make senet-mutants   changed tables
#
# Tables are read by Python 3.14, or with its package zstandard.

Chance.vo: Game.vo
Senet.vo: Hexagon.vo Chance.vo
SenetChecker.vo: Senet.vo
SenetExtract.vo: SenetChecker.vo | generated
Senet2v2.vo: SenetChecker.vo generated/senet_2v2.vo

senet_layers := 1v1 1v2 2v1 2v2
senet_tables = $(senet_layers:%=generated/tables/senet/%.mqt)

generated/tables/senet.done: | generated
	$(MARQUIS) generate senet --pieces 2v2 --out generated/tables --threads 1 > generated/senet.log
	touch $@

generated/senet_2v2.v: generated/tables/senet.done senet.py
	python3 senet.py rocq $(senet_tables) > $@

generated/senet: SenetExtract.vo senet.ml
	cp senet.ml generated
	cd generated && ocamlfind ocamlopt -thread -rectypes -w -a -package coq-core.kernel -linkpkg \
	  senet_rules.mli senet_rules.ml senet.ml -o senet

senet: Senet2v2.vo senet-samples senet-positions senet-check

senet-samples senet-positions: generated/senet
	python3 senet.py $(@:senet-%=%)
senet-check: generated/senet generated/tables/senet.done
	python3 senet.py check $(senet_tables)
# Without 2 against 2, which takes a second a mutant.
senet-mutants: generated/senet generated/tables/senet.done
	python3 senet.py mutants $(filter-out %/2v2.mqt,$(senet_tables))

.PHONY: senet senet-samples senet-positions senet-check senet-mutants
