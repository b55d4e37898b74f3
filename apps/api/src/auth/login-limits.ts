import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '#libs/records';
import { TooManyRequests } from '../http/errors.js';
import { clientNetwork } from './client-network.js';

const WINDOW_MINUTES = 15;
const MOST_PER_ACCOUNT = 10;
const MOST_PER_ADDRESS = 100;

/** `$1` and `$2` are the subjects; for each, when the attempt that must leave the window first was made. */
const WAITS = `SELECT extract(epoch FROM max(blocking.attempted_utc) + interval '${WINDOW_MINUTES} minutes' - now())::float8 AS seconds
  FROM (VALUES ($1, ${MOST_PER_ACCOUNT}), ($2, ${MOST_PER_ADDRESS})) AS subject(name, most)
  CROSS JOIN LATERAL (SELECT a.attempted_utc FROM login_attempts a
    WHERE a.subject = subject.name AND a.attempted_utc > now() - interval '${WINDOW_MINUTES} minutes'
    ORDER BY a.attempted_utc DESC OFFSET subject.most - 1 LIMIT 1) blocking`;

/** Failed logins are limited per account and per address, over all processes together. */
@Injectable()
export class LoginLimits {
  private readonly lastOf = new Map<string, Promise<unknown>>();

  constructor(private readonly database: Database) {}

  /**
   * Runs `login`, which gives null when it failed. An attempt counts from before it is tried until it has succeeded, so
   * that a hundred guesses at once are a hundred guesses; logins of one account take turns, so that none of them is
   * refused for the sake of others that will succeed.
   * @throws TooManyRequests when the account or the address has failed too often.
   */
  async attempt<T>(email: string, address: string, login: () => Promise<T | null>): Promise<T | null> {
    const account = `account:${createHash('sha256').update(email).digest('hex')}`;
    return this.inTurn(account, async () => {
      const ids = await this.begin(account, `address:${clientNetwork(address)}`);
      const result = await login();
      if (result !== null) {
        await this.database.dataSource.query(`DELETE FROM login_attempts WHERE id = ANY ($1::bigint[])`, [ids]);
      }
      return result;
    });
  }

  private begin(account: string, address: string): Promise<string[]> {
    return this.database.write(async (tx) => {
      // One after the other, and always the account first: or two at once would both be the last that is allowed.
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [account]);
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [address]);
      const [wait] = await tx.query<{ seconds: number | null }[]>(WAITS, [account, address]);
      if (wait?.seconds != null) {
        throw new TooManyRequests(
          'Too many failed logins of this account or from this address: try again later.',
          Math.max(1, Math.ceil(wait.seconds)),
        );
      }
      await tx.query(
        `DELETE FROM login_attempts WHERE id IN (SELECT id FROM login_attempts
           WHERE attempted_utc < now() - interval '${WINDOW_MINUTES} minutes' ORDER BY attempted_utc LIMIT 20 FOR UPDATE SKIP LOCKED)`,
      );
      const made = await tx.query<{ id: string }[]>(
        `INSERT INTO login_attempts (subject) VALUES ($1), ($2) RETURNING id`,
        [account, address],
      );
      return made.map(({ id }) => id);
    });
  }

  private async inTurn<T>(account: string, work: () => Promise<T>): Promise<T> {
    const before = this.lastOf.get(account) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.lastOf.set(account, turn);
    try {
      return await turn;
    } finally {
      if (this.lastOf.get(account) === turn) this.lastOf.delete(account);
    }
  }
}
