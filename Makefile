# Everything is built with one pinned toolchain and the SIMD experiment, whatever
# the machine's own defaults say. Any Go from 1.21 on fetches that toolchain.
export GOTOOLCHAIN := go1.27.4
export GOEXPERIMENT := simd

# Packages whose tests drive a browser: they run two at once, when nothing else does.
# make test AGAIN=1 runs their failed tests once more, for machines that others share, and
# lists them in build/reruns.txt. make test PACKAGES=./core/... tests some packages.
BROWSER := /deepemd/(wasm/internal/tests/.*|web/internal/tests/.*|internal/browsertest.*|internal/testsite)$$

.DEFAULT_GOAL := help
.PHONY: help run build test check clean chromium

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-14s %s\n", $$1, $$2}'

run: build ## build everything and serve the studio (ADDR and PORT set the address, SERVE passes flags)
	@build/deepemd serve --dir build/site $(SERVE)

build: ## build the site (build/site) and the command (build/deepemd)
	go run ./tools/build
	go build -trimpath -ldflags='-s -w' -o build/deepemd ./tools/deepemd

# Needs a C compiler and Open MPI (Debian: openmpi-bin, libopenmpi-dev); with another MPI:
# CC=mpicc make mpi MPITAGS=mpi,mpicc.
MPITAGS ?= mpi
.PHONY: mpi
mpi: ## build the command with MPI, for mpirun (build/deepemd-mpi; needs Open MPI)
	CGO_ENABLED=1 go build -trimpath -tags $(MPITAGS) -o build/deepemd-mpi ./tools/deepemd

.PHONY: npm
npm: ## make the packages for npm (build/npm; publish each with npm publish)
	go run ./tools/build -npm

# TypeDoc fails where a symbol has no comment, a link leads nowhere or a type is not exported.
# Members of a type without a name are explained by the comment of the whole. The site's policy
# blocks the style sheet of the filters, which we omit, so it stays out of the pages.
.PHONY: docs reference
docs: reference ## make the JavaScript reference (needs npm), and the site with it
	go run ./tools/build

reference:
	@command -v npm >/dev/null || { echo "No npm here: the reference of the JavaScript package is left out. Install nodejs and npm to make it."; exit 0; }; \
	mkdir -p build/docs/tool && cp tools/docs/package.json tools/docs/package-lock.json build/docs/tool && \
	npm ci --prefix build/docs/tool --ignore-scripts --no-audit --no-fund --silent && \
	{ build/docs/tool/node_modules/.bin/typedoc --options tools/docs/typedoc.json --tsconfig tools/docs/tsconfig.json \
		--out build/docs/reference >build/docs/messages 2>&1 || { cat build/docs/messages; exit 1; }; } && \
	sed 's/document.head.appendChild(document.createElement("style"))/document.createElement("style")/' \
		build/docs/reference/assets/main.js >build/docs/main.js && mv build/docs/main.js build/docs/reference/assets/main.js && \
	! grep '\[warning\]' build/docs/messages | grep -vE '\.__type\.|Found [0-9]+ errors'

# More than five tests that fail do not run again: then the tests fail, not the machine.
PACKAGES ?= ./...
SUMMED := build/tools/gotestsum --format standard-quiet
RERUN := --rerun-fails=1 --rerun-fails-max-failures=5 --rerun-fails-run-root-test --rerun-fails-report=build/reruns.txt
test: chromium axe ## run every test, in browsers too
	$(external) gotest.tools/gotestsum
	@all=$$(go list $(PACKAGES)) || exit 1; failed=; \
	others=$$(echo "$$all" | grep -vE '$(BROWSER)') && { $(SUMMED) --packages "$$others" -- -timeout 40m || failed=yes; }; \
	pages=$$(echo "$$all" | grep -E '$(BROWSER)') && { $(SUMMED) $(if $(AGAIN),$(RERUN)) --packages "$$pages" -- -timeout 40m -p 2 || failed=yes; }; \
	[ -z "$$failed" ]

# The other browsers. One that is not here is skipped, and the test says what to install.
.PHONY: test-browsers
test-browsers: chromium ## test the studio's main path in Chromium, Firefox and WebKit
	DEEPEMD_BROWSERS=1 go test -count 1 -p 1 -v -timeout 60m ./internal/browsertest ./web/internal/tests/browsers ./web/internal/tests/share

# What users of other machines run, and what no machine can show in minutes.
.PHONY: plain race test-all fuzz arm
# Without SIMD, TestFilm would embed pictures for eight minutes.
plain: ## test core and solver without SIMD, and the kernels' pointers
	GOEXPERIMENT= GODEBUG=cpu.avx2=off,cpu.avx512f=off go test -skip '^TestFilm$$' ./core/... ./solver/... ./internal/kernel ./internal/nn
	go test -gcflags=-d=checkptr ./internal/kernel

# The race detector also checks pointers, and allocates itself. It needs a C compiler.
race: ## test with Go's race detector
	go test -race -timeout 40m -skip 'TestLiveLoopMakesLittleGarbage|TestFilm$$' ./core/... ./solver/... ./trainer/... \
		./internal/backbone ./internal/cluster ./internal/kernel ./internal/nn ./internal/server

test-all: docs test plain race fuzz arm ## run all tests except test-browsers, conformance, faults and soak
	GODEBUG=cpu.avx512f=off go test ./core/... ./solver/...
	DEEPEMD_PACKAGES=1 go test -count 1 ./web/internal/tests/embed
	DEEPEMD_MANY=5000 go test -count 1 -run TestManyExamples -v ./web/internal/tests/keep
	DEEPEMD_MPI=1 go test -count 1 -v -run TestMPI ./tools/deepemd/internal/tests

FUZZTIME ?= 1m
fuzz: ## run every fuzz target for FUZZTIME
	@failed=; for package in $$(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n 1 dirname | sort -u); do \
		for target in $$(go test -list '^Fuzz' ./$$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./$$package || failed="$$failed $$package/$$target"; \
		done; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed; the inputs are in testdata/fuzz beside them: fix the code and commit them"; exit 1; }

# What ends, fills and wears out: RESULTS.md says what came of it. FAULTS is how often each
# fault is tried, SOAK for how many minutes page and server run.
FAULTS ?= 50
SOAK ?= 30
.PHONY: faults soak
faults: chromium ## kill processes, fill disks and move clocks, FAULTS times each
	DEEPEMD_FAULTS=$(FAULTS) go test -count 1 -v -timeout 3h -run 'Killed|Full|Jumps' ./tools/deepemd/internal/tests
	DEEPEMD_FAULTS=$$(( ($(FAULTS) * 2 + 4) / 5 )) go test -count 1 -v -timeout 3h -run 'Killed|Full|Jumps' ./web/internal/tests/keep

soak: chromium ## run the studio and the server for SOAK minutes each, and watch their memory
	DEEPEMD_SOAK=$(SOAK) go test -count 1 -v -timeout 24h -run TestMemoryStays ./web/internal/tests/browsers
	DEEPEMD_SOAK=$(SOAK) go test -count 1 -v -timeout 24h -run TestServerSoak ./tools/deepemd/internal/tests

# The processor of phones and Apple's, emulated: the core, the solver and the layers that
# train, and the kernels also as an older processor runs them, without products of bfloat16
# and dot products of bytes. What is left out by name takes the emulator minutes, and what
# it runs is tested by layers, too; of the published method, the smaller network is compared.
ARMSKIP := TestFilm$$|TestHostileShapes|TestMixed|TestGradientIsTheSlope|TestStepsDoNotDependOnThreads
arm: ## test on an emulated arm64 (needs qemu-user)
	@qemu=$$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || { \
		echo "No qemu-aarch64 here: the tests on arm64 are skipped (apt-get install qemu-user)."; exit 0; }; \
	GOARCH=arm64 go test -timeout 60m -exec $$qemu -skip '$(ARMSKIP)' $$(go list ./core/... ./solver/... ./trainer/internal/backbone ./trainer/internal/device ./trainer/internal/bfloat16 | grep -vE 'asm$$') && \
	GOARCH=arm64 go test -exec "$$qemu -cpu cortex-a72" ./internal/kernel && \
	GOARCH=arm64 go test -tags nocuda -exec $$qemu -run TestConformance/resnet12-s ./tools/deepemd/internal/tests

# The command is released for these.
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

check: ## check the format, imports and file lengths, vet, lint, and build for every platform
	@test -z "$$(go run cmd/gofmt -l $$(git ls-files '*.go') | tee -a /dev/stderr)" || { echo "check: go fmt these files"; exit 1; }
	go vet ./...
	go tool staticcheck ./...
	go test ./tools/layering
	GOOS=js GOARCH=wasm go vet ./core/... ./solver/... ./wasm/... ./web/studio/... ./web/internal/...
	@for platform in $(PLATFORMS); do \
		[ "$$platform" = "$$(go env GOHOSTOS)/$$(go env GOHOSTARCH)" ] && continue; \
		echo "go vet the command for $$platform"; \
		export GOOS=$${platform%/*} GOARCH=$${platform#*/} CGO_ENABLED=0; \
		go vet $$(go list -deps ./tools/deepemd | grep ^github.com/deepemd/deepemd/) || exit 1; \
	done
	GOARCH=arm64 go build ./...
	GOEXPERIMENT= go build ./...

# Programs of others, pinned in tools/external.mod.
external = @GOEXPERIMENT= go build -modfile=tools/external.mod -trimpath -o build/tools/

.PHONY: licenses
licenses: reference ## write NOTICE and licenses/: the third-party components of the releases (a test fails if they are outdated)
	$(external) github.com/google/go-licenses/v2 && go run ./tools/build -licenses

.PHONY: vulnerabilities
vulnerabilities: ## report known vulnerabilities that the command or the programs for browsers reach (queries vuln.go.dev)
	$(external) golang.org/x/vuln/cmd/govulncheck
	build/tools/govulncheck ./tools/deepemd
	GOOS=js GOARCH=wasm build/tools/govulncheck -tags sound ./wasm/engine ./web/studio
	GOOS=wasip1 GOARCH=wasm build/tools/govulncheck ./wasm/gallery ./wasm/solver

# A release. Archives hold their files in order, with one owner and one time, so that the same
# source gives the same bytes in any folder. Needs GNU tar and touch, zip and npm.
DIST ?= build/dist
PLATFORM ?= $(shell go env GOHOSTOS)/$(shell go env GOHOSTARCH)
COMPRESS ?= -release
VERSION := $(shell sed -n 's/^const Version = "\(.*\)"$$/\1/p' core/doc.go)
TIME := 1985-10-26 08:15:00Z
TAR := tar --sort=name --mtime='$(TIME)' --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --use-compress-program='gzip -9n' -cf
NAME = deepemd-$(VERSION)-$(subst /,-,$(PLATFORM))
PROGRAM = $(DIST)/work/$(NAME)/deepemd$(if $(findstring windows,$(PLATFORM)),.exe)
.PHONY: dist archive sbom dist-same
dist: reference ## make a release in build/dist: archives, site, npm tarballs, SBOMs, notices, checksums (minutes)
	rm -rf '$(DIST)' && mkdir -p '$(DIST)/npm'
	@for platform in $(PLATFORMS); do $(MAKE) --no-print-directory archive sbom PLATFORM=$$platform || exit 1; done
	'$(PROGRAM)' version && '$(PROGRAM)' explain web/static/web/demo/apple-1.jpg web/static/web/demo/apple-2.jpg --what overview --out '$(DIST)/work/overview.png'
	go run ./tools/build $(COMPRESS) -out '$(DIST)/work/deepemd-$(VERSION)-site'
	$(TAR) '$(DIST)/deepemd-$(VERSION)-site.tar.gz' -C '$(DIST)/work' deepemd-$(VERSION)-site
	go run ./tools/build -npm -out '$(DIST)/npm'
	cd '$(DIST)' && npm pack --silent --ignore-scripts ./npm/*/
	cp -r LICENSE NOTICE '$(DIST)' && rm -rf '$(DIST)/work' '$(DIST)/npm' '$(DIST)'/.npm.*
	cd '$(DIST)' && LC_ALL=C sha256sum * >SHA256SUMS && cat SHA256SUMS

archive: ## make the archive of the command for PLATFORM, in DIST
	mkdir -p '$(dir $(PROGRAM))' && cp -r LICENSE NOTICE licenses '$(dir $(PROGRAM))' && rm '$(dir $(PROGRAM))licenses/go.mod'
	GOOS=$(firstword $(subst /, ,$(PLATFORM))) GOARCH=$(lastword $(subst /, ,$(PLATFORM))) GOAMD64=v1 GOARM64=v8.0 CGO_ENABLED=0 GOFLAGS= GOWORK=off \
		go build -trimpath -buildvcs=false -ldflags='-s -w' -o '$(PROGRAM)' ./tools/deepemd
	@case $(PLATFORM) in \
		windows/*) cd '$(DIST)/work' && chmod -R u=rwX,go=rX $(NAME) && find $(NAME) -exec touch -d '$(TIME)' {} + && \
			find $(NAME) -type f | LC_ALL=C sort | TZ=UTC zip -q -X -9 -@ ../$(NAME).zip ;; \
		*) $(TAR) '$(DIST)/$(NAME).tar.gz' -C '$(DIST)/work' $(NAME) ;; \
	esac

sbom:
	$(external) github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	GOPROXY=off build/tools/cyclonedx-gomod bin -json -licenses -std -noserial -notimestamp -version v$(VERSION) -output '$(DIST)/$(NAME).cdx.json' '$(PROGRAM)'

dist-same: reference ## make a release in two other folders, and compare the checksums
	@rm -rf build/same; set -e; for folder in a 'another folder'; do \
		mkdir -p "build/same/$$folder/build/docs" && cp -r build/docs/reference "build/same/$$folder/build/docs/"; \
		git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "build/same/$$folder"; \
		$(MAKE) -C "build/same/$$folder" -o reference dist COMPRESS=-compress; \
	done; cmp build/same/a/build/dist/SHA256SUMS 'build/same/another folder/build/dist/SHA256SUMS'

# A tree that has changes already is compared with itself.
.PHONY: generated
generated: ## check that generated files are up to date
	@before=$$(git diff | git hash-object --stdin); go generate ./... && \
	test "$$before" = "$$(git diff | git hash-object --stdin)" || { echo "generated: commit what go generate ./... writes:"; git diff --stat; exit 1; }

clean: ## remove build outputs
	rm -rf build

# The browser tests need Chromium; CHROMIUM may name one that is elsewhere.
chromium:
	@if [ -n "$$CHROMIUM" ]; then exit 0; fi; \
	for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do \
		if command -v $$name >/dev/null; then exit 0; fi; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium; \
	else \
		echo "The browser tests need Chromium: install it (as root: apt-get install chromium), or name one in CHROMIUM."; \
		exit 1; \
	fi

# The accessibility test examines the page with axe-core; without npm it is skipped.
.PHONY: axe
axe:
	@if command -v npm >/dev/null; then \
		mkdir -p build/axe && cp tools/axe/package.json build/axe/ && \
		npm install --prefix build/axe --ignore-scripts --no-audit --no-fund --silent; \
	else \
		echo "No npm here: the accessibility test of the studio will be skipped."; \
	fi

.PHONY: conformance
conformance: ## compare with the published method: activations, logits
	DEEPEMD_FULL=1 go test -count 1 -v -timeout 2h -run TestConformance ./tools/deepemd/internal/tests

# Benchmarks (tools/bench): BENCH passes flags, such as BENCH='-quick -only emd'.
.PHONY: bench bench-peers
bench: build ## measure speed, with the installed peers
	@go run ./tools/bench $(BENCH)

bench-peers: build ## install the peers, then measure speed with them
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get install -y -q --no-install-recommends python3-torch python3-opencv python3-pot >/dev/null \
			|| { apt-get update -q && apt-get install -y -q --no-install-recommends python3-torch python3-opencv python3-pot; }; \
	else \
		echo "Not root: for PyTorch, OpenCV and POT, have python3-torch, python3-opencv and python3-pot installed."; \
	fi
	@mkdir -p build/peers && cp tools/peers/package.json tools/peers/package-lock.json build/peers/
	@npm ci --prefix build/peers --ignore-scripts --no-audit --no-fund --legacy-peer-deps --silent
	@go run ./tools/bench $(BENCH)

.PHONY: bench-live
bench-live: build ## measure a live page: answers per second, learning, workers, memory
	@go run ./tools/bench -only start,studio,live,learn,pool,memory $(BENCH)

.PHONY: screenshots
screenshots: chromium ## take the screenshots of the documents (needs povray and webp; for sounds the shared datasets)
	mkdir -p build/screenshots
	DEEPEMD_SCREENSHOTS=$(CURDIR)/build/screenshots go test -count 1 -timeout 60m -run 'TestScreenshots|TestTeachTwoWordsAndHearThem' ./web/internal/tests/studio ./web/internal/tests/teach
	cp build/screenshots/* web/screenshots/

# The paper's tables (trainer/results/report), beside whose commands the folder says what they
# were made with. What is measured is kept: a stopped run goes on. REPORT passes flags,
# such as REPORT=--times when nothing else runs.
DATASETS ?= ../shared/datasets
# HALF has learned the training classes of Tiny ImageNet only.
HALF := trainer/results/weights/resnet12-s-150.safetensors
.PHONY: report
report: ## measure the paper's tables (needs the data sets in DATASETS; hours)
	go run -buildvcs=true ./tools/deepemd reproduce all --data $(DATASETS)/tiny-imagenet.zip --split $(DATASETS)/tiny-imagenet.json \
		--onto $(DATASETS)/cifar100.zip --onto-split $(DATASETS)/cifar-fs.json \
		--episodes 600 --crop-pictures 30 --shots 1,2,5,10,20 --shot-episodes 200 \
		--weights $(HALF) --out trainer/results/report $(REPORT)

# Table 3 with a network taught for each embedder, where pictures are larger than the
# network's input: 64 pixels and 32. The networks go to RUNS; those that are there stay.
RUNS ?= runs/crops
TINY := --data $(DATASETS)/tiny-imagenet.zip --split $(DATASETS)/tiny-imagenet.json
TAUGHT := go run ./tools/deepemd train meta $(TINY) --init $(HALF)
.PHONY: report-crops
report-crops: ## train models for FCN, grids and random crops, and measure the paper's Table 3 with them (half an hour)
	test -e $(RUNS)/fcn.safetensors || { $(TAUGHT) --recipe sampling --set 'embedder="fcn"' --set patches=0 --set validation_patches=0 --out $(RUNS)/fcn && cp $(RUNS)/fcn/last.safetensors $(RUNS)/fcn.safetensors; }
	test -e $(RUNS)/grid.safetensors || { $(TAUGHT) --recipe grid --out $(RUNS)/grid && cp $(RUNS)/grid/last.safetensors $(RUNS)/grid.safetensors; }
	test -e $(RUNS)/sampling.safetensors || { $(TAUGHT) --recipe sampling --out $(RUNS)/sampling && cp $(RUNS)/sampling/last.safetensors $(RUNS)/sampling.safetensors; }
	go run -buildvcs=true ./tools/deepemd reproduce table3 $(TINY) --size 32 --episodes 600 --crop-pictures 30 --weights $(RUNS)/fcn.safetensors \
		--weights-grid $(RUNS)/grid.safetensors --weights-sampling $(RUNS)/sampling.safetensors --out trainer/results/report/crops

# The tables of the paper's main benchmark, with its two networks.
WEIGHTS := trainer/results/weights/resnet12-mini-imagenet
MINI := --data $(DATASETS)/mini-imagenet-test.zip --crop-pictures 100 --weights $(WEIGHTS).safetensors --weights-grid $(WEIGHTS)-crops.safetensors \
	--weights-sampling $(WEIGHTS)-crops.safetensors --out trainer/results/report/mini-imagenet $(REPORT)
.PHONY: report-mini-imagenet
report-mini-imagenet: ## measure the paper's Tables 1 to 3 and 5 to 7 on miniImageNet (needs the data sets in DATASETS; hours)
	go run -buildvcs=true ./tools/deepemd reproduce table1 table2 table3 table5 table6 table7 --onto $(DATASETS)/caltech101.zip $(MINI)

# Table 4 on miniImageNet with three networks of half width, which learn from the same number of
# images in WHOLE, the whole data set. They go to ROTATIONS; those that are there stay.
ROTATIONS ?= runs/rotations
WHOLE ?= mini-imagenet
LEARN := go run ./tools/deepemd train
SHORT := $(LEARN) pretrain --data $(WHOLE) --split $(DATASETS)/mini-imagenet.json --recipe resnet12-s-mini-imagenet --set validate_every=0
TURNED := --set 'stages=[{epochs=2,size=48,batch=128}]' --set turned_classes=true --set turned_share=1.0
.PHONY: report-rotations
report-rotations: ## train three models with and without rotations, and measure the paper's Table 4 on miniImageNet (an hour)
	test -e $(ROTATIONS)/plain.safetensors || { $(SHORT) --set 'stages=[{epochs=4,size=48,batch=128}]' --out $(ROTATIONS)/plain && cp $(ROTATIONS)/plain/last.safetensors $(ROTATIONS)/plain.safetensors; }
	test -e $(ROTATIONS)/turned.safetensors || { $(SHORT) $(TURNED) --out $(ROTATIONS)/turned && cp $(ROTATIONS)/turned/last.safetensors $(ROTATIONS)/turned.safetensors; }
	test -e $(ROTATIONS)/task.safetensors || { $(SHORT) $(TURNED) --set rotation_weight=0.5 --out $(ROTATIONS)/task && cp $(ROTATIONS)/task/last.safetensors $(ROTATIONS)/task.safetensors; }
	go run -buildvcs=true ./tools/deepemd reproduce table4 --weights-plain $(ROTATIONS)/plain.safetensors --weights-augmented $(ROTATIONS)/turned.safetensors \
		--weights-rotated $(ROTATIONS)/task.safetensors $(MINI)

# Table 4 with a network that was made as the report's, but for the task of rotations. What
# is taught goes to PLAIN; what is there stays.
PLAIN ?= runs/plain
.PHONY: report-plain
report-plain: ## train a model without the rotation task, and measure the paper's Table 4 with it (two hours)
	test -e $(PLAIN)/first.safetensors || { $(LEARN) pretrain $(TINY) --recipe resnet12-s --set rotation_weight=0 --out $(PLAIN)/first && cp $(PLAIN)/first/best.safetensors $(PLAIN)/first.safetensors; }
	test -e $(PLAIN)/meta.safetensors || { $(LEARN) meta $(TINY) --recipe resnet12-s --init $(PLAIN)/first.safetensors --out $(PLAIN)/meta && cp $(PLAIN)/meta/best.safetensors $(PLAIN)/meta.safetensors; }
	test -e $(PLAIN)/webcam.safetensors || { $(LEARN) meta $(TINY) --recipe resnet12-s-webcam --init $(PLAIN)/meta.safetensors --out $(PLAIN)/webcam && cp $(PLAIN)/webcam/best.safetensors $(PLAIN)/webcam.safetensors; }
	go run ./tools/deepemd export $(PLAIN)/webcam.safetensors $(PLAIN)/plain.safetensors --dtype i8 --name resnet12-s
	go run -buildvcs=true ./tools/deepemd reproduce table4 $(TINY) --episodes 600 --weights $(HALF) --weights-plain $(PLAIN)/plain.safetensors --out trainer/results/report

# Photographs: Caltech-101 with the default network, or another (NETWORK="--weights FILE"), and
# with the MobileNet v1 that many tools use (PEER), on the same episodes, by the default method.
PEER ?= ../shared/teachers/mobilenet-v1.safetensors
PHOTOGRAPHS ?= runs/photographs
NETWORK ?=
.PHONY: photographs
photographs: ## compare the default model with MobileNet v1 on photographs (needs the shared data; ten minutes)
	mkdir -p $(PHOTOGRAPHS)
	test -e $(PHOTOGRAPHS)/peer.npy || go run ./tools/deepemd features --data $(DATASETS)/caltech101.zip --weights $(PEER) --size 224 --out $(PHOTOGRAPHS)/peer.npy
	go run ./tools/deepemd features --data $(DATASETS)/caltech101.zip $(NETWORK) --out $(PHOTOGRAPHS)/ours.npy
	for way in 2 5 20; do for shot in 1 5 20; do \
		go run ./tools/deepemd eval --features $(PHOTOGRAPHS)/ours.npy --rival $(PHOTOGRAPHS)/peer.npy --classifier mixture --balance \
			--way $$way --shot $$shot --query 10 --episodes 200 --seed 777 || exit 1; \
	done; done | tee $(PHOTOGRAPHS)/photographs.txt

# The mixture and its parts on five datasets, on the same episodes.
CLASSIFIERS ?= runs/classifiers
EPISODES ?= 200
.PHONY: classifiers
classifiers: ## compare the mixture with its parts on five datasets (needs the shared data; half an hour)
	mkdir -p $(CLASSIFIERS)
	@features() { out=$(CLASSIFIERS)/$$1.npy; shift; test -e $$out || go run ./tools/deepemd features --seed 1 --out $$out "$$@" || exit 1; }; \
	features caltech101 --data $(DATASETS)/caltech101.zip --each 30 $(NETWORK); \
	features cifar-fs --data $(DATASETS)/cifar100.zip --split $(DATASETS)/cifar-fs.json --set test --each 60 $(NETWORK); \
	features tiny-imagenet --data $(DATASETS)/tiny-imagenet.zip --split $(DATASETS)/tiny-imagenet.json --set test --each 60 \
		--weights trainer/results/weights/resnet12-s-150.safetensors; \
	features omniglot --data $(DATASETS)/omniglot.zip --each 15 $(NETWORK); \
	features spoken-digits --data $(DATASETS)/spoken-digits.zip --weights core/network/resnet12sound/resnet12-sound.safetensors
	for case in caltech101:1 caltech101:5 caltech101:20 cifar-fs:1 cifar-fs:5 cifar-fs:20 tiny-imagenet:1 tiny-imagenet:5 \
		tiny-imagenet:20 omniglot:1 omniglot:5 spoken-digits:1 spoken-digits:5; do \
		apart=; case $$case in spoken*) apart="--apart _";; esac; \
		go run ./tools/deepemd eval --features $(CLASSIFIERS)/$${case%:*}.npy --shot $${case#*:} --query 10 --balance $$apart \
			--classifier mixture,prototype,ridge-head --episodes $(EPISODES) --seed 777 || exit 1; \
	done | tee $(CLASSIFIERS)/classifiers.txt

# The file of a network from a finished training run, as the network's package has it: weights of 4 bits. RUN is the
# run's weights, SIDE the side of its input, NODES the nodes across (from 7 to 6, each is the mean of 2×2 neighbors),
# TRAINED the data's names.
# go test -run TestNetworks ./core/network ./tools/build then checks its size.
RUN ?= runs/photographs/last.safetensors
NET ?= resnet12-photo
SIDE ?= 112
NODES ?= 6
MADE := build/network/$(NET)
.PHONY: network prior
network: ## make a model file from a training run (RUN, NET, SIDE, NODES, TRAINED, PRIOR)
	mkdir -p build/network && rm -f $(MADE)*
	go run ./tools/deepemd import $(RUN) $(MADE)-run.safetensors --dtype f32 --name $(NET) --input-size $(SIDE) --grid $(NODES) $(if $(TRAINED),--trained-on '$(TRAINED)')
	go run ./tools/deepemd export $(MADE)-run.safetensors $(MADE).safetensors --dtype i4 --name $(NET) $(if $(PRIOR),--prior '$(PRIOR)')
	sha256sum $(MADE).safetensors

# The prior of that network for unknown images (openset.ParsePrior), from classes that it was not trained on (UNSEEN):
# lines in log2 of the number of examples. The last six numbers depend on the first four: give the result as PRIOR
# until it stays, then deepemd export --prior stores it in the file.
UNSEEN ?= $(DATASETS)/caltech101.zip
prior: ## fit the prior of the model from make network (UNSEEN, PRIOR)
	test -e $(MADE)-unseen.npy || go run ./tools/deepemd features --data $(UNSEEN) --each 30 --seed 1 --weights $(MADE).safetensors --out $(MADE)-unseen.npy
	for shot in 1 2 3 5 10 20; do \
		go run ./tools/deepemd eval --features $(MADE)-unseen.npy --unknown $(if $(PRIOR),--prior '$(PRIOR)') \
			--classifier prototype --query 10 --episodes 300 --seed 1 --shot $$shot || exit 1; \
	done >$(MADE)-prior.txt
	@awk 'function line(y,  b) { b = (n * xy[y] - x * sum[y]) / (n * xx - x * x); return sprintf("%.2f,%.2f,", (sum[y] - b * x) / n, b) } \
		/^levels:/ { gsub(/[^-.0-9 ]/, " "); d = log(k[++n]) / log(2); x += d; xx += d * d; \
			for (i = 1; i <= NF; i++) { sum[i] += $$i; xy[i] += d * $$i } if (n == 1) one = $$3 "," $$4 "," $$5 "," $$6 } \
		BEGIN { split("1 2 3 5 10 20", k) } END { print line(1) line(2) line(7) one }' $(MADE)-prior.txt
