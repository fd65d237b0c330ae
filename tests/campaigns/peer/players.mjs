// Players on boardgame.io's own client, two at each table: node players.mjs
//
// Reads rounds, a line of JSON each: {"url": "http://...", "players": 32, "seconds": 2.5}. Each round is
// played at new tables, made and joined before the clock starts. Answers with a line of JSON:
//   lanes    for each player the seconds from each move to the server's new state, as the mover sees it
//   seconds  from the first move to the last such state

import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

import { game } from './game.mjs'

const require = createRequire(import.meta.url)
const { Client, LobbyClient } = require('boardgame.io/client')
const { SocketIO } = require('boardgame.io/multiplayer')

const STUCK_SECONDS = 60

/** One player at one table, who moves as soon as the turn is theirs. */
class Player {
  constructor(url, matchID, playerID, credentials) {
    this.waits = []
    this.playerID = playerID
    this.moved = null // when, and in which state; null: no move is under way
    this.playing = false
    const socketOpts = { transports: ['websocket'], forceNew: true }
    const multiplayer = SocketIO({ server: url, socketOpts })
    this.client = Client({ game, multiplayer, matchID, playerID, credentials, debug: false })
    this.seated = new Promise((resolve) => (this.isSeated = resolve))
    this.client.subscribe((state) => this.see(state))
    this.client.start()
  }

  see(state) {
    if (state === null || !state.isConnected) return
    this.isSeated()
    if (this.moved && state._stateID > this.moved.in) {
      this.waits.push((performance.now() - this.moved.at) / 1000)
      this.moved = null
    }
    if (this.playing) this.turn(state)
  }

  /** Play until that moment. `done` settles when the last move was seen. */
  play(until) {
    this.until = until
    this.playing = true
    this.done = new Promise((resolve) => (this.isDone = resolve))
    setTimeout(() => this.turn(this.client.getState()), 0)
    setTimeout(() => this.turn(this.client.getState()), until - performance.now() + 1)
  }

  turn(state) {
    if (this.moved) return
    if (performance.now() >= this.until) {
      this.playing = false
      this.isDone()
    } else if (state.ctx.currentPlayer === this.playerID) {
      this.moved = { at: performance.now(), in: state._stateID }
      this.client.moves.add()
    }
  }
}

/** A new table with two players at it. */
async function table(url) {
  const lobby = new LobbyClient({ server: url })
  const { matchID } = await lobby.createMatch(game.name, { numPlayers: 2 })
  const players = []
  for (const playerID of ['0', '1']) {
    const { playerCredentials } = await lobby.joinMatch(game.name, matchID, {
      playerID,
      playerName: `player ${playerID}`,
    })
    players.push(new Player(url, matchID, playerID, playerCredentials))
  }
  await Promise.all(players.map((player) => player.seated))
  return players
}

async function round({ url, players: many, seconds }) {
  const players = []
  while (players.length < many) players.push(...(await table(url)))
  const stuck = setTimeout(() => {
    console.error('boardgame.io: a move was not answered')
    process.exit(1)
  }, (seconds + STUCK_SECONDS) * 1000)
  const begin = performance.now()
  for (const player of players) player.play(begin + seconds * 1000)
  await Promise.all(players.map((player) => player.done))
  const took = (performance.now() - begin) / 1000
  clearTimeout(stuck)
  for (const player of players) player.client.stop()
  return { lanes: players.map((player) => player.waits), seconds: took }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await round(JSON.parse(line))))
}
