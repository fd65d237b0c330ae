// The program's own judge: Python for WebAssembly, with our packages as they are. It is given all files
// as bytes and asks nobody for anything: what the runtime fetches is answered from them. Behind a wall the same files
// ask an engine from elsewhere all that a judge will ask it, and tell its answers.

let judge = /** @type {(bundle: any, heard: any) => any} */ (() => null), drive = /** @type {(bundle: any) => void} */ (() => {});

self.onmessage = async ({ data }) => {
  try {
    if (data.files) await begin(data.files, data.walled);
    else if (data.drive) drive(data.drive);
    else post({ judged: judge(data.bundle, data.heard) });
  } catch (error) {
    post({ failed: String(/** @type {any} */ (error).message ?? error) });
  }
};

const post = (/** @type {unknown} */ said) => self.postMessage(said);
const MEDIA = /** @type {Record<string, string>} */ ({ wasm: "application/wasm", mjs: "text/javascript", json: "application/json", zip: "application/zip" });
const HOME = "https://judge.invalid/";
const MEMORY = 512 << 20; // of Python, behind a wall

/** @param {Record<string, any>} files @param {boolean} walled */
async function begin(files, walled) {
  if (walled) limit();
  const media = (/** @type {string} */ name) => MEDIA[/** @type {string} */ (name.split(".").pop())] ?? "application/octet-stream";
  const module = (/** @type {string} */ name) => import(URL.createObjectURL(new Blob([files[name]], { type: media(name) })));
  self.fetch = async (asked) => {
    const name = String(/** @type {any} */ (asked).url ?? asked).replace(HOME, "");
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
  const progress = (/** @type {string} */ check, /** @type {number} */ done, /** @type {number} */ total) => post({ progress: [check, done, total] });
  judge = (bundle, heard) => {
    const verdict = inside.judge(python.toPy(bundle), progress, heard && python.toPy(heard.answers), heard?.failed ?? "");
    return { verdict, wanted: !verdict };
  };
  drive = (bundle) => {
    const failed = inside.drive(python.toPy(bundle), (/** @type {any} */ answer) => { post(answer.toJs()); answer.destroy(); });
    post(failed ? { failed } : { done: true });
  };
  post({ ready: true });
}

// What asks for more memory than that hears that there is none.
function limit() {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function more(/** @type {number} */ pages) {
    if (this.buffer.byteLength + (pages << 16) > MEMORY) throw new RangeError("no more memory");
    return grow.call(this, pages);
  };
}
