//! Answers in full, as chat models of today lay them out.

use tasks::TaskId::{self, *};
use tasks::Verdict::{self, Correct, Incorrect, NoAnswer, Partial};

/// A task of the cases, a text about its problem, and the verdict that it must get.
pub const WHOLE: [(TaskId, &str, Verdict); 44] = [
    (Connectivity, "✅ Yes", Correct),
    (Connectivity, "❌ **No**", Incorrect),
    (Connectivity, "Yes/No: No", Incorrect),
    (Connectivity, "**Yes or No:** Yes", Correct),
    (
        Connectivity,
        "Here you are:\n{\"question\": \"Is there a path between node 0 and node 5?\", \"answer\": \"Yes\"}",
        Correct,
    ),
    (Hamilton, "المسار هو ٠ → ٢ → ١ → ٣", Correct),
    (Cycle, "No.\n\nThere is no cycle between any of the nodes 0 to 4.", Incorrect),
    (
        Cycle,
        "1. (0,1): yes, there is an edge\n2. (0,4): no, there is no edge\n3. (1,2): yes, there is an edge",
        NoAnswer,
    ),
    (
        Matching,
        "```json\n{\n  \"assignments\": [\n    {\"applicant\": \"Applicant 0\", \"job\": \"Job 1\"},\n    \
         {\"applicant\": \"Applicant 1\", \"job\": \"Job 2\"}\n  ],\n  \"total\": 2\n}\n```",
        Correct,
    ),
    (
        ShortestPath,
        "| From | To | Weight |\n|---|---|---|\n| 0 | 1 | 2 |\n| 1 | 3 | 2 |\n\n**Total weight: 4**",
        Correct,
    ),
    (
        Connectivity,
        "To see whether there is a path between node 0 and node 5, let's trace the edges:\n\n- **Node 0** \
         is connected to: 3\n- **Node 3** is connected to: 0, 5\n- **Node 5** is connected to: 3\n\n\
         **Path:** 0 → 3 → 5\n\n✅ **Yes**, there is a path between node 0 and node 5.",
        Correct,
    ),
    (
        Connectivity,
        "BFS from 0:\n\nQueue: [0]\nVisit 0 → neighbors: {3}\nVisit 3 → neighbors: {0, 5}\n5 is found!\n\n\
         **Answer: Yes** — the path is 0 – 3 – 5.",
        Correct,
    ),
    (
        Connectivity,
        "Short answer: **No.**\n\n**Reason:** the component of node 0 is {0, 3}, and node 5 is not in it.",
        Incorrect,
    ),
    (Connectivity, "Yes.\n\n**Explanation:** 0–3 and 3–5 are edges.", Correct),
    (
        Connectivity,
        "Let me think. Is there a path? Node 0 is linked to 3. If 3 is linked to 5, then there is a path. \
         Let me check that next",
        NoAnswer,
    ),
    (
        Cycle,
        "We run a depth-first search:\n\n1. Start at 0, go to 1.\n2. From 1, go to 2.\n3. From 2 there is a \
         back edge to 0.\n\nHence the graph **contains a cycle**: `0 - 1 - 2 - 0`.\n\n**Final Answer:** Yes",
        Correct,
    ),
    (
        Cycle,
        "**Answer: Yes**, there is a cycle.\n\nOne such cycle: 0 → 1 → 2 → 0.\n\n(Edges (0,1), (1,2), (2,0).)",
        Correct,
    ),
    (
        Cycle,
        "The graph has 5 nodes and 4 edges in two components, so it is a forest. **There is no cycle.**",
        Incorrect,
    ),
    (Cycle, "**Yes** ✅\n\nThe cycle is **0 → 3 → 4 → 0**.", Partial),
    (
        Topology,
        "**Yes**, all nodes can be visited.\n\n### Step 1: In-degrees\n\n| Node | In-degree |\n|---|---|\n| \
         0 | 1 |\n| 1 | 1 |\n| 2 | 0 |\n| 3 | 1 |\n\n### Step 2: Kahn's algorithm\n\n1. Visit **2** \
         (in-degree 0)\n2. Visit **0**\n3. Visit **3**\n4. Visit **1**\n\n**Final order:** 2 → 0 → 3 → 1",
        Correct,
    ),
    (
        Topology,
        "Constraints:\n- 2 → 0\n- 0 → 1\n- 2 → 3\n\nThe graph is a DAG, so a topological order exists:\n\n\
         $$2 \\rightarrow 3 \\rightarrow 0 \\rightarrow 1$$",
        Correct,
    ),
    (
        Topology,
        "Yes, all nodes can be visited.\n\n**Order:** `[0, 2, 1, 3]`\n\n**Check:**\n- 2 before 0 ✗",
        Partial,
    ),
    (
        ShortestPath,
        "Using Dijkstra's algorithm:\n\n| Step | Current | Dist 0 | Dist 1 | Dist 2 | Dist 3 |\n\
         |---|---|---|---|---|---|\n| 1 | 0 | 0 | 2 | 1 | ∞ |\n| 2 | 2 | 0 | 2 | 1 | 5 |\n| 3 | 1 | 0 | 2 | \
         1 | 4 |\n\n**Shortest path:** 0 → 1 → 3  \n**Total weight:** 4",
        Correct,
    ),
    (
        ShortestPath,
        "Possible paths:\n\n1. 0 → 1 → 3: 2 + 2 = **4**\n2. 0 → 2 → 3: 1 + 4 = **5**\n\nThe shortest path \
         is **0 → 1 → 3** with a total weight of **4**.",
        Correct,
    ),
    (
        ShortestPath,
        "Possible paths:\n\n1. 0 → 1 → 3: 2 + 2 = **4**\n2. 0 → 2 → 3: 1 + 4 = **5**\n\n### Final Answer\n\n\
         $$\\boxed{0 \\rightarrow 2 \\rightarrow 3}$$",
        Incorrect,
    ),
    (
        Flow,
        "**Step 1:** Augmenting path 0 → 1 → 3, bottleneck min(3, 2) = 2\n**Step 2:** Augmenting path 0 → 2 \
         → 3, bottleneck min(4, 5) = 4\n\nTotal flow = 2 + 4 = **6**\n\nMin-cut check: S = {0, 1}, T = {2, \
         3}: capacity 2 + 4 = 6 ✓\n\n**The maximum flow from node 0 to node 3 is 6.**",
        Correct,
    ),
    (
        Flow,
        "Paths:\n- 0 → 1 → 3 carries 3\n- 0 → 2 → 3 carries 4\n\n**Maximum flow = 3 + 4 = 7**",
        Incorrect,
    ),
    (Flow, "The maximum flow from **node 0** to **node 3** is **6 units**.", Correct),
    (
        Matching,
        "One optimal assignment:\n\n- **Applicant 0** → **Job 1**\n- **Applicant 1** → **Job 2**\n\nThis \
         gives **2** applicants a job they want, which is the maximum.",
        Correct,
    ),
    (
        Matching,
        "Step 1: Applicant 0 only wants job 1, so assign it.\nStep 2: Applicant 1 gets job 2.\n\n**Final \
         assignment:**\n1. Applicant 0 → Job 1\n2. Applicant 1 → Job 2\n\n**Maximum number of applicants: \
         2**",
        Correct,
    ),
    (
        Matching,
        "**Final assignment:**\n- Applicant 0: Job 1\n- Applicant 1: Job 1\n\nAll applicants find a job.",
        Partial,
    ),
    (
        Hamilton,
        "**Yes.**\n\n**Path:** 0 → 2 → 1 → 3\n\n**Check:**\n- 0–2 ✓\n- 2–1 ✓\n- 1–3 ✓",
        Correct,
    ),
    (
        Hamilton,
        "Nodes 0 and 3 have degree 1, so they are the ends.\n\nStart at 0 → 2 → 1 → 3. All 4 nodes are \
         visited once.\n\n**Answer:** Yes, `0-2-1-3`",
        Correct,
    ),
    (Hamilton, "No, such a path does not exist: node 0 has degree 1.", Incorrect),
    (
        Gnn,
        "### Node 0\nNeighbors: node 1\nNew embedding: **[0, 1]**\n\n### Node 1\nNeighbors: node 0 and node \
         2\nNew embedding: [1, 0] + [1, 1] = **[2, 1]**\n\n### Node 2\nNeighbors: node 1\nNew embedding: \
         **[0, 1]**\n\n**Final embeddings:**\n- node 0: [0, 1]\n- node 1: [2, 1]\n- node 2: [0, 1]",
        Correct,
    ),
    (
        Gnn,
        "- **Node 0:** [0, 1]\n- **Node 1:** [1, 0] + [1, 1] = [2, 1]\n- **Node 2:** [0, 1]",
        Correct,
    ),
    (
        Triplet,
        "Triangles:\n- (0, 1, 3): 2 + 9 + 10 = **21**\n- (2, 3, 4): 6 + 10 + 4 = **20**\n\n**The maximum sum \
         is 21.**",
        Correct,
    ),
    (
        Triplet,
        "Triangles:\n- (0, 1, 3): 2 + 9 + 10 = **21**\n- (2, 3, 4): 6 + 10 + 4 = **20**\n\n**Final Answer:** \
         $\\boxed{20}$",
        Incorrect,
    ),
    (
        Triplet,
        "The heaviest triangle is formed by nodes **0, 1, 3**, with a sum of **21**.",
        Correct,
    ),
    (
        Bipartite,
        "Coloring:\n- 0: red\n- 1: blue\n- 2: red\n- 3: blue\n\nNo edge joins two nodes of one color, so the \
         graph **is bipartite**.",
        Correct,
    ),
    (
        Bipartite,
        "**Yes.**\n\n- Set A: {0, 2}\n- Set B: {1, 3}\n\nEvery edge goes between A and B. ✅",
        Correct,
    ),
    (
        Bipartite,
        "To be bipartite, a graph must have no odd cycle. This graph has an odd cycle 0 → 1 → 2 → 0, so it \
         is **not bipartite**.\n\n### No",
        Incorrect,
    ),
    (
        Bipartite,
        "<think>\nIs it bipartite? It seems that it is not.\n</think>\n\n**Yes**, the graph is bipartite.",
        Correct,
    ),
    (Bipartite, "Whether the graph is bipartite depends on its cycles.", NoAnswer),
];
