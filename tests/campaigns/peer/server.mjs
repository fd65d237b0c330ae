// boardgame.io's own server on the loopback: node server.mjs [FOLDER]
// Keeps its matches in files of FOLDER, or in memory alone without one. Prints its address.

import { createRequire } from 'node:module'

import { game } from './game.mjs'

const { FlatFile, Server } = createRequire(import.meta.url)('boardgame.io/server')

const [folder] = process.argv.slice(2)
const server = Server({
  games: [game],
  origins: [],
  ...(folder ? { db: new FlatFile({ dir: folder, logging: false }) } : {}),
})
const listen = server.app.listen
server.app.listen = (port, done) => listen.call(server.app, port, '127.0.0.1', done)
const { appServer } = await server.run({ port: 0 })
console.log(`listening ${appServer.address().port}`)
process.on('SIGTERM', () => process.exit(0))
