// What the service has signed when it took something of this browser's: kept in IndexedDB, until the game's file has it.
// They never leave the browser while the game is played: by a receipt one could guess a hidden order.

const BASE = "decklog-receipts", STORE = "receipts";

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((come, fail) => {
    const asked = indexedDB.open(BASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => come(asked.result);
    asked.onerror = () => fail(asked.error);
  });
}

/** @template T @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} act @returns {Promise<T>} */
async function stored(mode, act) {
  const base = await opened();
  try {
    return await new Promise((come, fail) => {
      const work = base.transaction(STORE, mode), asked = act(work.objectStore(STORE));
      work.oncomplete = () => come(asked.result);
      work.onabort = () => fail(work.error);
    });
  } finally { base.close(); }
}

/** The same one is kept once. @param {string} game @param {string} receipt */
export function keepReceipt(game, receipt) { return stored("readwrite", (store) => store.put(receipt, [game, receipt])); }

/** Those of a game; none where the browser keeps nothing. @param {string} game @returns {Promise<string[]>} */
export function keptReceipts(game) { return stored("readonly", (store) => store.getAll(IDBKeyRange.bound([game], [game, []]))).catch(() => []); }
