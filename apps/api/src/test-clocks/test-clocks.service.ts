import { Injectable } from '@nestjs/common';
import { setListening } from '#libs/events';
import { assertSayable } from '#libs/ledger';
import { Statement, type Transaction } from '#libs/platform';
import {
  type Answer,
  assertReach,
  assertSite,
  type Caller,
  Conflict,
  Database,
  eachSite,
  type Idempotency,
} from '#libs/records';
import type { NewTestClockDto } from '../contract/test-clock.dto.js';
import type { Input } from '../http/parameters/parameters.js';
import { Deletion } from './deletion.js';
import { TestClockCopy } from './test-clock-copy.js';
import { CLOCK_JSON, lockReached, noClock, READ_CLOCK } from './test-clock-json.js';

/** The most of an account. */
export const MOST_TEST_CLOCKS = 100;

/** pk_test_clocks. $1 reach. */
const LIST =
  Statement.named(`SELECT '[' || coalesce(string_agg(${CLOCK_JSON}::text, ',' ORDER BY k.site_id), '') || ']' AS json
FROM ${eachSite('$1::bigint[]', 'all')} JOIN test_clocks k ON k.site_id = site.id JOIN sites s ON s.id = k.site_id`);

/** One at a time, so that no two make the last one. pk_users. $1 account. */
const LOCK_ACCOUNT = `SELECT 1 FROM users u WHERE u.id = $1 FOR NO KEY UPDATE`;

/** A statement of its own: it sees what was made before the lock. ix_sites_user. $1 account. */
const COUNT = `SELECT count(*)::int AS clocks FROM sites s WHERE s.user_id = $1 AND s.simulated`;

/** pk_sites. $1 account, $2 name, $3 the site to copy, or null. */
const MAKE_SITE = `INSERT INTO sites (user_id, name, simulated, url, type, email, currency_iso)
SELECT $1, $2, true, o.url, o.type, o.email, coalesce(o.currency_iso, 'USD')
FROM (SELECT $3::bigint AS id) copied LEFT JOIN sites o ON o.id = copied.id
RETURNING id`;

/** $1 site, $2 what the clock says. */
const MAKE_CLOCK = `INSERT INTO test_clocks (site_id, now_utc) VALUES ($1, $2)`;

/** Simulated sites and their clocks (docs/testing.md). A site is simulated from birth and for ever. */
@Injectable()
export class TestClocksService {
  constructor(
    private readonly database: Database,
    private readonly copies: TestClockCopy,
  ) {}

  async list({ reach }: Caller): Promise<string> {
    const [row] = await this.database.read<{ json: string }>(LIST, [reach]);
    return row!.json;
  }

  async get(caller: Caller, siteId: number): Promise<string> {
    const [row] = await this.database.read<{ json: string; reached: boolean }>(READ_CLOCK, [siteId, caller.reach]);
    if (row === undefined) throw noClock(siteId);
    await assertReach(this.database, caller, row, `Site ${siteId}`);
    return row.json;
  }

  /** @throws Conflict for too many. Forbidden when the site to copy is not the caller's. */
  create(caller: Caller, { name, nowUtc, copyOf }: Input<NewTestClockDto>, once: Idempotency): Promise<Answer> {
    return this.database.once(once, async (tx) => {
      assertSayable(nowUtc, 'NowUtc');
      const from = copyOf ?? null;
      if (from !== null) await assertSite(tx, caller, from);
      await assertRoom(tx, caller.userId);
      const [site] = await tx.execute<{ id: number }>(MAKE_SITE, [caller.userId, name, from]);
      const { id } = site!;
      await tx.execute(MAKE_CLOCK, [id, nowUtc]);
      if (from !== null) {
        await this.copies.copy(tx, from, id);
        await setListening(tx, id);
      }
      const [clock] = await tx.execute<{ json: string }>(READ_CLOCK, [id, caller.reach]);
      return { id, json: clock!.json };
    });
  }

  /**
   * Ends an Advance as well. @throws Conflict while an order of it is still being processed, or another request deletes
   * it.
   */
  async delete(caller: Caller, siteId: number): Promise<void> {
    const deletion = new Deletion(this.database, siteId);
    await this.database.write(async (tx) => {
      await lockReached(tx, caller, siteId);
      await deletion.begin(tx);
    });
    await deletion.run();
  }
}

async function assertRoom(tx: Transaction, userId: number): Promise<void> {
  await tx.execute(LOCK_ACCOUNT, [userId]);
  const [row] = await tx.execute<{ clocks: number }>(COUNT, [userId]);
  if (row!.clocks < MOST_TEST_CLOCKS) return;
  throw new Conflict(`The account has ${MOST_TEST_CLOCKS} test clocks: delete one first.`);
}
