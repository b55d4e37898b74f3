import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Unavailable } from '../problems/errors.js';
import { Calculations } from './calculations.js';
import { FairTurns } from './fair-turns.js';
import { shareOf } from './places.js';

/** Heavy requests that are worked on at once: while one of them keeps the processor busy, all others wait. */
const AT_ONCE = 1;
/**
 * What is read, checked, made and written for about 10 ms: bytes of the body and of the answer together, and
 * calculations.
 */
const HEAVY_BYTES = 512 * 1024;
const HEAVY_CALCULATION_MS = 10;
/** A request that waits, for a lock or a gateway, keeps nobody waiting for longer. */
const LONGEST_TURN_MS = 2_000;
/** The kinds of heavy requests that are remembered. */
const MOST_KNOWN = 10_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * Lets heavy requests wait for each other, in turn by account, and light ones for none of them. A request is heavy when
 * the latest one of its account with the same method and route was. Whoever sends heavy requests so delays others by
 * one of them at most, however many connections it has.
 */
@Injectable()
export class HeavyRequests {
  private readonly turns = new FairTurns(AT_ONCE);
  /** By account, method and route. */
  private readonly known = new Set<string>();

  constructor(private readonly calculations: Calculations) {}

  /** Before a request is worked on. @throws Unavailable when its client has gone away meanwhile. */
  async begin(request: FastifyRequest): Promise<void> {
    const caller = request.user!;
    const kind = `${caller.userId} ${request.method} ${request.routeOptions.url}`;
    const leave = this.known.has(kind) ? await this.turn(shareOf(caller)) : null;
    if (leave !== null && request.raw.socket.destroyed) {
      leave();
      throw new Unavailable('The client has gone away.', RETRY_AFTER_SECONDS);
    }
    request.worked = (answerBytes) => {
      leave?.();
      const bytes = Number(request.headers['content-length'] ?? 0) + answerBytes;
      this.note(kind, bytes >= HEAVY_BYTES || this.calculations.msOf(caller) >= HEAVY_CALCULATION_MS);
    };
  }

  /** @returns a function that ends the turn. */
  private async turn(subject: string): Promise<() => void> {
    await this.turns.enter(subject);
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      this.turns.leave();
    };
    const timer = setTimeout(end, LONGEST_TURN_MS).unref();
    return end;
  }

  private note(kind: string, isHeavy: boolean): void {
    this.known.delete(kind);
    if (!isHeavy) return;
    if (this.known.size === MOST_KNOWN) this.known.delete(this.known.values().next().value!);
    this.known.add(kind);
  }
}

/** The turn of a request ends when its answer is ready to be sent: a slow reader keeps none. */
export function noteWork(server: FastifyInstance): void {
  server.addHook('onSend', (request, _reply, payload, done) => {
    const { worked } = request;
    delete request.worked;
    worked?.(typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0);
    done(null, payload);
  });
}
