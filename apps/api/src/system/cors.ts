import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '#libs/config';
import { Statement } from '#libs/database';
import type { Database } from '#libs/records';

const REMEMBERED_MS = 10_000;
const MOST_REMEMBERED = 1_000;

/** A site's URL may go on after its origin. */
const SITE_OF_ORIGIN = Statement.of(
  `SELECT 1 FROM sites WHERE lower(url) = $1 OR starts_with(lower(url), $1 || '/') LIMIT 1`,
);

/** Browsers may call from the configured origins and from the accounts' own sites; nobody needs cookies. */
export async function allowOrigins(server: FastifyInstance, database: Database, settings: Settings): Promise<void> {
  const sites = new Map<string, { allowed: boolean; untilMs: number }>();

  async function isAllowed(origin: string): Promise<boolean> {
    if (settings.corsOrigins.includes(origin)) return true;
    const known = sites.get(origin);
    if (known !== undefined && known.untilMs > performance.now()) return known.allowed;
    const allowed = (await database.read(SITE_OF_ORIGIN, [origin.toLowerCase()])).length > 0;
    if (sites.size >= MOST_REMEMBERED) sites.clear();
    sites.set(origin, { allowed, untilMs: performance.now() + REMEMBERED_MS });
    return allowed;
  }

  await server.register(cors, {
    origin: (origin: string | undefined, done: (error: Error | null, allowed: boolean) => void) => {
      if (origin === undefined) return done(null, false);
      isAllowed(origin).then(
        (allowed) => done(null, allowed),
        (error: Error) => done(error, false),
      );
    },
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: [
      'Link',
      'Location',
      'X-Request-Id',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotent-Replayed',
    ],
    maxAge: 600,
  });
}
