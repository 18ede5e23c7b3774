#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for ssh and for the commands of Slurm and PBS in tests: the link by whose name it is
called says which. A job is a folder of FAKE_BATCH with its script, its state, and the process that
runs it. It waits until the file "free" is there.

    fake_batch.install (folder): makes the links; the folder is to be the first of PATH."""
import os
import pathlib
import re
import signal
import subprocess
import sys

NAMES = ["ssh", "sbatch", "squeue", "scancel", "srun", "qsub", "qstat", "qdel", "mpirun"]


def install(folder):
    folder.mkdir()
    for name in NAMES:
        (folder / name).symlink_to(pathlib.Path(__file__).resolve())


def place():
    return pathlib.Path(os.environ["FAKE_BATCH"])


def folder_of(job):
    return place() / f"job-{job}"


def note(words):
    with open(place() / "calls", "a", encoding="utf-8") as calls:
        print(*words, file=calls)


def state_of(job):
    folder = folder_of(job)
    if not (folder / "script").exists():
        return None
    if (folder / "pid").exists():
        pid = int((folder / "pid").read_text())
        try:
            alive = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            alive = "Z"
        return "RUNNING" if alive != "Z" else "COMPLETED"
    if (folder / "cancelled").exists():
        return "CANCELLED"
    if not (place() / "free").exists():
        return "PENDING"
    start(folder, job)
    return "RUNNING"


def start(folder, job):
    """On another node variables of the login are others."""
    env = {**os.environ, "SLURM_JOB_ID": job, "PBS_JOBID": job, "TMPDIR": str(folder)}
    env.pop("XDG_RUNTIME_DIR", None)
    script = folder / "script"
    script.chmod(0o700)
    with open(folder / "output", "w", encoding="utf-8") as output:
        process = subprocess.Popen([script], env=env, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=output, start_new_session=True)
    (folder / "pid").write_text(str(process.pid))


def submit(suffix):
    script = sys.stdin.read()
    assert script.startswith("#!"), script
    if (place() / "full").exists():
        sys.exit(f"{os.path.basename(sys.argv[0])}: error: Batch job submission failed: "
                 "Invalid account")
    # No two clusters have one number: servers of jobs are told apart by it on a machine.
    job = f"{place().stat().st_ino}{len(list(place().glob('job-*')))}{suffix}"
    folder_of(job).mkdir()
    (folder_of(job) / "script").write_text(script)
    print(job)


def cancel(job):
    folder = folder_of(job)
    (folder / "cancelled").write_text("")
    if (folder / "pid").exists():
        os.kill(int((folder / "pid").read_text()), signal.SIGTERM)


def squeue(words):
    job = next(word[7:] for word in words if word.startswith("--jobs="))
    state = state_of(job)
    if state is None:
        sys.exit("slurm_load_jobs error: Invalid job id specified")
    if state in ("RUNNING", "PENDING"):
        told = folder_of(job) / "reason"
        reason = told.read_text() if told.exists() else "Priority"
        print(f"{state}|node7|{'None' if state == 'RUNNING' else reason}")


def qstat(job):
    state = state_of(job)
    if state is None:
        sys.exit(f"qstat: Unknown Job Id {job}")
    print(f"Job Id: {job}\n    job_state = {dict(RUNNING='R', PENDING='Q').get(state, 'F')}\n"
          f"    exec_host = node7/0*4\n    comment = Not Running: No free node")


def main():
    name, words = os.path.basename(sys.argv[0]), sys.argv[1:]
    note([name, *words])
    if name in ("sbatch", "qsub"):
        submit(".pbs" if name == "qsub" else "")
    elif name in ("scancel", "qdel"):
        cancel(words[0])
    elif name == "squeue":
        squeue(words)
    elif name == "qstat":
        qstat(words[1])
    elif name == "srun":
        print("srun: a note of the site", flush=True)
        os.execvp("sh", ["sh", "-c", " ".join(word for word in words
                                              if not re.match("--(jobid|over|unbuf|no|nt)", word))])
    elif name == "mpirun":
        os.execvp(words[2], words[2:])
    elif "--" in words:                                 # ssh to the login node
        os.execvp("sh", ["sh", "-c", words[words.index("--") + 2]])
    else:                                               # ssh to a node
        assert words[2] == "node7", words
        os.execvp("sh", ["sh", "-c", " ".join(words[3:])])


if __name__ == "__main__":
    main()
