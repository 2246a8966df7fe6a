"""Traces of the scripted models, with what a script has not: times, tokens and reasoning."""

import json
import os
import subprocess


def dressed(graphground, folder, form):
    """The records in our own format, and the path of the same in another."""
    own, other = os.path.join(folder, "own.json"), os.path.join(folder, f"other.{form}.json")
    subprocess.check_call([graphground, "trace", "made", "--n", "12", "-o", own])
    with open(own) as file:
        whole = json.load(file)
    for i, record in enumerate(whole["records"]):
        record["started_at"] = f"2025-03-0{1 + i % 9}T10:00:00Z"
        for k, step in enumerate(record["trace"]["steps"]):
            step["at_ms"], step["took_ms"] = 250.0 * k, 125.0
            if step["body"]["type"] == "model":
                step["body"]["usage"] = {"input_tokens": 1000 + 10 * k + i, "output_tokens": 7 + k}
                if k % 2 == 0:
                    step["body"]["message"]["reasoning"] = f"Thought {k} of {i} \u2014 \u00e9\U0001f600"
    with open(own, "w") as file:
        json.dump(whole, file)
    subprocess.check_call([graphground, "trace", "convert", own, "--to", form, "-o", other])
    return whole["records"], other
