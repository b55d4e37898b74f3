import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { type Settings, Statement } from '#libs/platform';
import type { Database } from '#libs/records';

/** The length of origins in `ix_sites_origin`; no host name with port is longer. */
const LONGEST_ORIGIN = 299;

/** By `ix_sites_origin`. A site's URL may continue after its origin. */
const SITE_OF_ORIGIN = Statement.named(
  `SELECT FROM sites WHERE left(substring(lower(url COLLATE "C") FROM '^https?://[^/?#]+'), 300) = $1 LIMIT 1`,
);

/** Whether it is an origin that a browser sends for a web page. Other texts cannot be a site's origin. */
function isWebOrigin(origin: string): boolean {
  if (origin.length > LONGEST_ORIGIN || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === origin;
}

/**
 * Browsers may call from the configured origins and from the accounts' own sites. Cookies never count there
 * (SessionCookies).
 */
export async function allowOrigins(server: FastifyInstance, database: Database, settings: Settings): Promise<void> {
  // Two separate caches, so that unknown origins, which anybody can invent, never displace those of sites.
  const allowed = new RecentlySeen();
  const refused = new RecentlySeen();

  async function isAllowed(sent: string): Promise<boolean> {
    if (settings.corsOrigins.includes(sent)) return true;
    const origin = sent.toLowerCase();
    if (!isWebOrigin(origin) || refused.has(origin)) return false;
    if (allowed.has(origin)) return true;
    const isOfSite = (await database.read(SITE_OF_ORIGIN, [origin])).length > 0;
    (isOfSite ? allowed : refused).add(origin);
    return isOfSite;
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

const REMEMBERED_MS = 10_000;
const MOST_REMEMBERED = 1_000;

/** Texts that were added within the last ten seconds; at most the newest thousand. */
export class RecentlySeen {
  private readonly untilMs = new Map<string, number>();

  add(text: string): void {
    this.untilMs.delete(text); // so that it is the last, as the newest
    if (this.untilMs.size >= MOST_REMEMBERED) this.untilMs.delete(this.untilMs.keys().next().value!);
    this.untilMs.set(text, performance.now() + REMEMBERED_MS);
  }

  has(text: string): boolean {
    return (this.untilMs.get(text) ?? 0) > performance.now();
  }
}
