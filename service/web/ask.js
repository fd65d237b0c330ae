// A question to the judge's worker, and its answer; on the way it tells `progress(what, done, total)`.

/** @param {Worker} worker @param {unknown} question @param {(...told: any[]) => void} progress @param {string} answer @returns {Promise<any>} */
export function ask(worker, question, progress, answer) {
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || "the judge's worker did not start"));
    worker.onmessage = ({ data }) => {
      if (data.progress) progress(...data.progress);
      if (data.failed) reject(new Error(data.failed));
      if (data[answer]) resolve(data[answer]);
    };
    worker.postMessage(question);
  });
}
