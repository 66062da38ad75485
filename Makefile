# The tasks of development. `make` lists them.
#
# Settings (environment or command line): LITFASS_PORT, LITFASS_DATA, DEMO, and
# for make up READ_NODES, ADMINS, DATABASE_URL, NATS_URL, MEILI_URL with MEILI_KEY.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.SUFFIXES:

BIN      := .local/bin
LAUNCHER := $(BIN)/local
LINTER   := $(BIN)/golangci-lint
AUDITOR  := $(BIN)/govulncheck
TEMPL    := $(BIN)/templ
# The type checker and the formatter of the pages' scripts and styles, and what the scripts import.
WEB_TOOLS   := deploy/tools/frontend/node_modules
WEB_IMPORTS := services/site/assets/node_modules services/console/assets/node_modules
PRETTIER    := $(WEB_TOOLS)/.bin/prettier --log-level warn
WEB_SOURCES := 'services/*/assets/**/*.{ts,css}' 'pkg/ui/**/*.{ts,css}' 'deploy/clients/*/**/*.ts'
# The modules of go.work, as package patterns ("./pkg/...").
MODULES  := $(shell sed -n 's,^[[:space:]]*\(\./[^[:space:]]*\)$$,\1,p' go.work)
PATTERNS := $(addsuffix /...,$(MODULES))
# Without tables for debuggers a compile takes three quarters of the time, and without the folder of
# the tree in the programs it serves every clone. GOFLAGS= in the environment compiles for a debugger.
export GOFLAGS ?= -trimpath -gcflags=all=-dwarf=false
# Two concurrent test programs keep two cores busy: most have several stacks. The linter runs the
# checks of go vet.
TEST_FLAGS ?= -vet=off -p 2 -timeout 80m
# The tests of the whole system take the longest, and come first; of them, those that others would
# have to wait for. The long lane runs them without the race detector, which the services have that
# they start where tests are about concurrency.
SYSTEM_TESTS := ./deploy/e2e/console ./deploy/e2e/faults ./deploy/e2e/... ./deploy/check/...
OTHER_TESTS  := ./deploy/basemap/... ./deploy/licences/... ./deploy/local/... ./deploy/natsusers/... $(filter-out ./deploy/...,$(PATTERNS))
# What guards a merge has the race detector where packages share memory between goroutines of their
# own, and need few libraries: each would be compiled once more.
RACED_TESTS  := ./pkg/chassis/limit ./services/query/internal/cache ./services/query/internal/changes ./services/site/internal/pagecache
# The random tests of the long lane, and its clocks.
SEEDS        ?= 2 3
SHIFTS       ?= 3d 40d 400d -365d
SEEDED_TESTS := TestAnswersEqualReference|TestRandomEdits|TestNoAnswerIsOlderThanItsPosition|TestCopyKeptByChanges|TestNothingIsLost

##@ Run

.PHONY: up
up: $(LAUNCHER) ## run everything until Ctrl-C
	@exec $(LAUNCHER) up

.PHONY: dev
dev: $(LAUNCHER) ## run everything, and rebuild and restart a service when its source changes
	@exec $(LAUNCHER) up --watch

.PHONY: down
down: $(LAUNCHER) ## stop what `make up` started in another terminal
	@$(LAUNCHER) down

.PHONY: import
import: $(LAUNCHER) ## import a catalogue into the running stack: make import FILE=events.jsonl.gz (- reads standard input)
	@test -n "$(FILE)" || { echo 'make import FILE=events.jsonl[.gz]' >&2; exit 2; }
	@$(LAUNCHER) exec admin -- import "$(FILE)"

.PHONY: export
export: $(LAUNCHER) ## write the running stack's catalogue: make export FILE=events.jsonl (default: standard output)
	@$(LAUNCHER) exec admin -- export $(if $(FILE),> "$(FILE)")

.PHONY: verify
verify: $(LAUNCHER) ## compare PostgreSQL with the stream, and the stream with every index, of the running stack
	@$(LAUNCHER) verify

##@ Develop

.PHONY: test
ifdef PKG
test: $(LAUNCHER)
	@exec $(LAUNCHER) test-one --run='$(RUN)' --packages='$(PKG)' -- $(FLAGS)
else ifneq ($(RUN)$(FLAGS),)
test:
	$(error RUN and FLAGS need packages: make test PKG=./pkg/chassis/web [RUN=TestX] [FLAGS=-race])
else
test: $(LAUNCHER) ## run the tests that guard a merge, or those of packages: make test PKG=./pkg/chassis/web [RUN=TestX] [FLAGS=-race]
	@exec $(LAUNCHER) test -- $(TEST_FLAGS) $(SYSTEM_TESTS) $(OTHER_TESTS) -- -race $(TEST_FLAGS) $(RACED_TESTS)
endif

.PHONY: test-long
test-long: ## run every test with all its cases, seeds, clocks and the race detector: hours
	@$(MAKE) --keep-going test-all test-seeds test-clocks test-tools

.PHONY: test-all
test-all: $(LAUNCHER)
	$(LAUNCHER) test --long -- $(TEST_FLAGS) $(SYSTEM_TESTS) -- -race $(TEST_FLAGS) $(OTHER_TESTS)

.PHONY: test-seeds
test-seeds: $(LAUNCHER)
	failed=0; for seed in $(SEEDS); do \
	  LITFASS_E2E_SEED=$$seed $(LAUNCHER) test --long -- $(TEST_FLAGS) -count=1 -run '^($(SEEDED_TESTS))$$' ./deploy/e2e/... || failed=1; done; \
	  exit $$failed

.PHONY: test-clocks
test-clocks: $(LAUNCHER)
	failed=0; for shift in $(SHIFTS); do $(MAKE) test-clock SHIFT=$$shift || failed=1; done; exit $$failed

.PHONY: test-tools
test-tools: $(LAUNCHER)
	failed=0; for tool in bench-small 'drill ARGS=-small' screenshots wordpress-test; do $(MAKE) $$tool || failed=1; done; exit $$failed

.PHONY: engines-up
engines-up: $(LAUNCHER) ## start engines that make test PKG=... uses until make engines-down
	@$(LAUNCHER) engines-up

.PHONY: engines-down
engines-down: $(LAUNCHER) ## stop the engines of make engines-up and delete their data
	@$(LAUNCHER) engines-down

# The tests of test-clock: all, those of the whole system last.
CLOCK_TESTS ?= $(OTHER_TESTS) $(SYSTEM_TESTS)

.PHONY: test-clock
test-clock: $(LAUNCHER) ## run tests with the clock of Go programs shifted: make test-clock SHIFT=40d, or NOW=2027-03-28T01:30:00+01:00
	@go build -o $(BIN)/clock ./deploy/local/clock
	@exec $(BIN)/clock -shift "$(SHIFT)" -now "$(NOW)" $(LAUNCHER) test -- $(TEST_FLAGS) $(CLOCK_TESTS)

.PHONY: check
check: static unit ## formatting, vet, lint, dependencies between packages, unit tests

.PHONY: bench
bench: $(LAUNCHER) ## measure imports, freshness, searches, also during edits, pages, memory, rebuild, editing and pictures with 100,000 dates
	go run ./deploy/e2e/bench $(ARGS)

.PHONY: bench-small
bench-small: $(LAUNCHER) ## run every part of the bench on a small catalogue, without aims: fails on wrong answers and failed requests
	go run ./deploy/e2e/bench -small -out .local/bench-small.json $(ARGS)

.PHONY: drill
drill: $(LAUNCHER) ## let engines, services, disk, network and clock fail under load, and count losses
	go run ./deploy/e2e/bench -dates 5000 -parts drill -out .local/drill.json $(ARGS)

.PHONY: screenshots
screenshots: $(LAUNCHER) ## write pictures of every page to .local/screenshots: phone, desktop, dark and print
	go run ./deploy/e2e/screenshots $(ARGS)

.PHONY: wordpress
wordpress: ## write the WordPress plugin to .local/litfass-wordpress.zip
	go run ./deploy/e2e/wordpress/pack

.PHONY: wordpress-test
wordpress-test: $(LAUNCHER) ## use the plugin in a real WordPress; needs Debian's packages (deploy/clients/wordpress)
	@exec $(LAUNCHER) test -- -tags wordpress -vet=off -count=1 -timeout 20m -v -run TestInWordPress ./deploy/e2e/wordpress

# The packages whose tests write their golden files with -update.
GOLDEN := ./pkg/contracts/project ./services/query/internal/feed ./services/query/internal/filter ./services/query/internal/api ./deploy/natsusers

.PHONY: golden
golden: $(LAUNCHER) ## write all golden files and API examples again, after a change of what they show
	$(LAUNCHER) test -- -vet=off -count=1 -run 'TestGolden|TestFiltersAreListed|TestExamplesAreRealAnswers' $(GOLDEN) -update

.PHONY: language
language: ## begin a translation with copies of the English texts: make language CODE=sv
	@test -n "$(CODE)" || { echo 'make language CODE=sv' >&2; exit 2; }
	@for file in $$(git ls-files '*/messages/*.en.json' '*/templates/*.en.*'); do \
	  copy=$$(echo "$$file" | sed 's/\.en\./.$(CODE)./'); test -e "$$copy" || cp "$$file" "$$copy"; done

.PHONY: fmt
fmt: $(LINTER) $(WEB_TOOLS)/.package-lock.json ## format all code
	$(LINTER) fmt $(PATTERNS)
	$(PRETTIER) --write $(WEB_SOURCES)

.PHONY: generate
generate: $(TEMPL) ## write the Go code of the pages' templates
	$(TEMPL) generate -path .

.PHONY: lint
lint: $(LINTER) ## run golangci-lint
	$(LINTER) run $(PATTERNS)

.PHONY: audit
audit: $(AUDITOR) ## check licences, and look for known vulnerabilities in what the code calls; fails and says so where their databases cannot be reached
	go run ./deploy/licences $(PATTERNS) $$(git ls-files '*package-lock.json')
	@sh deploy/tools/npmaudit.sh $$(git ls-files '*package-lock.json'); npm=$$?; sh deploy/tools/audit.sh $(AUDITOR) $(MODULES) && exit $$npm

##@ Housekeeping

.PHONY: engines
engines: $(LAUNCHER) ## fetch the engines ahead of time and print their folders
	@$(LAUNCHER) engines

.PHONY: clean
clean: $(LAUNCHER) ## delete data and logs
	@$(LAUNCHER) clean

.PHONY: distclean
distclean: $(LAUNCHER) ## delete data, logs, fetched engines and built programs
	@$(LAUNCHER) clean --everything

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# The parts of check.

.PHONY: static
# The linter runs the checks of go vet, too.
static: generate-check format-check web-check lint versions-check tidy-check fence

# What templ generates is committed: a build needs no generator.
.PHONY: generate-check
generate-check: $(TEMPL)
	@for file in $$(git ls-files '*.templ'); do \
	  $(TEMPL) generate -log-level error -stdout -f $$file | cmp -s - $${file%.templ}_templ.go || \
	  { echo "make generate is needed: $$file"; exit 1; }; done

.PHONY: format-check
format-check:
	@unformatted=$$(gofmt -l $(MODULES)); test -z "$$unformatted" || { echo "gofmt is needed on:"; echo "$$unformatted"; exit 1; }

# Scripts and styles: their formatting, and the types of the scripts.
.PHONY: web-check
web-check: packages
	@$(PRETTIER) --check $(WEB_SOURCES) || { echo "make fmt is needed"; exit 1; }
	$(WEB_TOOLS)/.bin/tsc --noEmit --project services

.PHONY: vet
vet: ## run go vet
	go vet $(PATTERNS)

# Workspace mode tests with the newest version that any module requires: all shall require that one.
# `go work sync` writes it to every go.mod; templ's generator has the version of its library.
.PHONY: versions-check
versions-check:
	@twice=$$(grep -hoE '[a-z0-9.-]+\.[a-z]+/[^ ]+ v[^ ]+' $(addsuffix /go.mod,$(MODULES)) | sort -u | \
	  awk '$$1 == last {print $$1} {last = $$1}'); \
	  test -z "$$twice" || { echo "modules require different versions of:"; echo "$$twice"; exit 1; }
	@grep -qF "$$(grep -ohE 'a-h/templ v[^ ]+' pkg/go.mod)" deploy/tools/go.mod || \
	  { echo "deploy/tools and pkg require different versions of templ"; exit 1; }

# Workspace mode hides undeclared dependencies, so each module is also built without the others.
.PHONY: tidy-check
tidy-check:
	@set -e; for module in $(MODULES); do \
	  echo "module $$module"; \
	  (cd $$module && GOWORK=off go mod tidy -diff && GOWORK=off go list -export ./... > /dev/null); \
	done

.PHONY: fence
fence:
	go run ./deploy/check/fence $(PATTERNS)

# Unit tests are those of packages that do not depend on an engine's client; `make test` runs all.
# The tests of deploy/check read files outside of their module, which Go's cache of test results
# does not consider: hence -count=1.
.PHONY: unit
unit:
	go test -vet=off $$(go run ./deploy/check/fence -unit $(PATTERNS) | grep -vx litfass/deploy/check)
	go test -vet=off -count=1 ./deploy/check
	go test -vet=off -run TakeLittleMemory ./services/query

# Tests of how much memory a process takes, which the race detector multiplies.
.PHONY: footprint
footprint:
	go test -vet=off -run 'TestPeak|TakeLittleMemory' ./pkg/media/imaging ./services/query

# Tools, built every time: go build is quick when nothing has changed.

.PHONY: $(LAUNCHER)
$(LAUNCHER):
	@test -x $@ || echo "building the launcher"
	@GOGC=400 go build -ldflags="-s -w" -o $@ ./deploy/local

$(LINTER) $(TEMPL) $(AUDITOR): deploy/tools/go.mod deploy/tools/go.sum
	@echo "building $(@F) (once, the linter takes about two minutes)"
	@mkdir -p $(BIN)
	@cd deploy/tools && GOWORK=off go build -ldflags="-s -w" -o ../../$@ $$(GOWORK=off go list tool | grep '/$(@F)$$')

.PHONY: packages
packages: $(addsuffix /.package-lock.json,$(WEB_TOOLS) $(WEB_IMPORTS)) # the npm packages of the pages and of their checks

# npm writes this file last, and refuses packages that do not match their checksum.
%/node_modules/.package-lock.json: %/package-lock.json
	@cd $* && npm ci --ignore-scripts --loglevel=error
