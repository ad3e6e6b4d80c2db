#!/usr/bin/env python3
"""misbehaves.py KIND [FILE]: a command that answers rightly, but for what KIND says: nearly all
at the problem with id 2 alone, so that a test sees what was before and what comes after; at every
problem when it is called always_KIND, at every second in a few."""
import json
import math
import mmap
import os
import signal
import struct
import subprocess
import sys
import time

always = sys.argv[1].startswith("always_")
kind = sys.argv[1].removeprefix("always_")
files = "safetensors" if kind.startswith("safetensors_") else "raw"
hello = {"attest": 1, "name": "misbehaves", "version": kind, "features": ["lse"],
         "inputs": ["f32"], "files": files}


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


# ---- a right answer, with nothing but the language ----

def safetensors_data(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(length)), file.read()
    return {name: data[slice(*entry["data_offsets"])] for name, entry in header.items()}


def raw_data(request):
    with open(request["problem"], "rb") as file:
        data = file.read()
    return {name: data[entry["offset"]:entry["offset"] + 4 * math.prod(entry["sizes"])]
            for name, entry in request["arrays"].items()}


def rows_of(numbers, width):
    return [numbers[n:n + width] for n in range(0, len(numbers), width)]


def solve(request):
    """o and lse, flat."""
    data = raw_data(request) if files == "raw" else safetensors_data(request["problem"])
    sizes = {name: entry["sizes"] for name, entry in request["arrays"].items()}
    rows = {name: rows_of(struct.unpack(f"<{len(data[name]) // 4}f", data[name]), sizes[name][3])
            for name in "qkv"}
    batch, heads, queries, _ = sizes["q"]
    keys = sizes["k"][2]
    o, lse = [], []
    for n, q in enumerate(rows["q"]):
        first = n // queries * keys
        score = [request["scale"] * sum(a * b for a, b in zip(q, k))
                 for k in rows["k"][first:first + keys]]
        top = max(score)
        weights = [math.exp(s - top) for s in score]
        values = rows["v"][first:first + keys]
        o += [sum(w * v[d] for w, v in zip(weights, values)) / sum(weights)
              for d in range(sizes["v"][3])]
        lse.append(top + math.log(sum(weights)))
    return o, lse


def packed(numbers, letter="f"):
    return struct.pack(f"<{len(numbers)}{letter}", *numbers)


def safetensors(arrays):
    """arrays: name -> (dtype, sizes, bytes)."""
    header, data = {}, b""
    for name, (dtype, sizes, held) in arrays.items():
        header[name] = {"dtype": dtype, "shape": sizes, "data_offsets": [len(data), len(data) + len(held)]}
        data += held
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def write(request, content):
    with open(request["answer"], "wb") as file:
        file.write(content)


def right_bytes(request):
    o, lse = solve(request)
    if files == "raw":
        return packed(o) + packed(lse)
    sizes = {name: entry["sizes"] for name, entry in request["outputs"].items()}
    return safetensors({"o": ("F32", sizes["o"], packed(o)),
                        "lse": ("F32", sizes["lse"], packed(lse))})


def answer_rightly(request):
    write(request, right_bytes(request))
    say(json.dumps({"id": request["id"], "ok": True}))


# ---- the misbehaviour of each kind, at the problem 2 ----

def sleep_for_ever(request):
    while True:
        time.sleep(1000)


def ignore_sigterm(request):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open(sys.argv[2], "w") as file:
        file.write(str(os.getpid()))
    sleep_for_ever(request)


def kill_itself(request):
    print("about to fall", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


def exit_with_3(request):
    print("first complaint\nlast complaint", file=sys.stderr, flush=True)
    sys.exit(3)


def raise_exception(request):
    raise RuntimeError("boom")


def be_chatty(request):
    say("computing attention ...")
    answer_rightly(request)


def flood_stderr(request):
    for _ in range(200):
        sys.stderr.write("x" * 100000)
    sys.stderr.flush()
    answer_rightly(request)


def flood_stdout(request):
    while True:
        sys.stdout.write("x" * 100000)


def flood_lines(request):
    while True:
        say("{}")


def write_another_file(request):
    with open(request["answer"] + ".other", "wb") as file:
        file.write(right_bytes(request))
    say('{"ok": true}')


def write_nothing(request):
    say('{"ok": true}')


def write_half(request):
    write(request, right_bytes(request)[:-7])
    say('{"ok": true}')


def write_too_much(request):
    write(request, right_bytes(request) + b"\0\0\0\0")
    say('{"ok": true}')


def write_folder(request):
    os.mkdir(request["answer"])
    say('{"ok": true}')


def write_nan(request):
    write(request, packed([math.nan] * (len(right_bytes(request)) // 4)))
    say('{"ok": true}')


def answer_twice(request):
    write(request, right_bytes(request))
    say('{"ok": true}\n{"ok": true}')


def answer_in_half_a_line(request):
    write(request, right_bytes(request))
    say('{"ok": true')


def answer_false(request):
    say('{"ok": false}')


def answer_both(request):
    say('{"ok": true, "error": "yet"}')


def answer_another_id(request):
    write(request, right_bytes(request))
    say(json.dumps({"id": request["id"] - 1, "ok": True}))


def answer_an_unknown_key(request):
    say('{"ok": true, "seconds": 1}')


def answer_bytes(request):
    sys.stdout.buffer.write(b"\xff\x00\x1b[2J\n")
    sys.stdout.flush()


def decline(request):
    say('{"unsupported": "not on a Monday"}')


def report_error(request):
    say('{"error": "out of memory"}')


def close_stdin(request):
    os.close(0)
    answer_rightly(request)
    time.sleep(1000)


def close_stdout(request):
    os.close(1)
    time.sleep(1000)


def leave_a_child(request):
    child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    with open(sys.argv[2], "w") as file:
        file.write(str(child.pid))
    os._exit(0)


def take_2_gib(request):
    with mmap.mmap(-1, 2 << 30, flags=mmap.MAP_PRIVATE):  # of which no page is touched
        answer_rightly(request)


def write_arrays(request, change):
    """The right answer in safetensors, changed."""
    o, lse = solve(request)
    sizes = {name: entry["sizes"] for name, entry in request["outputs"].items()}
    arrays = {"o": ("F32", sizes["o"], packed(o)), "lse": ("F32", sizes["lse"], packed(lse))}
    change(arrays, o)
    write(request, safetensors(arrays))
    say('{"ok": true}')


def write_doubles(request):
    write_arrays(request, lambda a, o: a.update(o=("F64", a["o"][1], packed(o, "d"))))


def write_other_sizes(request):
    write_arrays(request, lambda a, o: a.update(o=("F32", a["o"][1][::-1], a["o"][2])))


def write_no_lse(request):
    write_arrays(request, lambda a, o: a.pop("lse"))


def write_another_array(request):
    write_arrays(request, lambda a, o: a.update(weights=a["o"]))


at_problem_2 = {
    "sleeps": sleep_for_ever, "ignores_sigterm": ignore_sigterm, "kills_itself": kill_itself,
    "exits_with_3": exit_with_3, "raises": raise_exception, "is_chatty": be_chatty,
    "floods_stderr": flood_stderr, "floods_stdout": flood_stdout, "floods_lines": flood_lines,
    "writes_another_file": write_another_file, "writes_nothing": write_nothing,
    "writes_half": write_half, "writes_too_much": write_too_much, "writes_a_folder": write_folder,
    "writes_nan": write_nan, "answers_twice": answer_twice,
    "answers_in_half_a_line": answer_in_half_a_line, "answers_false": answer_false,
    "answers_both": answer_both, "answers_another_id": answer_another_id,
    "answers_an_unknown_key": answer_an_unknown_key, "answers_bytes": answer_bytes,
    "declines": decline, "reports_an_error": report_error, "closes_stdin": close_stdin,
    "closes_stdout": close_stdout, "leaves_a_child": leave_a_child,
    "takes_2_gib": take_2_gib,
    "safetensors_of_doubles": write_doubles, "safetensors_of_other_sizes": write_other_sizes,
    "safetensors_without_lse": write_no_lse, "safetensors_with_more": write_another_array,
    "never_misbehaves": answer_rightly, "safetensors_as_asked": answer_rightly,
}


def main():
    if kind == "changes_its_mind" and os.path.exists(sys.argv[2]):
        hello["version"] = "another"
    say(json.dumps(hello))
    for line in sys.stdin:
        request = json.loads(line)
        if kind == "changes_its_mind" and request["id"] == 2:
            open(sys.argv[2], "w").close()
            sys.exit(0)
        if kind == "exits_after_each":
            answer_rightly(request)
            sys.exit(0)
        if kind == "sleeps_at_even_problems" and request["id"] % 2 == 0:
            sleep_for_ever(request)
        does_it = always or request["id"] == 2
        (at_problem_2.get(kind, answer_rightly) if does_it else answer_rightly)(request)


main()
