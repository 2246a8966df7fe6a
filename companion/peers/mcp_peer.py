"""The function library through the reference client of the Model Context Protocol (PyPI `mcp`).

Lists the tools, builds a graph, asks it, provokes errors, over standard input and output and over
streamable HTTP. The client itself holds every result against the tool's output schema.
"""

import asyncio
import json
import re
import subprocess
import sys
from contextlib import asynccontextmanager

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

GRAPHGROUND = sys.argv[1]
N_CHECKS = 0


def check(holds, what, told=None):
    global N_CHECKS
    N_CHECKS += 1
    if not holds:
        raise SystemExit(f"mcp: {what}: {told}")


def field(thing, name):
    """A field under its name in the protocol, however this version of the client spells it."""
    return thing.model_dump(by_alias=True, mode="json").get(name)


async def talk(client):
    listed = (await client.list_tools()).tools
    tools = {t.name: t for t in listed}
    ours = json.loads(subprocess.check_output([GRAPHGROUND, "tools", "--format", "mcp"]))
    check([t.name for t in listed] == [t["name"] for t in ours], "the names of the tools")
    for tool in ours:
        theirs = tools[tool["name"]]
        for name in ("title", "description", "inputSchema", "outputSchema"):
            check(field(theirs, name) == tool[name], f"{name} of {tool['name']}", field(theirs, name))
        for name, value in tool["annotations"].items():
            check(field(theirs, "annotations")[name] == value, f"{name} of {tool['name']}")

    async def call(name, **arguments):
        told = await client.call_tool(name, arguments)
        data = field(told, "structuredContent")
        check(json.loads(told.content[0].text) == data, f"{name}: words and data are the same", data)
        return bool(field(told, "isError")), data

    async def value(name, **arguments):
        is_error, data = await call(name, **arguments)
        check(not is_error, name, data)
        return data["result"]

    await value("create_graph", directed=False, weighted=True)
    await value(
        "add_edges",
        edges=[[0, 1], [1, 2], [2, 3], [0, 3], [0, 2]],
        weights=[1, 2, 1, 5, 4],
    )
    found = await value("find_shortest_path", start=0, end=3)
    check((found["path"], found["length"]) == ([0, 1, 2, 3], 4), "the shortest path", found)
    check((await value("find_shortest_distance", start=0, end=2)) is not None, "the distance")
    # Every function that takes nothing but the graph, each held to its schema by the client.
    n_asked = 0
    for tool in listed:
        if not field(tool, "inputSchema").get("required") and field(tool, "annotations")["readOnlyHint"]:
            is_error, data = await call(tool.name)
            check(is_error == ("error" in data), tool.name, data)
            n_asked += 1
    is_error, data = await call("find_shortest_path", start=0, end=9)
    check(is_error and data["error"]["type"] == "unknown_node", "a node that is not there", data)
    is_error, data = await call("find_shortest_path", begin=0)
    check(is_error and data["error"]["type"] == "bad_arguments", "arguments that do not fit", data)
    try:
        await client.call_tool("make_tea", {})
        check(False, "a tool that is not there was answered")
    except Exception as error:  # the client's own error, by whichever name
        check("make_tea" in str(error), "a tool that is not there", error)
    return len(listed), n_asked


@asynccontextmanager
async def over_http():
    server = subprocess.Popen(
        [GRAPHGROUND, "mcp", "--http", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True
    )
    try:
        yield re.search(r"http://\S+", server.stdout.readline())[0]
    finally:
        server.terminate()
        server.wait()


async def main():
    global N_CHECKS
    for mode in ("auto", "legacy"):
        async with Client(
            stdio_client(StdioServerParameters(command=GRAPHGROUND, args=["mcp"])), mode=mode
        ) as client:
            n, asked = await talk(client)
            version = client.protocol_version
        print(f"mcp, stdio, protocol {version}: {n} tools, {asked} asked without arguments, {N_CHECKS} checks hold")
        N_CHECKS = 0
        async with over_http() as url:
            async with Client(url, mode=mode) as client:
                n, asked = await talk(client)
                version = client.protocol_version
        print(f"mcp, HTTP, protocol {version}: {n} tools, {asked} asked without arguments, {N_CHECKS} checks hold")
        N_CHECKS = 0


asyncio.run(main())
