# Every target does its own set-up. `make help` lists them.
SHELL := /bin/bash
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help demo test soak build dist bench lint fmt

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-6s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## build, start the service with the demo projects and their host products (PROFILE=release for the fast server)
	@scripts/demo

test: ## every test: unit, integration on SQLite, PostgreSQL and MariaDB, browser
	@scripts/test

soak: ## load, faults and growth over the release build, half an hour; writes docs/operating/faults.md
	@scripts/soak

build: ## the release binary; the last line is its path
	@scripts/build

dist: ## the release archive: binary, licences, checksums; the last line is its path
	@scripts/dist

bench: ## figures of the release build, in one table
	@scripts/bench

lint: ## formatting and lints, warnings as errors
	@scripts/lint

fmt: ## format the Rust code, the JavaScript and the CSS
	@eval "$$(scripts/toolchain)" && cargo fmt --all
	@eval "$$(scripts/setup packages)" && npx biome check --write --linter-enabled=false .
