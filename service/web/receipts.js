// What the service has signed when it took something of this browser's: kept in IndexedDB, until the game's file has it.
// They never leave the browser while the game is played: by a receipt one could guess a hidden order.

import { shelf } from "./shelf.js";

const stored = shelf("decklog-receipts", "receipts");

/** The same one is kept once. @param {string} game @param {string} receipt */
export function keepReceipt(game, receipt) { return stored("readwrite", (store) => store.put(receipt, [game, receipt])); }

/** Those of a game; none where the browser keeps nothing. @param {string} game @returns {Promise<string[]>} */
export function keptReceipts(game) { return stored("readonly", (store) => store.getAll(IDBKeyRange.bound([game], [game, []]))).catch(() => []); }
