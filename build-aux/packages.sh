# SPDX-License-Identifier: GPL-3.0-or-later
#
# shellcheck shell=sh disable=SC2034
# Shared by build-aux/try and build-aux/test: what the machine needs, and how
# it gets there. Sourced by sh, not run. Only Debian and its children (apt) are
# installed for; elsewhere the build finds out what is missing.

BUILD_PACKAGES="gcc libc6-dev pkg-config meson ninja-build gettext python3
libglib2.0-dev libglib2.0-bin zlib1g-dev libdeflate-dev libopen-trace-format2-dev
libcairo2-dev libpango1.0-dev libgtk-4-dev libadwaita-1-dev libcmark-dev desktop-file-utils gtk-update-icon-cache
shared-mime-info adwaita-icon-theme librsvg2-common fonts-dejavu-core"

TEST_PACKAGES="xvfb dbus dbus-daemon at-spi2-core otf2-tools gfortran
openmpi-bin libopenmpi-dev mpich libmpich-dev python3-mpi4py bindfs libnfs-dev nfs-ganesha nfs-ganesha-mem
openssh-server openssh-client iproute2 nftables gir1.2-atspi-2.0 python3-gi xdotool xclip libgtk-4-bin imagemagick appstream libxml2-utils"

say ()
{
  printf '%s\n' "$*"
}

die ()
{
  printf '%s\n' "$*" >&2
  exit 1
}

# Which of the packages named are not installed. Reads dpkg's own records, so
# a machine that has everything makes no network call.
missing_packages ()
{
  for package in "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null) \
      || status=
    [ "$status" = installed ] || printf '%s ' "$package"
  done
}

as_root ()
{
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo > /dev/null 2>&1; then
    sudo "$@"
  else
    die "Installing packages needs root: run this as root or install sudo."
  fi
}

apt ()
{
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@"
}

have_apt_lists ()
{
  for list in /var/lib/apt/lists/*_Packages*; do
    [ -e "$list" ] && return 0
  done
  return 1
}

# Installs what is missing of the packages named.
need_packages ()
{
  if ! command -v dpkg-query > /dev/null 2>&1 \
     || ! command -v apt-get > /dev/null 2>&1; then
    say "This is no Debian or Ubuntu: nothing is installed for you." \
        "README.md lists the packages for Fedora and Arch."
    return 0
  fi

  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0

  say "Installing with apt-get: $missing"
  have_apt_lists || apt update || die "apt-get update failed."
  # Old lists name files that are gone: then refresh them and try once more.
  # shellcheck disable=SC2086
  apt install -y --no-install-recommends $missing \
    || { apt update && apt install -y --no-install-recommends $missing; } \
    || die "apt-get could not install: $missing"
}

# A configured and compiled build folder: build_in FOLDER [OPTION...].
build_in ()
{
  folder=$1
  shift
  if [ ! -f "$folder/build.ninja" ]; then
    # What an interrupted setup left behind is not a build folder.
    meson setup "$@" "$folder" || die "meson setup $folder failed."
  fi
  meson compile -C "$folder" || die "The build in $folder failed."
}
