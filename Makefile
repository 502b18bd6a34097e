# SPDX-License-Identifier: MIT
# The front door.
#
#     make              build/rehearse and build/librehearse.a
#     make demo         install what is missing, build, find a bug and replay it
#     make check        every test;  T=pattern for some of them
#     make check-deep   the long ones too
#     make bench        the benchmarks;  B='spin growth' for some of them
#     make bench-savina the programs of Savina on threads, compared with CAF and Erlang
#     make table-NAME   a table of the docs: apet aspec basset bita cause cover first generate handlers interleavings mfg
#                       mutants refine savina shrink tap (bench/README.md)
#     make install      prefix=/usr/local DESTDIR=
#     make format       rewrite the sources as .clang-format says
#     make lint         format, columns, clang-tidy and the layers, without changing anything
#     make clean
#
# CC=clang builds into build-clang, SANITIZE=address,undefined into build-sanitize, VERIFY=1 into build-verify, with
# checks around every delivery that are too expensive otherwise (src/world/verify.h); BUILD=DIR decides.

SANITIZE ?=
VERIFY ?=
JOBS ?= $(shell nproc)
T ?=
B ?=
prefix ?= /usr/local

# CC=clang gives "-clang"; the compilers that are the default anyway give nothing.
compiler_suffix := $(if $(filter default,$(origin CC)),,$(patsubst %,-%,$(filter-out cc gcc,$(notdir $(firstword $(CC))))))
BUILD ?= build$(compiler_suffix)$(if $(SANITIZE),-sanitize)$(if $(VERIFY),-verify)

compiler_option := $(if $(filter default,$(origin CC)),,-DCMAKE_C_COMPILER=$(firstword $(CC)))

# The variables of this file mean nothing to the files that cmake writes.
cmake := MAKEFLAGS=--no-print-directory MFLAGS= cmake

# What bench/ measures, and a target for each table of it.
measured := BUILD='$(abspath $(BUILD))' REHEARSE='$(abspath $(BUILD))/rehearse'
tables := $(patsubst bench/tables/%,table-%,$(filter-out %.shlib,$(wildcard bench/tables/*)))

.PHONY: all configure demo check check-deep bench bench-savina $(tables) install format lint clean

all: configure
	@$(cmake) --build '$(BUILD)' -j$(JOBS)

configure:
	@$(cmake) -S . -B '$(BUILD)' --log-level=WARNING \
	    -DREHEARSE_SANITIZE='$(SANITIZE)' -DREHEARSE_VERIFY='$(if $(VERIFY),ON,OFF)' $(compiler_option) >/dev/null || \
	    { echo 'If something is missing, tools/install-deps installs it.' >&2; exit 1; }

demo:
	@tools/install-deps
	@$(MAKE) --no-print-directory all
	@BUILD='$(abspath $(BUILD))' tools/demo

check check-deep: all
	@$(cmake) --build '$(BUILD)' -j$(JOBS) --target unit-tests
	@SANITIZE='$(SANITIZE)' tests/run --build '$(BUILD)' $(if $(filter check-deep,$@),--deep) '$(T)'

bench: all
	@$(measured) bench/run $(B)

bench-savina: all
	@$(measured) bench/speed/savina

$(tables): table-%: all
	@$(measured) bench/tables/$* $(PARTS)

install: all
	@DESTDIR='$(DESTDIR)' $(cmake) --install '$(BUILD)' --prefix '$(prefix)'

format:
	@tools/format

lint: all
	@$(cmake) --build '$(BUILD)' -j$(JOBS) --target unit-tests
	@tools/format --check
	@tools/check-columns
	@tools/check-layers
	@tools/check-layers --links '$(BUILD)'
	@tools/tidy '$(BUILD)'

clean:
	@rm -rf build build-*
