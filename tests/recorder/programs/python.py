# SPDX-License-Identifier: GPL-3.0-or-later
"""python: mpi4py, with buffers and with objects. Each rank prints what it counted as JSON."""
import json
import os
import sys

from mpi4py import MPI

ROUNDS = 20
calls = {}


def count(name, times=1):
    calls[name] = calls.get(name, 0) + times


world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
count("MPI_Comm_rank")
count("MPI_Comm_size")
after, before = (rank + 1) % size, (rank - 1) % size
out, into = bytearray(100), bytearray(100)
total = bytearray(8)
for i in range(ROUNDS):
    request = world.Irecv([into, MPI.BYTE], source=before, tag=i)
    world.Send([out, MPI.BYTE], dest=after, tag=i)
    request.Wait()
    world.Allreduce(MPI.IN_PLACE, [total, MPI.LONG], op=MPI.SUM)
    for name in ("MPI_Irecv", "MPI_Send", "MPI_Wait", "MPI_Allreduce"):
        count(name)
world.Barrier()
count("MPI_Barrier")
# Objects travel in messages of their own, which the module sizes by probing.
count("MPI_Wait")
text = world.sendrecv({"from": rank}, dest=after, source=before)
if text != {"from": before}:
    sys.exit(3)
counts = {"rank": rank, "calls": calls, "python": 1}
if rank == 0:
    counts["collectives"] = {"MPI_Allreduce": ROUNDS, "MPI_Barrier": 1}
# In one piece: launchers put what processes write together as it comes.
os.write(1, (json.dumps(counts) + "\n").encode())
