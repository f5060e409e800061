# Sourced by the other scripts: messages, and running commands as root.
# shellcheck shell=bash

# Prints a line to standard error. Standard output is reserved for a script's result.
say() { printf '· %s\n' "$*" >&2; }

# Prints an error with its fix, and exits.
fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# For the exit trap of a script whose output is evaluated: otherwise a failure inside `eval "$(…)"` would go unnoticed.
finish() {
    [ $? = 0 ] || echo false
}

# Runs a command as root: directly, or with sudo.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo -- "$@"; else return 1; fi
}

# Installs Debian packages without questions. Fails without apt-get, without root or for an unknown package.
apt_install() {
    command -v apt-get >/dev/null || return 1
    as_root apt-get -qq update >&2 || true
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >&2
}

# The folder of PostgreSQL's server programs, newest version first. They are rarely on the PATH.
postgres_binaries() {
    local folder
    for folder in "${PG_BINDIR:-}" $(ls -d /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql@*/bin \
        /usr/local/opt/postgresql@*/bin 2>/dev/null | sort -Vr) "$(dirname "$(command -v initdb || true)")"; do
        if [ -x "$folder/initdb" ]; then printf '%s\n' "$folder"; return; fi
    done
    return 1
}

# The program of the MariaDB server, which is rarely on a normal user's PATH.
mariadb_server() {
    local program
    for program in "${MARIADBD:-}" "$(command -v mariadbd || true)" /usr/sbin/mariadbd /usr/libexec/mariadbd \
        /opt/homebrew/opt/mariadb/bin/mariadbd /usr/local/opt/mariadb/bin/mariadbd; do
        if [ -x "$program" ] && command -v mariadb-install-db >/dev/null; then printf '%s\n' "$program"; return; fi
    done
    return 1
}

# A new folder for a database that is thrown away: in memory where there is room, as tests make and drop thousands of databases of a thousand files each.
throw_away_folder() {
    local parent=${TMPDIR:-/tmp} left
    if [ -w /dev/shm ] && [ -r /proc/meminfo ]; then
        left=$(df --output=avail -k /dev/shm | tail -n 1)
        [ "$left" -lt $((8 << 20)) ] || [ "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)" -lt $((8 << 20)) ] || parent=/dev/shm
    fi
    mktemp -d "$parent/$1.XXXXXX"
}

# A Python with venv, which Debian has in a separate package.
python_with_venv() {
    local name
    for name in python3 python3.13 python3.12 python3.11; do
        "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v "$name" && return
    done
    return 1
}

# Installs a Python program, given as name==version, in an environment of its own. Prints the environment's folder.
python_program() {
    local environment=$INLAY_TOOLS/${1/==/-} name
    if [ ! -x "$environment/bin/${1%%==*}" ]; then
        name=$(python_with_venv) || { apt_install python3 python3-venv && name=$(python_with_venv); } ||
            fail "no Python 3.11 with venv to be had: install one"
        say "installing ${1/==/ }"
        rm -rf "$environment"
        "$name" -m venv "$environment" &&
            timeout 600 "$environment/bin/pip" install --quiet --disable-pip-version-check "$1" >&2 ||
            fail "${1/==/ } cannot be installed: see above"
    fi
    printf '%s\n' "$environment"
}

# For what scripts/rustc cannot keep apart in the shared target folder: makes the given sources newer than anything built from
# them, if another clone was the last to build under this name.
claim() {
    local holder=$CARGO_TARGET_DIR/$1.holder
    shift
    if [ "$(cat "$holder" 2>/dev/null)" != "$PWD" ]; then
        touch "$@"
        mkdir -p "$CARGO_TARGET_DIR"
        printf '%s\n' "$PWD" >"$holder"
    fi
}

# The crates of the server. The wasm entry points stay out: their features and the server's must never meet in one call.
server=(--workspace --exclude inlay-frontend --exclude inlay-editor --exclude inlay-workspace)

# The tests and the programs that the browser tests start, in one call: alone, the programs would compile again under other features.
compile_server() { cargo build --quiet "${server[@]}" --lib --bins --tests --examples; }

# The tests of DuckDB, in a build of its own: the library is no part of others. All crates are named so that most dependencies have the features that they
# have there, and are not compiled again.
with_duckdb=("${server[@]}" --features inlay-query/duckdb --test door)
compile_with_duckdb() ( eval "$(scripts/setup duckdb)" && cargo build --quiet "${with_duckdb[@]}" )

# Runs a command as a named, timed step. The times of a run are collected in the file INLAY_STEPS.
step() {
    local name=$1 begin=$SECONDS state=ok
    shift
    printf '\n== %s\n' "$name"
    "$@" || state=FAILED
    printf '%d\t%s\t%s\n' $((SECONDS - begin)) "$state" "$name" >>"${INLAY_STEPS:=$(mktemp)}"
    [ "$state" = ok ]
}

# Prints the table of the steps so far.
steps() {
    printf '\n== time of each step\n'
    awk -F '\t' '{ printf "%4d:%02d  %-6s  %s\n", $1 / 60, $1 % 60, $2, $3; all += $1 }
        END { printf "%4d:%02d          all\n", all / 60, all % 60 }' "$INLAY_STEPS"
}
