// CPython built for WebAssembly replays the recorded games: node THIS PYODIDE PACKAGES TREE [ARGS]
import { pathToFileURL } from "node:url";

const [pyodide, packages, tree, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
for (const [name, folder] of [["packages", packages], ["tree", tree]]) {
  python.FS.mkdir(`/${name}`);
  python.mountNodeFS(`/${name}`, folder);
}
python.globals.set("arguments", python.toPy(rest));
process.exitCode = python.runPython(`
import sys
sys.path[:0] = ["/packages", "/tree"]
from tests.campaigns.replays import main
main(list(arguments))
`);
