import { Inject, Injectable } from '@nestjs/common';
import { type Settings, Statement, type Transaction } from '#libs/platform';
import { TooManyRequests } from '../problems/errors.js';
import { SETTINGS } from '../tokens.js';

/** A limit: `most` calls in `seconds`. */
export interface CallLimit {
  /** What is counted, and for whom, at most 80 characters: `process:order:42`. */
  readonly subject: string;
  readonly most: number;
  readonly seconds: number;
  /** The same for people: `Process of this order by Customer tokens`. */
  readonly label: string;
}

/**
 * By `ix_limited_calls_subject`: returns the oldest call of each full limit, and stores the new call if no limit is
 * full. Each call deletes some expired ones (`ix_limited_calls_expires`).
 */
const TAKE = Statement.named(
  `WITH limits AS (SELECT * FROM unnest($1::text[], $2::int[], $3::int[]) AS l (subject, most, seconds)),
    full_limits AS (SELECT l.subject, c.expires_utc - now() AS wait FROM limits l CROSS JOIN LATERAL (
      SELECT c.expires_utc FROM limited_calls c WHERE c.subject = l.subject AND c.expires_utc > now()
      ORDER BY c.expires_utc DESC OFFSET l.most - 1 LIMIT 1) c),
    taken AS (INSERT INTO limited_calls (subject, expires_utc)
      SELECT l.subject, now() + make_interval(secs => l.seconds) FROM limits l WHERE NOT EXISTS (SELECT FROM full_limits)),
    expired AS (DELETE FROM limited_calls WHERE id IN (
      SELECT id FROM limited_calls WHERE expires_utc < now() ORDER BY expires_utc LIMIT 20 FOR UPDATE SKIP LOCKED))
  SELECT subject, ceil(extract(epoch FROM wait))::int AS seconds FROM full_limits ORDER BY wait DESC LIMIT 1`,
);

/**
 * Limits for requests that call a payment gateway or write a cycle. They are counted in the database, so that they
 * count for all API processes together, and in the request's own transaction: a refused or failed request does not
 * count. Requests that wait for the same lock are counted exactly. Other parallel requests may exceed the limit.
 */
@Injectable()
export class CallLimits {
  private readonly isOff: boolean;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.isOff = settings.rateLimitPerSecond === 0;
  }

  /** @throws TooManyRequests when one of the limits is full. */
  async take(tx: Transaction, limits: readonly CallLimit[]): Promise<void> {
    if (this.isOff) return;
    const [full] = await tx.execute<{ subject: string; seconds: number }>(TAKE, [
      limits.map(({ subject }) => subject),
      limits.map(({ most }) => most),
      limits.map(({ seconds }) => seconds),
    ]);
    if (full === undefined) return;
    const { label, most, seconds } = limits.find(({ subject }) => subject === full.subject)!;
    const within = seconds === 60 ? 'a minute' : 'an hour';
    throw new TooManyRequests(
      `${label}: at most ${most} ${within}. Try again in ${full.seconds} seconds.`,
      Math.max(1, full.seconds),
    );
  }
}
