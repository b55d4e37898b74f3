import { Injectable } from '@nestjs/common';
import {
  advanceClock,
  assertIdle,
  assertReady,
  assertSayable,
  type LockedClock,
  moveClock,
  nextOfClock,
} from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import { type Answer, type Caller, type Created, Database, type Idempotency, Rejected } from '#libs/records';
import { addPeriod } from '#libs/rules';
import type { AdvanceDto, OutageDto } from '../contract/test-clock.dto.js';
import type { Input } from '../http/parameters/parameters.js';
import { lockReached, READ_CLOCK } from './test-clock-json.js';

const WAYS = ['toUtc', 'by', 'toNext'] as const;

/** Moves test clocks. A worker leads an Advance; an Outage moves the clock alone (docs/testing.md). */
@Injectable()
export class TestClockMoves {
  constructor(private readonly database: Database) {}

  /**
   * @throws Rejected unless one of the ways is sent, and beyond the year 9999. Conflict backwards, during an Advance,
   * and when nothing comes.
   */
  advance(caller: Caller, siteId: number, sent: Input<AdvanceDto>, once: Idempotency): Promise<Answer> {
    return this.database.once(once, async (tx) => {
      const clock = await lockReached(tx, caller, siteId);
      assertOneWay(sent);
      assertReady(clock);
      await advanceClock(tx, clock, await targetOf(tx, clock, sent));
      return answer(tx, caller, siteId);
    });
  }

  /** @throws Rejected beyond the year 9999. Conflict during an Advance, and while an order is being processed. */
  outage(caller: Caller, siteId: number, { by }: Input<OutageDto>, once: Idempotency): Promise<Answer> {
    return this.database.once(once, async (tx) => {
      const clock = await lockReached(tx, caller, siteId);
      assertReady(clock);
      await assertIdle(tx, clock);
      await moveClock(tx, clock, later(clock, by));
      return answer(tx, caller, siteId);
    });
  }
}

/** @throws Rejected unless exactly one of them is sent. */
function assertOneWay(sent: Input<AdvanceDto>): void {
  const ways = WAYS.filter((way) => sent[way] !== undefined && sent[way] !== false);
  if (ways.length === 1) return;
  const message = 'is one of three: send ToUtc, By or ToNext (true), and only one of them.';
  throw new Rejected([{ field: 'ToUtc', message }]);
}

function targetOf(tx: Transaction, clock: LockedClock, { toUtc, by }: Input<AdvanceDto>): Date | Promise<Date> {
  if (toUtc === undefined && by === undefined) return nextOfClock(tx, clock);
  return toUtc === undefined ? later(clock, by!) : sayable(toUtc, 'ToUtc');
}

const later = ({ nowUtc }: LockedClock, by: string): Date => sayable(addPeriod(nowUtc, by, 'By'), 'By');

function sayable(utc: Date, field: string): Date {
  assertSayable(utc, field);
  return utc;
}

async function answer(tx: Transaction, caller: Caller, siteId: number): Promise<Created> {
  const [clock] = await tx.execute<{ json: string }>(READ_CLOCK, [siteId, caller.reach]);
  return { id: siteId, json: clock!.json };
}
