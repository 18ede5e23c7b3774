# SPDX-License-Identifier: GPL-3.0-or-later
"""plugin.py FILE: loads a library that uses MPI, as modules of Python do, and runs it."""
import ctypes
import sys

sys.exit(ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_LOCAL).run_plugin())
