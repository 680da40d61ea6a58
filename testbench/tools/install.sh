# install.sh - sourced by demo.sh and check.sh: packages on Debian and Ubuntu.

# need PACKAGE... - install those that are missing; elsewhere name them and go on.
need() {
    missing=
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "no apt-get here: CMake will say if one of these is missing: $*"
        return 0
    fi
    for package in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
        *"ok installed") ;;
        *) missing="$missing $package" ;;
        esac
    done
    [ -n "$missing" ] || return 0
    echo "installing:$missing"
    root=
    if [ "$(id -u)" -ne 0 ]; then
        root=sudo
    fi
    # shellcheck disable=SC2086
    $root env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
        $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
            --no-install-recommends $missing
}

build_packages="gcc libc6-dev make cmake libev-dev libfyaml-dev libjansson-dev libsqlite3-dev liblz4-dev libzstd-dev libcmocka-dev verilator zlib1g-dev"

# cores - how many jobs to run at once
cores() {
    getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
}
