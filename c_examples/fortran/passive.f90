! Chapter 16 in Fortran: a host that is never called.
!
! The library is reached through iso_c_binding alone. No procedure is handed over: the library says at which
! points (t, q, v) it wants which arrays, this program computes them and puts them. It prints what
! c_examples/16_passive_host.c prints. To build it against an installed library:
!
!   gfortran passive.f90 $(pkg-config --libs stiction) -o passive
module stiction
  use, intrinsic :: iso_c_binding
  implicit none

  ! Numbers of stiction.h that this program uses.
  integer(c_int32_t), parameter :: STN_OK = 0, STN_EVENT = 1, STN_WANTED = 3
  integer(c_int32_t), parameter :: STN_EVENT_STICK = 2
  integer(c_int32_t), parameter :: WANT_MASS = 1, WANT_FORCE = 2, WANT_DFDQ = 4, WANT_DFDV = 8
  integer(c_int32_t), parameter :: WANT_GAP = 128, WANT_NORMAL = 256, WANT_TANGENT = 512

  ! The library reads and writes as many bytes as struct_size says: members that came later need not be here.
  type, bind(c) :: stn_dims
    integer(c_size_t) :: struct_size
    integer(c_int32_t) :: nq, nv, n_joint, n_contact, n_dir, reserved0
  end type stn_dims

  type, bind(c) :: stn_event_data
    integer(c_size_t) :: struct_size
    integer(c_int32_t) :: kind, contact
    real(c_double) :: t, speed_before, speed_after, impulse
    integer(c_int64_t) :: key
  end type stn_event_data

  interface
    function stn_passive_create(dims, gives, moving, max_points, mu, restitution, model) &
        result(status) bind(c, name='stn_passive_create')
      import
      type(stn_dims), intent(in) :: dims
      integer(c_int32_t), value :: gives, moving, max_points
      real(c_double), intent(in) :: mu(*)
      type(c_ptr), value :: restitution
      type(c_ptr), intent(out) :: model
      integer(c_int32_t) :: status
    end function stn_passive_create

    function stn_stepper_create(model, options, s) result(status) bind(c, name='stn_stepper_create')
      import
      type(c_ptr), value :: model, options
      type(c_ptr), intent(out) :: s
      integer(c_int32_t) :: status
    end function stn_stepper_create

    function stn_stepper_set_state(s, t, q, nq, v, nv) result(status) bind(c, name='stn_stepper_set_state')
      import
      type(c_ptr), value :: s
      real(c_double), value :: t
      integer(c_int32_t), value :: nq, nv
      real(c_double), intent(in) :: q(*), v(*)
      integer(c_int32_t) :: status
    end function stn_stepper_set_state

    function stn_stepper_get_state(s, t, q, nq, v, nv) result(status) bind(c, name='stn_stepper_get_state')
      import
      type(c_ptr), value :: s
      real(c_double), intent(out) :: t
      integer(c_int32_t), value :: nq, nv
      real(c_double), intent(out) :: q(*), v(*)
      integer(c_int32_t) :: status
    end function stn_stepper_get_state

    function stn_stepper_get_event(s, i, event) result(status) bind(c, name='stn_stepper_get_event')
      import
      type(c_ptr), value :: s
      integer(c_int32_t), value :: i
      type(stn_event_data), intent(inout) :: event
      integer(c_int32_t) :: status
    end function stn_stepper_get_event

    function stn_passive_step(s, h) result(status) bind(c, name='stn_passive_step')
      import
      type(c_ptr), value :: s
      real(c_double), value :: h
      integer(c_int32_t) :: status
    end function stn_passive_step

    function stn_passive_request_count(s) result(n) bind(c, name='stn_passive_request_count')
      import
      type(c_ptr), value :: s
      integer(c_int32_t) :: n
    end function stn_passive_request_count

    function stn_passive_get_request(s, i, what, t, q, nq, v, nv) result(status) &
        bind(c, name='stn_passive_get_request')
      import
      type(c_ptr), value :: s
      integer(c_int32_t), value :: i, nq, nv
      integer(c_int32_t), intent(out) :: what
      real(c_double), intent(out) :: t, q(*), v(*)
      integer(c_int32_t) :: status
    end function stn_passive_get_request

    function stn_passive_put(s, i, what, values, n) result(status) bind(c, name='stn_passive_put')
      import
      type(c_ptr), value :: s
      integer(c_int32_t), value :: i, what, n
      real(c_double), intent(in) :: values(*)
      integer(c_int32_t) :: status
    end function stn_passive_put

    function stn_passive_cancel(s) result(status) bind(c, name='stn_passive_cancel')
      import
      type(c_ptr), value :: s
      integer(c_int32_t) :: status
    end function stn_passive_cancel

    function stn_last_error(buf, cap) result(length) bind(c, name='stn_last_error')
      import
      character(kind=c_char), intent(out) :: buf(*)
      integer(c_int32_t), value :: cap
      integer(c_int32_t) :: length
    end function stn_last_error

    subroutine stn_stepper_destroy(s) bind(c, name='stn_stepper_destroy')
      import
      type(c_ptr), value :: s
    end subroutine stn_stepper_destroy

    subroutine stn_model_destroy(model) bind(c, name='stn_model_destroy')
      import
      type(c_ptr), value :: model
    end subroutine stn_model_destroy
  end interface

contains

  ! Ends the program with the text of the last failure, if this is one.
  subroutine check(status)
    integer(c_int32_t), intent(in) :: status
    character(kind=c_char) :: text(256)
    integer :: n
    if (status >= 0) return
    n = min(stn_last_error(text, int(size(text), c_int32_t)), int(size(text), c_int32_t) - 1)
    write (*, '(*(a))') text(1:n)
    error stop 1
  end subroutine check
end module stiction

program passive
  use stiction
  implicit none
  real(c_double), parameter :: h = 1.0_c_double / 64.0_c_double
  real(c_double), parameter :: x10 = 2.99130283311503152_c_double ! closed form of chapter 6
  type(stn_dims) :: dims
  type(stn_event_data) :: event
  type(c_ptr) :: model, s
  real(c_double) :: mu(1), q(2), v(2), t
  integer :: k, rounds, quiet, total
  integer(c_int32_t) :: status

  dims = stn_dims(c_sizeof(dims), 2, 2, 0, 1, 2, 0)
  mu = 0.8_c_double
  call check(stn_passive_create(dims, WANT_FORCE + WANT_DFDQ + WANT_DFDV, 0, 0, mu, c_null_ptr, model))
  call check(stn_stepper_create(model, c_null_ptr, s))
  q = [3.0_c_double, 0.0_c_double]
  v = 0.0_c_double
  call check(stn_stepper_set_state(s, 0.0_c_double, q, 2, v, 2))
  print '(a)', 'the block', '   0.000 s  slips'
  quiet = 0
  total = 0
  do k = 1, 640
    call slide(s, rounds, status)
    if (status == STN_EVENT) then
      event%struct_size = c_sizeof(event)
      call check(stn_stepper_get_event(s, 0, event))
      print '(2x, f6.3, 2a)', event%t, ' s  ', trim(merge('sticks', 'slips ', event%kind == STN_EVENT_STICK))
    else
      quiet = quiet + 1
      total = total + rounds
    end if
  end do
  call check(stn_stepper_get_state(s, t, q, 2, v, 2))
  print '(2a)', 'x(10) to 1e-4: ', trim(merge('yes', 'no ', abs(q(1) - x10) < 1e-4_c_double))
  print '(a, i0, a, f0.1)', 'steps without an event: ', quiet, &
    ', rounds of request and answer per step ', real(total) / real(quiet)
  ! A host that changes its mind forgets what it has said.
  call check(stn_passive_step(s, h))
  call check(stn_passive_cancel(s))
  print '(a, i0, a, f6.3, a)', 'after a cancelled step: ', stn_passive_request_count(s), ' requests, t = ', t, ' s'
  call stn_stepper_destroy(s)
  call stn_model_destroy(model)

contains

  ! One step of h; counts the rounds it took.
  subroutine slide(s, rounds, status)
    type(c_ptr), intent(in) :: s
    integer, intent(out) :: rounds
    integer(c_int32_t), intent(out) :: status
    integer(c_int32_t) :: i
    rounds = 0
    do
      status = stn_passive_step(s, h)
      call check(status)
      if (status /= STN_WANTED) return
      do i = 0, stn_passive_request_count(s) - 1
        call answer(s, i)
      end do
      rounds = rounds + 1
    end do
  end subroutine slide

  ! Computes what request i asks for. Arrays of Fortran are column-major, as the library wants them.
  subroutine answer(s, i)
    type(c_ptr), intent(in) :: s
    integer(c_int32_t), intent(in) :: i
    real(c_double) :: t, q(2), v(2), mass(2, 2), tangent(2, 2), zero(2, 2)
    integer(c_int32_t) :: what
    call check(stn_passive_get_request(s, i, what, t, q, 2, v, 2))
    mass = reshape([1.0_c_double, 0.0_c_double, 0.0_c_double, 1.0_c_double], [2, 2])
    tangent = reshape([1.0_c_double, 0.0_c_double, -1.0_c_double, 0.0_c_double], [2, 2])
    zero = 0.0_c_double
    if (iand(what, WANT_MASS) /= 0) call check(stn_passive_put(s, i, WANT_MASS, mass, 4))
    if (iand(what, WANT_FORCE) /= 0) &
      call check(stn_passive_put(s, i, WANT_FORCE, [8.0_c_double * cos(t), -9.81_c_double], 2))
    if (iand(what, WANT_DFDQ) /= 0) call check(stn_passive_put(s, i, WANT_DFDQ, zero, 4))
    if (iand(what, WANT_DFDV) /= 0) call check(stn_passive_put(s, i, WANT_DFDV, zero, 4))
    if (iand(what, WANT_GAP) /= 0) call check(stn_passive_put(s, i, WANT_GAP, q(2:2), 1))
    if (iand(what, WANT_NORMAL) /= 0) &
      call check(stn_passive_put(s, i, WANT_NORMAL, [0.0_c_double, 1.0_c_double], 2))
    if (iand(what, WANT_TANGENT) /= 0) call check(stn_passive_put(s, i, WANT_TANGENT, tangent, 4))
  end subroutine answer
end program passive
