import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Unauthorized } from './problems/errors.js';

/**
 * No piece of an answer is sent to a caller who was known more than 10 s before (decisions.md §3). Half of that: a
 * piece may wait to be sent.
 */
const KNOWN_MS = 5_000;

const ENDED = 'The token, session or API key has ended while the answer was made: log in again, or make a new key.';

/** Whether the caller of a request that takes long may still call: its token, session or key can end meanwhile. */
export class Standing {
  private knownMs = performance.now();

  /** @param isLiving asks the database. */
  constructor(private readonly isLiving: () => Promise<boolean>) {}

  /** @throws Unauthorized when the caller may not call any more. It asks only when it has not for some seconds. */
  async assert(): Promise<void> {
    if (performance.now() - this.knownMs >= KNOWN_MS) await this.ask();
  }

  /**
   * For a request that waits: asks every few seconds, and calls `end` when the caller may not call any more. @returns a
   * function that ends this.
   */
  watch(end: () => void): () => void {
    const timer = setInterval(() => void this.ask().catch(end), KNOWN_MS);
    return () => clearInterval(timer);
  }

  private async ask(): Promise<void> {
    const nowMs = performance.now();
    if (!(await this.isLiving())) throw new Unauthorized(ENDED);
    this.knownMs = nowMs;
  }
}

/** Asks before every piece of every answer, except an answer to a change: that has happened already. */
export function sendToLivingCallers(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const { standing, method } = request;
    if (standing === undefined || reply.statusCode >= 400) return done(null, payload);
    if (payload instanceof Readable) return done(null, Readable.from(pieces(payload, standing), { objectMode: false }));
    if (method !== 'GET' && method !== 'HEAD') return done(null, payload);
    standing.assert().then(() => done(null, payload), done);
  });
}

async function* pieces(payload: Readable, standing: Standing): AsyncGenerator<Buffer | string> {
  for await (const piece of payload as AsyncIterable<Buffer | string>) {
    await standing.assert();
    yield piece;
  }
}
