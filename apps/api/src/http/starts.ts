import { setImmediate as nextRound } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { FairTurns } from './fair-turns.js';

/** The most requests that begin in one round of the event loop. */
const IN_A_ROUND = 8;

/**
 * Node.js accepts one new connection in each round of its event loop, and begins every request that has arrived in the same round. With many busy
 * connections a round takes long, and a new client waits a round for each one that connects before it. So only some requests begin in a round, and the
 * others in the next ones, in turn by address.
 */
export function beginInTurn(server: FastifyInstance): void {
  const turns = new FairTurns(1);
  let begun = 0;
  const hasRoom = () => {
    if (begun === 0) setImmediate(() => (begun = 0));
    return begun < IN_A_ROUND;
  };
  server.addHook('onRequest', (request, _reply, done) => {
    if (!turns.isBusy && hasRoom()) {
      begun++;
      done();
      return;
    }
    void turns.take(request.ip, async () => {
      while (!hasRoom()) await nextRound();
      begun++;
      done();
    });
  });
}
