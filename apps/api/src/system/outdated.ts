import type { FastifyInstance } from 'fastify';
import { MINIMUM_VERSION, outdatedBecause } from '#libs/entities';
import type { Database } from '#libs/records';
import { Unavailable } from '../http/problems/errors.js';

/** How long an answer of the database is used. */
const KNOWN_MS = 1_000;
const RETRY_AFTER_SECONDS = 5;
const OF_THE_CONTRACT = /^\/api\//i;

/**
 * Answers 503 while the database asks for a newer version of the API (docs/operations.md, New versions): this one might
 * write data that newer versions do not understand. The database is asked at most once a second.
 */
export function refuseWhenOutdated(server: FastifyInstance, database: Database): void {
  let reason: string | null = null;
  let readAt = -Infinity;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      const [row] = await database.read<{ minimum: number }>(MINIMUM_VERSION, []);
      reason = outdatedBecause(row!.minimum);
    } catch {
      // The request itself will get the same database error and report it.
    } finally {
      readAt = performance.now();
      reading = null;
    }
  }

  const refusal = () => (reason === null ? undefined : new Unavailable(reason, RETRY_AFTER_SECONDS));

  server.addHook('onRequest', (request, _, done) => {
    if (!OF_THE_CONTRACT.test(request.url)) return done();
    if (performance.now() - readAt < KNOWN_MS) return done(refusal());
    reading ??= read();
    void reading.then(() => done(refusal()));
  });
}
