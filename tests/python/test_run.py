"""What run.py does that no browser is needed for: `python3 -m unittest discover tests/python`."""

import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../www/python"))
os.chdir(tempfile.mkdtemp())
import run

GRAPH = {
    "directed": True,
    "nodes": [
        {"id": "n0", "labels": ["Person"], "properties": {"name": "Ada", "born": 1815}},
        {"id": "n1", "labels": ["Place"], "properties": {"name": "London"}},
        {"id": "n2", "labels": [], "properties": {"name": "London"}},
        {"id": "n3", "labels": [], "properties": {"id": 7}},
    ],
    "edges": [
        {"id": "e0", "source": "n0", "target": "n1", "type": "LIVES_IN", "properties": {"since": 1}},
        {"id": "e1", "source": "n0", "target": "n1", "type": "LIKES", "properties": {}},
    ],
}


def ask(code, graph=None, files=(), wants_graph=False):
    request = {"id": 1, "code": code, "graph": graph, "files": files, "wants_graph": wants_graph}
    return json.loads(run.run_text(json.dumps(request)))


class Results(unittest.TestCase):
    def test_a_result_or_else_the_last_expression(self):
        self.assertEqual(ask("result = 1\n2")["result"], 1)
        self.assertEqual(ask("x = 1\nx + 1")["result"], 2)
        self.assertIsNone(ask("x = 1")["result"])

    def test_values_become_json(self):
        for code, expected in [
            ("{3, 1, 2}", [1, 2, 3]),
            ("{'a', 1}", [1, "a"]),
            ("(1, (2,))", [1, [2]]),
            ("float('nan'), float('inf')", [None, None]),
            ("2**70", str(2**70)),
            ("{1: {2}, (1, 2): 3}", {"1": [2], "(1, 2)": 3}),
            ("(i for i in range(10**9))", list(range(500))),
            ("__import__('itertools').count()", list(range(500))),
            ("'\\ud800'", "?"),
            ("b'ab'", "ab"),
            ("nx.path_graph(3).nodes", [0, 1, 2]),
            ("nx.path_graph(3).nodes(data=True)", [[0, {}], [1, {}], [2, {}]]),
            ("nx.path_graph(3).edges", [[0, 1], [1, 2]]),
            ("nx.path_graph(3).degree", {"0": 1, "1": 2, "2": 1}),
            ("nx.path_graph(3)[1]", {"0": {}, "2": {}}),
            ("{1: 2}.items()", [[1, 2]]),
            ("True", True),
            ("__import__('datetime').date(2020, 1, 2)", "2020-01-02"),
        ]:
            self.assertEqual(ask(code).get("result"), expected, code)

    def test_what_is_too_large_is_told(self):
        self.assertEqual(ask("list(range(10**6))")["kind"], "too_large")
        self.assertEqual(ask("'x' * 10**7")["kind"], "too_large")
        self.assertTrue(ask("a = []\na.append(a)\na")["ok"])

    def test_errors_have_their_line(self):
        found = ask("x = 1\ny = = 2")
        self.assertEqual((found["kind"], found["line"]), ("syntax", 2))
        found = ask("def f():\n    return {}['k']\n\nf()")
        self.assertEqual((found["kind"], found["line"]), ("runtime", 2))
        self.assertEqual(found["message"], "KeyError: 'k'")
        self.assertEqual(ask("import sys\nsys.exit(3)")["kind"], "runtime")
        self.assertEqual(ask("class E(Exception):\n  def __str__(s): 1/0\nraise E")["line"], 3)
        self.assertEqual(ask("raise MemoryError")["kind"], "memory")

    def test_a_file_is_there(self):
        files = [{"name": "a.txt", "text": "ä\r\n"}]
        code = "with open('a.txt', newline='') as f: result = f.read()"
        self.assertEqual(ask(code, files=files)["result"], "ä\r\n")
        self.assertFalse(ask("1", files=[{"name": "../a", "text": ""}])["ok"])


class Graphs(unittest.TestCase):
    def test_nodes_are_known_by_a_name_that_is_theirs_alone(self):
        self.assertEqual(ask("list(G)", GRAPH)["result"], ["Ada", "n1", "n2", 7])
        self.assertEqual(ask("self.G.nodes['Ada']", GRAPH)["result"]["born"], 1815)
        self.assertEqual(ask("G.nodes['Ada']['labels']", GRAPH)["result"], ["Person"])
        self.assertEqual(ask("G['Ada']['n1']['e0']", GRAPH)["result"], {"since": 1, "type": "LIVES_IN"})

    def test_a_graph_that_nobody_changed_comes_back_as_it_was(self):
        after = ask("None", GRAPH, wants_graph=True)["graph"]
        ids = {node.pop("key"): node["id"] for node in after["nodes"]}
        for edge in after["edges"]:
            edge["source"], edge["target"] = ids[edge["source"]], ids[edge["target"]]
        self.assertEqual(after, GRAPH)

    def test_changes_are_told(self):
        code = """
self.G.add_node('Bob', label='Person', age=3)
self.G.add_edge('Bob', 'Ada', relationship='KNOWS', well=True)
self.G.remove_edge('Ada', 'n1', key='e1')
self.G.nodes['Ada']['died'] = 1852
"""
        after = ask(code, GRAPH, wants_graph=True)["graph"]
        new = {"id": None, "key": "Bob", "labels": ["Person"], "properties": {"age": 3}}
        self.assertEqual(after["nodes"][-1], new)
        self.assertEqual(after["nodes"][0]["properties"]["died"], 1852)
        self.assertEqual([e["id"] for e in after["edges"]], ["e0", None])
        self.assertEqual(after["edges"][-1]["type"], "KNOWS")

    def test_a_graph_put_in_its_place_is_told(self):
        code = "self.G = nx.DiGraph(); self.G.add_edge('Ada', 'new')"
        after = ask(code, GRAPH, wants_graph=True)["graph"]
        self.assertEqual([n["id"] for n in after["nodes"]], ["n0", None])
        code = "G = nx.Graph([(1, 2)])"
        self.assertFalse(ask(code, GRAPH, wants_graph=True)["graph"]["directed"])

    def test_a_read_tells_no_graph(self):
        self.assertIsNone(ask("G.clear()", GRAPH)["graph"])


class Programs(unittest.TestCase):
    def run_it(self, code):
        request = {"id": 1, "code": code, "graph": None, "files": [], "wants_graph": False}
        return json.loads(run.run_text(json.dumps({**request, "is_program": True})))

    def test_a_program_has_its_own_names_alone(self):
        reply = self.run_it("assert __name__ == '__main__'\nG")
        self.assertEqual((reply["exit"], reply["line"]), (1, 2))
        self.assertIn("'G' is not defined", reply["message"])
        self.assertTrue(self.run_it("import networkx as nx\nnx.Graph()")["ok"])

    def test_it_ends_as_programs_do(self):
        for code, exit_code in [("exit()", None), ("exit(0)", None), ("exit(3)", 3), ("exit('x')", 1)]:
            reply = self.run_it(f"import sys\nsys.{code}")
            self.assertEqual(reply.get("exit"), exit_code, code)
            self.assertEqual(reply["ok"], exit_code is None, code)

    def test_its_errors_come_apart_and_are_bounded(self):
        before = sys.stderr
        reply = self.run_it("import sys\nfor _ in range(9): print('x' * 9_000, file=sys.stderr)")
        self.assertTrue(reply["ok"])
        self.assertEqual(len(reply["errors"]), 10_000)
        self.assertIs(sys.stderr, before)
        self.assertTrue(self.run_it("import sys\nsys.stderr = None")["ok"])

    def test_there_is_no_input(self):
        reply = self.run_it("input()")
        self.assertIn("EOFError", reply["message"])


if __name__ == "__main__":
    unittest.main()
