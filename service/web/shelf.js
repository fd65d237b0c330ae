// One shelf of IndexedDB: what this browser keeps and never sends, in a base and a store of its own.

/** @typedef {<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>) => Promise<T>} Stored what is asked of the store, once it is done */

/** @param {string} base @param {string} store @param {IDBTransactionOptions} [options] how sure it has to be that what is put there stays @returns {Stored} */
export function shelf(base, store, options) {
  return async (mode, act) => {
    const opened = await open(base, store);
    try {
      return await new Promise((come, fail) => {
        const work = opened.transaction(store, mode, options), asked = act(work.objectStore(store));
        work.oncomplete = () => come(asked.result);
        work.onabort = () => fail(work.error);
      });
    } finally { opened.close(); }
  };
}

/** @param {string} base @param {string} store @returns {Promise<IDBDatabase>} */
function open(base, store) {
  return new Promise((come, fail) => {
    const asked = indexedDB.open(base, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(store);
    asked.onsuccess = () => come(asked.result);
    asked.onerror = () => fail(asked.error);
  });
}
