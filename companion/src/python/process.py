

# --- A process of the companion ------------------------------------------------------------------
#
# Stands behind www/python/run.py, in one program with it. Time, memory and the size of files are
# bounded around this program, not in it.


class Printed(io.TextIOBase):
    """Keeps the beginning of what is printed."""

    MOST = 100_000

    def __init__(self):
        self.parts, self.left = [], self.MOST

    def write(self, text):
        text = str(text)
        if self.left > 0:
            self.parts.append(text[: self.left] + ("… (cut)" if len(text) > self.left else ""))
        self.left -= len(text)
        return len(text)

    def text(self):
        return "".join(self.parts).encode("utf-8", "replace").decode()


def main():
    import time

    # What the code prints, or reads, is not what the companion hears and says.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    request = json.load(sys.stdin)
    # From here on an end without an answer is the code's doing.
    answer.write("\n")
    answer.flush()
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    printed, began = Printed(), time.monotonic()
    sys.stdout = sys.stderr = printed
    # The companion made the folder that this begins in, and removes it.
    reply = run(request)
    took = (time.monotonic() - began) * 1000
    answer.write(as_text({**reply, "output": printed.text(), "took_ms": took}))
    answer.flush()
    # Threads that the code has started do not hold up the end.
    os._exit(0)


main()
