! SPDX-License-Identifier: GPL-3.0-or-later
!
! bindings: the same calls through mpif.h, use mpi or use mpi_f08: messages, requests, collectives in
! place, a communicator, a type of its own. Each rank prints what it counted as JSON.
program bindings
#if defined (BINDING_F08)
  use mpi_f08
#elif defined (BINDING_MPI)
  use mpi
#endif
  implicit none
#if defined (BINDING_MPIFH)
  include 'mpif.h'
#endif
#if defined (BINDING_F08)
  type (MPI_Comm) :: half
  type (MPI_Request) :: requests(2)
  type (MPI_Status) :: status, statuses(2)
  type (MPI_Datatype) :: pair
#else
  integer :: half, requests(2), pair
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
#endif
  integer, parameter :: rounds = 30, n = 50
  integer :: rank, ranks, next, previous, i, error
  double precision :: out(n), in(n), total(n)
  character (len=2000) :: line
  character (len=40) :: messages

  call MPI_Init (error)
  call MPI_Comm_rank (MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size (MPI_COMM_WORLD, ranks, error)
  next = mod (rank + 1, ranks)
  previous = mod (rank + ranks - 1, ranks)
  out = rank
  in = 0
  call MPI_Type_contiguous (2, MPI_DOUBLE_PRECISION, pair, error)
  call MPI_Type_commit (pair, error)
  call MPI_Comm_split (MPI_COMM_WORLD, 0, ranks - rank, half, error)
  do i = 1, rounds
    call MPI_Irecv (in, n, MPI_DOUBLE_PRECISION, previous, i, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend (out, n, MPI_DOUBLE_PRECISION, next, i, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall (2, requests, statuses, error)
    call MPI_Irecv (in, n, MPI_DOUBLE_PRECISION, previous, i, MPI_COMM_WORLD, requests(1), error)
    call MPI_Send (out, n, MPI_DOUBLE_PRECISION, next, i, MPI_COMM_WORLD, error)
    call MPI_Wait (requests(1), MPI_STATUS_IGNORE, error)
    call MPI_Sendrecv (out, 3, pair, next, 0, in, 3, pair, previous, MPI_ANY_TAG, &
                       MPI_COMM_WORLD, status, error)
    call MPI_Allreduce (MPI_IN_PLACE, total, n, MPI_DOUBLE_PRECISION, MPI_SUM, half, error)
    call MPI_Bcast (out, n, MPI_DOUBLE_PRECISION, 0, half, error)
  end do
  call MPI_Barrier (MPI_COMM_WORLD, error)
  call MPI_Comm_free (half, error)
  call MPI_Type_free (pair, error)

  write (messages, '("[[", i0, ", ", i0, ", ", i0, "]]")') previous, 3 * rounds, &
    rounds * (2 * n * 8 + 48)
  write (line, '(a, i0, a, i0, a, i0, a, i0, a, i0, a, i0, a, i0, a, i0, a, i0, a)') &
    '{"rank": ', rank, ', "calls": {"MPI_Init": 1, "MPI_Comm_rank": 1, "MPI_Comm_size": 1, &
    &"MPI_Type_contiguous": 1, "MPI_Type_commit": 1, "MPI_Type_free": 1, "MPI_Comm_split": 1, &
    &"MPI_Comm_free": 1, "MPI_Barrier": 1, "MPI_Finalize": 1, "MPI_Irecv": ', 2 * rounds, &
    ', "MPI_Isend": ', rounds, ', "MPI_Waitall": ', rounds, ', "MPI_Send": ', rounds, &
    ', "MPI_Wait": ', rounds, ', "MPI_Sendrecv": ', rounds, ', "MPI_Allreduce": ', rounds, &
    ', "MPI_Bcast": ', rounds, '}, '
  if (rank == 0) write (line, '(a, a, i0, a, i0, a)') trim (line), &
    ' "collectives": {"MPI_Barrier": 1, "MPI_Allreduce": ', rounds, ', "MPI_Bcast": ', rounds, '}, '
  write (*, '(a, a, a, a, a, a)') trim (line), ' "received": ', trim (messages), ', "sent": ', &
    '[[0, ' // trim (adjustl (number (3 * rounds))) // ', 0]]', '}'
  flush (6)
  call MPI_Finalize (error)

contains

  character (len=12) function number (value)
    integer, intent (in) :: value

    write (number, '(i0)') value
  end function number

end program bindings
