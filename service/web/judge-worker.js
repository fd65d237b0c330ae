// The program's own judge: Python for WebAssembly, with our packages as they are. It is given all files
// as bytes and asks nobody for anything: what the runtime fetches is answered from them.

let judge = null;

self.onmessage = async ({ data }) => {
  try {
    if (data.files) await begin(data.files);
    else post({ verdict: judge(data.bundle) });
  } catch (error) {
    post({ failed: String(error.message ?? error) });
  }
};

const post = (said) => self.postMessage(said);
const MEDIA = { wasm: "application/wasm", mjs: "text/javascript", json: "application/json", zip: "application/zip" };
const HOME = "https://judge.invalid/";

async function begin(files) {
  const media = (name) => MEDIA[name.split(".").pop()] ?? "application/octet-stream";
  const module = (name) => import(URL.createObjectURL(new Blob([files[name]], { type: media(name) })));
  self.fetch = async (asked) => {
    const name = String(asked.url ?? asked).replace(HOME, "");
    return files[name] ? new Response(files[name], { headers: { "Content-Type": media(name) } }) : new Response("", { status: 404 });
  };
  post({ progress: ["Python", 0, 3] });
  const { loadPyodide } = await module("pyodide.mjs");
  const { default: createPyodideModule } = await module("pyodide.asm.mjs");
  const python = await loadPyodide({ indexURL: HOME, createPyodideModule, lockFileContents: new TextDecoder().decode(files["pyodide-lock.json"]) });
  post({ progress: ["our packages", 1, 3] });
  python.unpackArchive(files["msgspec.whl"], "wheel");
  python.unpackArchive(files["tree.zip"], "zip", { extractDir: "/tree" });
  python.runPython("import sys; sys.path.insert(0, '/tree'); sys.dont_write_bytecode = True");
  const inside = python.pyimport("service.judge.inside");
  post({ progress: ["rules", 2, 3] });
  inside.ready();
  judge = (bundle) => inside.judge(python.toPy(bundle), (check, done, total) => post({ progress: [check, done, total] }));
  post({ ready: true });
}
