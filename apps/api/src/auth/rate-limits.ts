import { performance } from 'node:perf_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Settings } from '#libs/platform';
import type { Caller } from '#libs/records';
import { TooManyRequests } from '../http/problems/errors.js';
import { SETTINGS } from '../http/tokens.js';

/** A burst may be this many times the rate. So it is also the number of seconds until an empty bucket is full again. */
const BURST_SECONDS = 10;
const MAX_BUCKETS = 50_000;

interface Bucket {
  left: number;
  atMs: number;
}

/**
 * A token bucket per account (for its Merchant tokens and API keys together), per customer (for its Customer tokens)
 * and process: a sustained rate, and bursts of ten times that. More tokens of the same caller do not allow more
 * requests.
 */
@Injectable()
export class RateLimits {
  private readonly buckets = new Map<string, Bucket>();
  private readonly rate: number;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.rate = settings.rateLimitPerSecond;
  }

  /** @throws TooManyRequests when the bucket is empty. */
  take({ userId, customerId }: Caller, reply: FastifyReply, nowMs = performance.now()): void {
    if (this.rate === 0) return;
    const burst = this.rate * BURST_SECONDS;
    const policy = customerId === null ? 'account' : 'customer';
    const bucket = this.bucketOf(`${policy}:${customerId ?? userId}`, burst, nowMs);
    bucket.left = Math.min(burst, bucket.left + ((nowMs - bucket.atMs) / 1000) * this.rate);
    bucket.atMs = nowMs;
    const allowed = bucket.left >= 1;
    if (allowed) bucket.left--;
    const whole = Math.floor(bucket.left);
    void reply.header('ratelimit-policy', `"${policy}";q=${burst};w=${BURST_SECONDS}`);
    void reply.header('ratelimit', `"${policy}";r=${whole};t=${Math.ceil((burst - bucket.left) / this.rate)}`);
    if (allowed) return;
    const message = `The tokens${policy === 'account' ? ' and API keys' : ''} of this ${policy} may send ${this.rate} requests a second together, and ${burst} at once: slow down.`;
    throw new TooManyRequests(message, Math.max(1, Math.ceil((1 - bucket.left) / this.rate)));
  }

  private bucketOf(subject: string, burst: number, nowMs: number): Bucket {
    const known = this.buckets.get(subject);
    if (known !== undefined) return known;
    if (this.buckets.size >= MAX_BUCKETS) this.forgetFull(nowMs);
    const made = { left: burst, atMs: nowMs };
    this.buckets.set(subject, made);
    return made;
  }

  /** After this time without a request a bucket is full again, so deleting it changes nothing. */
  private forgetFull(nowMs: number): void {
    for (const [subject, { atMs }] of this.buckets) {
      if (nowMs - atMs > BURST_SECONDS * 1000) this.buckets.delete(subject);
    }
  }
}
