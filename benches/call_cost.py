"""What a call from Python costs beyond the work it asks for, by the clock; nothing is judged.

Needs the installed package: pip install ./bindings/python && python3 benches/call_cost.py
"""

import time

import stiction

STEPS, RUNS, H = 2000, 5, 1e-6


def best(work):
    """Microseconds per step in the fastest run: other programs count little."""
    times = []
    for _ in range(RUNS):
        begin = time.thread_time()
        work()
        times.append(time.thread_time() - begin)
    return min(times) / STEPS * 1e6


b = stiction.Builder(gravity=[0, -9.81, 0])
b.add_point2(1.0, [0, 0])
stepper = stiction.Stepper(b.build())


def one_by_one():
    for _ in range(STEPS):
        stepper.step(H)


# The library makes the same steps by itself in one call.
alone, called = best(lambda: stepper.advance(stepper.t + STEPS * H, H)), best(one_by_one)
print(f"a step of one point mass: {alone:.2f} us of work, {called - alone:.2f} us of Python")
