// The least that is a game for two: they add one in turn. Server and players share it.

export const game = {
  name: 'tally',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ count: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    // client: false, so that what the mover sees is what the server has sent and no guess of its own.
    add: { move: ({ G }) => ({ count: G.count + 1 }), client: false },
  },
}
