// The one page: drop a file, see the judge's verdict. Everything is in the page; nothing is asked of anybody.

const element = (id) => document.getElementById(id);
const bytes = (id) => Uint8Array.from(atob(element(id).textContent), (letter) => letter.charCodeAt(0));

function progress(what, done, total) {
  const bar = element("bar");
  bar.max = total || 1;
  bar.value = done;
  element("word").textContent = `Judging: ${what}`;
}

let begun = null;

function parts() {
  const files = {};
  for (const { id } of document.querySelectorAll("script[type='application/base64']")) files[id] = bytes(id);
  return files;
}

async function begin() {
  const files = parts();
  const code = new Blob([files["judge-worker.js"]], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(code));
  await ask(worker, { files }, progress, "ready");
  return worker;
}

async function judge(file) {
  element("told").textContent = "";
  element("word").className = "";
  element("bar").hidden = false;
  try {
    begun ??= begin();
    const answer = await judged(await begun, new Uint8Array(await file.arrayBuffer()), progress, parts);
    const end = answer.indexOf("\n"), { code } = JSON.parse(answer.slice(0, end));
    const told = answer.slice(end + 1);
    element("word").textContent = told.split("\n", 1)[0];
    element("word").className = code === 0 ? "good" : "bad";
    element("told").textContent = told;
  } catch (error) {
    element("word").textContent = "NOT JUDGED";
    element("told").textContent = `The judge failed: ${error.message}`;
  }
  element("bar").hidden = true;
}

element("file").addEventListener("change", () => element("file").files[0] && judge(element("file").files[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) judge(event.dataTransfer.files[0]);
});
