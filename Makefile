# SPDX-License-Identifier: Apache-2.0
#
# make demo   sets up what is missing, builds, and runs the arm example
# make test   sets up what is missing, builds with and without sanitizers, and runs all tests
# make        builds the libraries, tools and examples into build/
# make docs   writes the API reference into docs/reference/
#
# Either of the first two works from a fresh clone on a bare Debian 12 or Ubuntu 24.04.
JOBS ?= $(shell nproc)
BUILD := build
TEST := build/test
THREADS := build/tsan

.PHONY: all demo test setup products release clean docs sizes

all: products

setup:
	@dev/setup.sh

products: setup
	@cmake -S . --preset release -DSLIPWAY_COMPILER=ON
	@cmake --build $(BUILD) -j $(JOBS) --target products

release: products
	@cmake --build $(BUILD) -j $(JOBS)

demo: products
	@dev/demo.sh $(BUILD)

test: release
	@cmake -S . --preset asan -DSLIPWAY_COMPILER=ON
	@cmake --build $(TEST) -j $(JOBS)
	@cmake -S . --preset tsan -DSLIPWAY_COMPILER=OFF -DSLIPWAY_EXAMPLES=OFF \
		-DSLIPWAY_LOOK_ALIKES_FROM=$(CURDIR)/$(BUILD)
	@cmake --build $(THREADS) -j $(JOBS)
	@dev/test.sh $(BUILD) $(TEST) $(THREADS) $(JOBS)

docs:
	@python3 dev/api_docs.py docs/reference

sizes:
	@dev/sizes.sh $(BUILD)

clean:
	rm -rf $(BUILD)
