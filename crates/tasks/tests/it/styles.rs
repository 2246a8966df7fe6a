//! Answers as people and models write them, and the verdict that each must get.

use tasks::Verdict::{Correct, Incorrect, NoAnswer, Partial};

use crate::verdicts::{hold, problem};

#[test]
fn connectivity() {
    let p = problem(
        "Determine if there is a path between two nodes in the graph. Note that (i,j) means that \
         node i and node j are connected with an undirected edge.\nGraph: (0,1) (1,2) (2,3) (4,5)\n\
         Q: Is there a path between node 0 and node 3?\nA:",
    );
    hold(
        &p,
        &[
            ("So there is a path between 0 and 3: 0-1, 1-2, 2-3.", Correct),
            ("yes", Correct),
            ("No.", Incorrect),
            ("**Yes**, there is a path.", Correct),
            ("The answer is yes.", Correct),
            ("Answer: Yes", Correct),
            ("Final answer: **No**", Incorrect),
            ("\\boxed{\\text{Yes}}", Correct),
            ("{\"answer\": \"yes\"}", Correct),
            ("{\"reasoning\": \"node 0 reaches node 3\", \"answer\": \"no\"}", Incorrect),
            ("Yes, there is a path between node 0 and node 3: 0 → 1 → 2 → 3.", Correct),
            ("Yes, there is a path between node 0 and node 3: 0 → 2 → 3.", Partial),
            ("There is a path from node 3 to node 0.", Correct),
            ("Node 0 and node 3 are connected.", Correct),
            ("Node 0 and node 3 are not connected.", Incorrect),
            ("There is no path between node 0 and node 3.", Incorrect),
            ("There isn't a path between node 0 and node 3.", Incorrect),
            ("It is not possible to reach node 3 from node 0.", Incorrect),
            (
                "There is no direct edge between node 0 and node 3. However, 0 -> 1 -> 2 -> 3 works, so there is a path between them.",
                Correct,
            ),
            (
                "There is no direct path between node 0 and node 3. Let me check whether there is an indirect path. Node 0 is connected to node 1. Node 1 is connected to node 2. Node 2 is connected to node 3. Therefore, there is a path between node 0 and node 3.",
                Correct,
            ),
            ("Is there a path between node 0 and node 3? Let's see", NoAnswer),
            ("Node 0 is connected to node 1. Node 1 is connected to", NoAnswer),
            (
                "To determine if there is a path between node 0 and node 3, we need to look at the edges.\n\n1. Start at node 0.\n2. From node 0 we can go to node 1.\n3. From node 1 we can go to node 2.\n4. From node 2 we can go to node 3.\n\nSo, **yes**, there is a path between node 0 and node 3.",
                Correct,
            ),
            (
                "### Step 1\nNeighbours of 0: {1}\n### Step 2\nNeighbours of 1: {0, 2}\n\n### Conclusion\n**Yes**",
                Correct,
            ),
            (
                "Yes, there is a path between node 0 and node 3.\n\nQ: Is there a path between node 0 and node 4?\nA: No, there is no path.",
                Correct,
            ),
            ("<think>Hmm, maybe no. There is no path?</think>Yes.", Correct),
            ("I cannot answer that.", NoAnswer),
            (
                "No, that's wrong at first sight; but yes, there is a path between node 0 and node 3.",
                Correct,
            ),
            ("   ", NoAnswer),
            (
                "There is no direct path between node 0 and node 3, but there is an indirect path between them.",
                Correct,
            ),
            ("There isn't any path connecting nodes 0 and 3.", Incorrect),
            (
                "Since node 3 is visited, there is a path between node 0 and node 3.\n\n**Answer: Yes**",
                Correct,
            ),
            ("Yes (0-1-2-3)", Correct),
            ("False", Incorrect),
        ],
    );
}

#[test]
fn connectivity_of_nodes_that_are_apart() {
    let p = problem(
        "Determine if there is a path between two nodes in the graph. Note that (i,j) means that \
         node i and node j are connected with an undirected edge.\nGraph: (0,1) (1,2) (4,5)\n\
         Q: Is there a path between node 0 and node 4?\nA:",
    );
    hold(
        &p,
        &[
            ("No", Correct),
            ("Yes: 0 -> 1 -> 4", Incorrect),
            (
                "Node 0 and node 4 are in different connected components, so there is no path between them.",
                Correct,
            ),
            (
                "node 0 and node 4 are not in the same connected block, so the answer is no.",
                Correct,
            ),
            (
                "Node 4 is only connected to node 5. Therefore, it is impossible to reach node 4 from node 0.",
                Correct,
            ),
            ("Node 4 cannot be reached from node 0.", Correct),
            ("Yes, node 0 and node 4 are connected", Incorrect),
            (
                "The component of node 0 is {0, 1, 2}.\nThe component of node 4 is {4, 5}.\n\n**Answer: No**",
                Correct,
            ),
            (
                "There is a path between node 0 and node 2, but there is no path between node 0 and node 4.",
                Correct,
            ),
            ("no path exists between node 0 and node 4.", Correct),
            (
                "Starting from node 0, we can only reach nodes 1 and 2. So we cannot reach node 4.",
                Correct,
            ),
            ("Node 0 and node 4 belong to different components. So no.", Correct),
        ],
    );
}

#[test]
fn cycle() {
    let p = problem(
        "In an undirected graph, (i,j) means that node i and node j are connected with an \
         undirected edge.\nThe nodes are numbered from 0 to 4, and the edges are: (0,1) (1,2) \
         (2,0) (3,4)\nQ: Is there a cycle in this graph?\nA:",
    );
    hold(
        &p,
        &[
            ("Yes, the cycle is 0-1-2-0. There are no cycles with node 3.", Correct),
            ("Yes", Correct),
            ("no", Incorrect),
            ("Yes, there is a cycle in this graph: 0-1-2-0.", Correct),
            ("Yes, there is a cycle in this graph: 0 → 1 → 2 → 0", Correct),
            ("Yes. The cycle is 0 → 3 → 4 → 0.", Partial),
            (
                "The edges (0,1), (1,2), (2,0) form a cycle, so yes, there is a cycle in this graph.",
                Correct,
            ),
            (
                "The edges (0,1), (1,2), (2,3) form a cycle, so yes, there is a cycle in this graph.",
                Partial,
            ),
            ("There are no cycles in this graph.", Incorrect),
            ("The graph is acyclic.", Incorrect),
            ("This graph does not contain a cycle.", Incorrect),
            ("The graph contains a cycle.", Correct),
            (
                "1. Is there a cycle of length 4? No, there is no cycle of length 4.\n2. Is there a cycle of length 3? Yes, there is a cycle of length 3.",
                Correct,
            ),
            (
                "Node 0 is connected to node 1, which is connected to node 2, which is connected to node 0. This forms a cycle, so the answer is yes.",
                Correct,
            ),
            (
                "Node 0 is connected to node 3, which is connected to node 0. So there is a cycle in this graph.",
                Partial,
            ),
            ("If a node is visited twice, then there is a cycle.", NoAnswer),
            ("Yes, there is a cycle in this graph. There are no other cycles.", Correct),
            ("There is a potential cycle here", NoAnswer),
            ("**Answer:** Yes, the nodes 0, 1 and 2 form a cycle.", Correct),
            ("No, there is no loop in this graph.", Incorrect),
            ("{\"has_cycle\": true}", Correct),
            ("The graph has cycles", Correct),
            ("Yes, there is a cycle: (0,1) -> (1,2) -> (2,0).", Correct),
            ("Yes. The cycle is {0, 1, 2}.", Correct),
            ("We run DFS: 0 → 1 → 2 → 0. We came back to node 0, so there is a cycle.", Correct),
        ],
    );
}

#[test]
fn topology() {
    let p = problem(
        "In a directed graph with 4 nodes numbered from 0 to 3:\nnode 2 should be visited before \
         node 0\nnode 0 should be visited before node 1\nnode 2 should be visited before node 3\n\
         Q: Can all the nodes be visited? Give the solution.\nA:",
    );
    hold(
        &p,
        &[
            ("The solution is: 2,0,1,3.", Correct),
            ("2, 0, 3, 1", Correct),
            ("[2, 0, 1, 3]", Correct),
            ("2 -> 3 -> 0 -> 1", Correct),
            ("{\"order\": [2, 3, 0, 1]}", Correct),
            ("Yes, all the nodes can be visited. The solution is: 0, 2, 1, 3.", Partial),
            ("The solution is: 0,2,1,3.", Incorrect),
            ("The solution is: 2,0,1.", Incorrect),
            ("The solution is: 2,0,1,3,3.", Incorrect),
            ("Yes.", Partial),
            ("No, not all nodes can be visited.", Incorrect),
            (
                "Yes, all the nodes can be visited in the following order:\n\n1. Node 2\n2. Node 0\n3. Node 1\n4. Node 3",
                Correct,
            ),
            ("Visit node 2, then node 0, then node 3 and finally node 1.", Correct),
            (
                "1. Visit node 2\n2. Visit node 0\n3. Visit node 1\n4. Visit node 3\n\nYes, all the nodes can be visited.",
                Correct,
            ),
            ("One valid topological order is **2 → 0 → 1 → 3**.", Correct),
            ("$$2 \\rightarrow 0 \\rightarrow 1 \\rightarrow 3$$", Correct),
            ("\\boxed{2, 0, 1, 3}", Correct),
            (
                "since no nodes are required to be visited before node 2, node 2 can be visited first. after node 2 is",
                NoAnswer,
            ),
            ("Yes, all nodes can be visited. A valid order is:\n- 2\n- 0\n- 1\n- 3", Correct),
            ("Yes. Order: 2 0 3 1", Correct),
            (
                "Using Kahn's algorithm:\n- In-degrees: 0:1, 1:1, 2:0, 3:1\n- Start with 2\n\nFinal order: **[2, 0, 1, 3]**",
                Correct,
            ),
        ],
    );
}

#[test]
fn shortest_path() {
    let p = problem(
        "In an undirected graph, the nodes are numbered from 0 to 3, and the edges are:\nan edge \
         between node 0 and node 1 with weight 2,\nan edge between node 1 and node 3 with weight \
         2,\nan edge between node 0 and node 2 with weight 1,\nan edge between node 2 and node 3 \
         with weight 4.\nQ: Give the shortest path from node 0 to node 3.\nA:",
    );
    hold(
        &p,
        &[
            ("The shortest path from node 0 to node 3 is 0,1,3 with a total weight of 4", Correct),
            ("4", Partial),
            ("5", Incorrect),
            ("0 -> 1 -> 3", Correct),
            ("0→1→3 (total weight: 4)", Correct),
            ("[0, 1, 3]", Correct),
            ("The shortest path is 0-1-3 with a total weight of 5.", Partial),
            ("The shortest path is 0-2-3 with a total weight of 5.", Incorrect),
            ("The shortest path is 0-2-3 with a total weight of 4.", Partial),
            ("The shortest path from node 0 to node 3 is 2 + 2 = 4.", Partial),
            ("The shortest path from node 0 to node 3 is 5.", Incorrect),
            (
                "All the paths from node 0 to node 3 are:\n0,1,3 with a total weight of 2 + 2 = 4,\n0,2,3 with a total weight of 1 + 4 = 5.\nThe weight of path 0,1,3 is the smallest, so the shortest path from node 0 to node 3 is 0,1,3 with a total weight of 4.",
                Correct,
            ),
            (
                "All the paths from node 0 to node 3 are:\n0,1,3 with a total weight of 2 + 2 = 4,\n0,2,3 with a total",
                NoAnswer,
            ),
            (
                "From node 0 to node 1: weight 2\nFrom node 1 to node 3: weight 2\n\nTotal weight: 4",
                Correct,
            ),
            ("**Shortest path:** 0 → 1 → 3\n**Total weight:** 2 + 2 = **4**", Correct),
            ("{\"path\": [0, 1, 3], \"total\": 4}", Correct),
            ("{\"path\": [0, 2, 3], \"total\": 5}", Incorrect),
            (
                "The shortest path from node 0 to node 3 goes through node 1, with a total weight of 4.",
                Correct,
            ),
            (
                "Let's compare:\n- 0 → 1 → 3: 2 + 2 = 4\n- 0 → 2 → 3: 1 + 4 = 5\n\nSo the shortest path is 0 → 1 → 3 with total weight 4.",
                Correct,
            ),
            ("\\boxed{0 \\to 1 \\to 3}", Correct),
            ("The shortest path from node 3 to node 0 is 3,1,0.", Correct),
            ("There is no path between node 0 and node 3.", Incorrect),
            ("The path 0 -> 1 -> 3 is the shortest, with a weight of 4.", Correct),
            ("The shortest path is either 0-1-3 or 0-2-3 with a total weight of 4.", Partial),
            (
                "Dijkstra:\n- dist(0)=0\n- dist(2)=1\n- dist(1)=2\n- dist(3)=4\n\nShortest path: 0 → 1 → 3 (total weight 4)",
                Correct,
            ),
            ("the shortest path is 0-1-3. its length is 5.", Partial),
        ],
    );
}

#[test]
fn flow() {
    let p = problem(
        "In a directed graph, the nodes are numbered from 0 to 3, and the edges are:\nan edge from \
         node 0 to node 1 with capacity 3,\nan edge from node 1 to node 3 with capacity 2,\nan edge \
         from node 0 to node 2 with capacity 4,\nan edge from node 2 to node 3 with capacity 5.\n\
         Q: What is the maximum flow from node 0 to node 3?\nA:",
    );
    hold(
        &p,
        &[
            ("The maximum flow from node 0 to node 3 is 6.", Correct),
            (
                "The maximum flow is 2 from node 0 to node 1 and 4 from node 0 to node 2, which is a total of 6.",
                Correct,
            ),
            ("6", Correct),
            ("6 units", Correct),
            ("7", Incorrect),
            ("The maximum flow from node 0 to node 3 is 2 + 4 = 6.", Correct),
            ("The maximum flow from node 0 to node 3 is 2 + 4.", Correct),
            ("The maximum flow is **6**.", Correct),
            ("\\boxed{6}", Correct),
            ("$\\boxed{6}$ units", Correct),
            ("Maximum flow = 6", Correct),
            ("Final answer: 6", Correct),
            ("{\"max_flow\": 6}", Correct),
            (
                "1. The maximum flow from node 0 to node 3 is limited by the edge from node 0 to node 1, which is 3.\n\nTherefore, the maximum flow from node 0 to node 3 is 7.",
                Incorrect,
            ),
            (
                "We can send 2 units of flow from node 0 to node 1 and 2 units of flow from node 1 to node 3. We can send 4 units of flow from node 0 to node 2. We can send 4 units of flow from node 2 to node 3. So the maximum flow from node 0 to node 3 is 6.",
                Correct,
            ),
            (
                "We can send 3 units of flow from node 0 to node 1. We can send 3 units of flow from node 1 to node 3. We can send 3 units of flow from node 0 to node 2. We can send 3 units of flow from node 2 to node 3. So the maximum flow from node 0 to node 3 is 6.",
                Partial,
            ),
            (
                "Path 1: 0 → 1 → 3 with bottleneck 2.\nPath 2: 0 → 2 → 3 with bottleneck 4.\n\nTotal flow: 2 + 4 = 6",
                Correct,
            ),
            ("### Answer\nThe maximum flow from node 0 to node 3 is: **6**", Correct),
            ("We cannot say.", NoAnswer),
            ("The maximum flow is the sum of the flows, so it is 6.", Correct),
            (
                "Augmenting path 1: 0→1→3 (2)\nAugmenting path 2: 0→2→3 (4)\n\nTotal maximum flow = 2 + 4 = 6",
                Correct,
            ),
            ("The maximum flow is limited by the cut: 2 + 4 = 6.", Correct),
            ("the maximum flow from node 0 to node 3 is 3 + 4 = 7 units", Incorrect),
        ],
    );
}

#[test]
fn matching() {
    let p = problem(
        "There are 3 job applicants numbered from 0 to 2, and 3 jobs numbered from 0 to 2. Each \
         applicant is interested in some of the jobs. Each job can only accept one applicant and a \
         job applicant can be appointed for only one job.\nApplicant 0 is interested in job 0.\n\
         Applicant 0 is interested in job 1.\nApplicant 1 is interested in job 0.\nApplicant 2 is \
         interested in job 1.\nQ: Find an assignment of jobs to applicants in such that the maximum \
         number of applicants find the job they are interested in.\nA:",
    );
    hold(
        &p,
        &[
            (
                "applicant 0: job 0\napplicant 2: job 1\n2 applicants can find the job they are interested in.",
                Correct,
            ),
            (
                "applicant 0: job 0\napplicant 2: job 1\n3 applicants can find the job they are interested in.",
                Partial,
            ),
            ("job 0: applicant 1\njob 1: applicant 2", Correct),
            (
                "applicant 0: job 0\napplicant 1: job 0\n2 applicants can find the job they are interested in.",
                Partial,
            ),
            ("applicant 0: job 0\napplicant 1: job 0", Incorrect),
            ("assignments: (0,1), (1,0)", Correct),
            ("applicant 0: job 2", Incorrect),
            ("applicant 1: job 0\napplicant 2: job 1\napplicant 0: no job", Correct),
            (
                "applicant 1: job 0\napplicant 2: job 1\napplicant 0: job 2\n3 applicants can find the job they are interested in.",
                Incorrect,
            ),
            ("Assign job 0 to applicant 1 and job 1 to applicant 2.", Correct),
            (
                "- Applicant 1 → Job 0\n- Applicant 2 → Job 1\n\nApplicant 0 remains unassigned. A total of 2 applicants get a job.",
                Correct,
            ),
            ("| Applicant | Job |\n|---|---|\n| 1 | 0 |\n| 2 | 1 |", Correct),
            ("| Job | Applicant |\n|---|---|\n| 0 | 1 |\n| 1 | 2 |", Correct),
            ("{\"1\": 0, \"2\": 1}", Correct),
            (
                "In this assignment, 2 out of 3 applicants find the job:\napplicant 1: job 0, applicant 2: job 1",
                Correct,
            ),
            (
                "Applicant 0 is interested in job 0, job 1.\nApplicant 1 is interested in job 0.\nWe can make the following assignments:\napplicant 0: job 1\napplicant 1: job 0\n2 applicants can find the job they are interested in.",
                Correct,
            ),
            ("Applicant 0 is interested in job 0, job 1. Applicant 1 is", NoAnswer),
            ("applicant 1 is assigned to job 0, and applicant 2 is assigned to job 1.", Correct),
            (
                "applicant 1: job 0\napplicant 2: job 1\n\nIn this assignment, all applicants find the job they are interested in.",
                Partial,
            ),
            (
                "Start: Applicant 0 → Job 0.\nThen applicant 1 has no job, so reassign.\n\nFinal assignment:\n- Applicant 0 → Job 1\n- Applicant 1 → Job 0",
                Correct,
            ),
            ("{\"assignment\": {\"applicant 1\": \"job 0\", \"applicant 2\": \"job 1\"}}", Correct),
        ],
    );
}

#[test]
fn hamilton() {
    let p = problem(
        "In an undirected graph, (i,j) means that node i and node j are connected with an \
         undirected edge.\nThe nodes are numbered from 0 to 3, and the edges are: (0,1) (1,2) (2,3) \
         (0,2)\nQ: Is there a path in this graph that visits every node exactly once? If yes, give \
         the path. Note that in a path, adjacent nodes must be connected with edges.\nA:",
    );
    hold(
        &p,
        &[
            ("Yes. The path can be: 0,1,2,3", Correct),
            ("Yes, the path is 0-1-2-3.", Correct),
            ("Yes. The path can be: 0,1,3,2.", Partial),
            ("We cannot find a path that visits every node exactly once.", Incorrect),
            ("Yes.", Partial),
            ("No, there is no path that visits every node exactly once.", Incorrect),
            ("It is not possible to visit every node exactly once.", Incorrect),
            ("0 → 1 → 2 → 3", Correct),
            ("The path can be: 0,1,2,3,0.", Partial),
            ("Yes, such a path exists: [1, 0, 2, 3]", Correct),
            ("{\"answer\": \"yes\", \"path\": [1, 0, 2, 3]}", Correct),
            (
                "Yes. We can start at node 0. We can then visit node 1. We can then visit node 2. We can then visit node 3.",
                Correct,
            ),
            (
                "**Yes**\n\n1. Start at node 1\n2. Go to node 0\n3. Go to node 2\n4. Go to node 3\n\n**Path:** 1 → 0 → 2 → 3",
                Correct,
            ),
            ("Yes. The path can be: 0,1,2", Partial),
            ("We can go to node 1 or node 2", NoAnswer),
            (
                "start from node 0: 0 -> 1 -> 2 -> 3\n\nthis path visits every node exactly once.",
                Correct,
            ),
            (
                "no.\n\nq: is there a path in this graph? a: yes. the path can be: 0,1,2,3.",
                Incorrect,
            ),
            ("Start at 0. Move to 1. Move to 2. Move to 3. So yes.", Correct),
            ("Yes, 1→0→2→3 visits every node exactly once.", Correct),
        ],
    );
}

#[test]
fn convolution() {
    let p = problem(
        "In an undirected graph, the nodes are numbered from 0 to 2, and every node has an \
         embedding. (i,j) means that node i and node j are connected with an undirected edge.\n\
         Embeddings:\nnode 0: [1,0]\nnode 1: [0,1]\nnode 2: [1,1]\nThe edges are: (0,1) (1,2)\nIn a \
         simple graph convolution layer, each node's embedding is updated by the sum of its \
         neighbors' embeddings.\nQ: What's the embedding of each node after one layer of simple \
         graph convolution layer?\nA:",
    );
    hold(
        &p,
        &[
            ("The answer is:\nnode 0: [0,1]\nnode 1: [2,1]\nnode 2: [0,1]", Correct),
            ("node 0: [0,1]\nnode 1: [1,0] + [1,1] = [2,1]\nnode 2: [0,1]", Correct),
            ("node 0: [0,1]\nnode 1: [2,2]\nnode 2: [0,1]", Incorrect),
            ("node 0: [0,1]\nnode 1: [2,1]", Incorrect),
            (
                "| Node | Embedding |\n|---|---|\n| 0 | [0, 1] |\n| 1 | [2, 1] |\n| 2 | [0, 1] |",
                Correct,
            ),
            ("{\"0\": [0, 1], \"1\": [2, 1], \"2\": [0, 1]}", Correct),
            ("- **Node 0**: (0, 1)\n- **Node 1**: (2, 1)\n- **Node 2**: (0, 1)", Correct),
            (
                "layer 1:\nnode 0: sum of embeddings of node 1, [0,1] = [0,1].\nnode 1: sum of embeddings of node 0, node 2, [1,0] + [1,1] = [2,1].\nnode 2: sum of embeddings of node 1, [0,1] = [0,1].",
                Correct,
            ),
            ("I add them up.", NoAnswer),
        ],
    );
}
