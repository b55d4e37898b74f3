import { performance } from 'node:perf_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Settings } from '#libs/config';
import { TooManyRequests } from '../http/errors.js';
import { SETTINGS } from '../http/tokens.js';

/** A burst may reach so many times the rate; so it is also the seconds in which an empty bucket is full again. */
const BURST_SECONDS = 10;
const MAX_BUCKETS = 50_000;

interface Bucket {
  left: number;
  atMs: number;
}

/** A token bucket per access token and process: a sustained rate, and bursts of ten times that. */
@Injectable()
export class RateLimits {
  private readonly buckets = new Map<number, Bucket>();
  private readonly rate: number;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.rate = settings.rateLimitPerSecond;
  }

  /** @throws TooManyRequests when the bucket is empty. */
  take(tokenId: number, reply: FastifyReply, nowMs = performance.now()): void {
    if (this.rate === 0) return;
    const burst = this.rate * BURST_SECONDS;
    const bucket = this.bucketOf(tokenId, burst, nowMs);
    bucket.left = Math.min(burst, bucket.left + ((nowMs - bucket.atMs) / 1000) * this.rate);
    bucket.atMs = nowMs;
    const allowed = bucket.left >= 1;
    if (allowed) bucket.left--;
    const whole = Math.floor(bucket.left);
    void reply.header('ratelimit-policy', `"token";q=${burst};w=${BURST_SECONDS}`);
    void reply.header('ratelimit', `"token";r=${whole};t=${Math.ceil((burst - bucket.left) / this.rate)}`);
    if (allowed) return;
    const message = `This token may send ${this.rate} requests a second, and ${burst} at once: slow down.`;
    throw new TooManyRequests(message, Math.max(1, Math.ceil((1 - bucket.left) / this.rate)));
  }

  private bucketOf(tokenId: number, burst: number, nowMs: number): Bucket {
    const known = this.buckets.get(tokenId);
    if (known !== undefined) return known;
    if (this.buckets.size >= MAX_BUCKETS) this.forgetFull(nowMs);
    const made = { left: burst, atMs: nowMs };
    this.buckets.set(tokenId, made);
    return made;
  }

  /** Whoever was quiet for so long has a full bucket again: forgetting it changes nothing. */
  private forgetFull(nowMs: number): void {
    for (const [tokenId, { atMs }] of this.buckets) {
      if (nowMs - atMs > BURST_SECONDS * 1000) this.buckets.delete(tokenId);
    }
  }
}
