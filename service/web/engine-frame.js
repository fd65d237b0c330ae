// Inside a sandboxed frame of no origin: begins the worker in which an engine from elsewhere runs, and passes on what it
// says as long as that has the form of answers. Nothing the engine says is run here, and it has no hold on this window.

const ANSWER = 8 << 20, ALL = 256 << 20, COUNT = 100_000; // bytes, bytes, messages
let worker = /** @type {any} */ (null), ready = false, count = 0, size = 0;

onmessage = ({ source, data }) => {
  if (source !== parent || worker) return;
  worker = new Worker(URL.createObjectURL(new Blob([data.files["judge-worker.js"]], { type: "text/javascript" })));
  worker.onerror = (/** @type {Event} */ event) => { event.preventDefault(); end("its process has ended"); };
  worker.onmessage = (/** @type {MessageEvent} */ event) => heard(event.data, data.bundle);
  worker.postMessage({ files: data.files, walled: true });
};

/** @param {any} said @param {unknown} bundle */
function heard(said, bundle) {
  count += 1;
  if (count > COUNT) end(`it said more than ${COUNT} things`);
  else if (said instanceof Uint8Array) answer(said);
  else if (said?.progress) return;
  else if (said?.ready === true && !ready) { ready = true; worker.postMessage({ drive: bundle }); tell({ ready }); }
  else if (said?.done === true) end("");
  else if (typeof said?.failed === "string") end(said.failed.slice(0, 500));
  else end("it said what is no answer");
}

/** @param {Uint8Array} bytes */
function answer(bytes) {
  size += bytes.buffer.byteLength;
  if (bytes.buffer.byteLength > ANSWER) end(`its answer has ${bytes.buffer.byteLength} bytes; ${ANSWER} are the most`);
  else if (size > ALL) end(`its answers have more than ${ALL} bytes`);
  else tell({ answer: bytes });
}

const tell = (/** @type {unknown} */ message) => parent.postMessage(message, "*");

/** @param {string} failed */
function end(failed) {
  worker.onmessage = worker.onerror = null;
  worker.terminate();
  tell({ failed, ended: true });
}
