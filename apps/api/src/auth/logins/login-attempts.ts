import { createHash } from 'node:crypto';
import { Statement, type Transaction } from '#libs/platform';
import type { Database } from '#libs/records';
import { TooManyRequests } from '../../http/problems/errors.js';
import { clientNetwork } from './client-network.js';
import { IS_KNOWN } from './known-networks.js';
import type { LoginSubjects } from './login-queue.js';

const WINDOW_MINUTES = 15;
const MOST_PER_ACCOUNT = 10;
const MOST_PER_ADDRESS = 100;
/** How many logins of an account, and of an address, all processes together check at once. */
const MOST_CHECKED = 5;
/**
 * A check that has not ended in this time counts as failed: its process has died. If it ends later, its result still
 * counts.
 */
const CHECK_SECONDS = 20;
/** From one address a locked account is tried once in this time. */
const LOCKED_PACE_SECONDS = 10;

const IS_BEING_CHECKED = `coalesce(a.checking_until_utc > now(), false)`;

/**
 * By `ix_login_attempts_subject`: for the account and the address, the running checks, the failures, and the time until
 * there is room again.
 */
const STATE = Statement.named(
  `SELECT counted.checking, counted.failed, s.most,
    ceil(extract(epoch FROM filling.attempted_utc + interval '${WINDOW_MINUTES} minutes' - now()))::int AS seconds
  FROM (VALUES (1, $1::text, ${MOST_PER_ACCOUNT}), (2, $2::text, ${MOST_PER_ADDRESS})) AS s (place, subject, most)
  CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE ${IS_BEING_CHECKED})::int AS checking,
      count(*) FILTER (WHERE NOT ${IS_BEING_CHECKED})::int AS failed FROM login_attempts a
    WHERE a.subject = s.subject AND a.attempted_utc > now() - interval '${WINDOW_MINUTES} minutes') counted
  LEFT JOIN LATERAL (SELECT a.attempted_utc FROM login_attempts a
    WHERE a.subject = s.subject AND a.attempted_utc > now() - interval '${WINDOW_MINUTES} minutes' AND NOT ${IS_BEING_CHECKED}
    ORDER BY a.attempted_utc DESC OFFSET s.most - 1 LIMIT 1) filling ON true
  ORDER BY s.place`,
);

const LAST_PACED = Statement.named(
  `SELECT ceil(extract(epoch FROM max(attempted_utc) + interval '${LOCKED_PACE_SECONDS} seconds' - now()))::int AS seconds
  FROM login_attempts WHERE subject = $1 AND attempted_utc > now() - interval '${LOCKED_PACE_SECONDS} seconds'`,
);

const LOCK = Statement.named(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`);

const BEGIN = Statement.named(
  `INSERT INTO login_attempts (subject, checking_until_utc)
  SELECT subject, now() + interval '${CHECK_SECONDS} seconds' FROM unnest($1::text[]) subject RETURNING id`,
);

const PACE = Statement.named(`INSERT INTO login_attempts (subject) VALUES ($1)`);

const DELETE_OLD = Statement.named(
  `DELETE FROM login_attempts WHERE id IN (SELECT id FROM login_attempts
    WHERE attempted_utc < now() - interval '${WINDOW_MINUTES} minutes' ORDER BY attempted_utc LIMIT 20 FOR UPDATE SKIP LOCKED)`,
);

const FAILED = `UPDATE login_attempts SET checking_until_utc = NULL, attempted_utc = now() WHERE id = ANY ($1::bigint[])`;
const NOT_FAILED = `DELETE FROM login_attempts WHERE id = ANY ($1::bigint[])`;

interface State {
  readonly checking: number;
  readonly failed: number;
  readonly most: number;
  /** The time until a failure leaves the window; null while there are fewer than `most`. */
  readonly seconds: number | null;
}

/** A login that is being checked. */
export interface BegunLogin {
  readonly ids: readonly number[];
  /** How long the account is still locked; null when it is not. */
  readonly lockedSeconds: number | null;
  /** Whether the right password gives a token. */
  readonly mayPass: boolean;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const lockedOut = (seconds: number) =>
  new TooManyRequests(
    'Too many failed logins of this account or from this address: try again later.',
    Math.max(1, seconds),
  );

export const subjectsOf = (email: string, address: string): LoginSubjects => ({
  account: `account:${sha256(email)}`,
  address: `address:${clientNetwork(address)}`,
});

const isBusy = ({ checking, failed, most }: State) => checking >= MOST_CHECKED || checking + failed >= most;

/**
 * Running and failed logins, in the database, where all processes count them together. An account that does not exist
 * is treated like one that does.
 */
export class LoginAttempts {
  constructor(private readonly database: Database) {}

  /**
   * Takes a place for a login; null while the running checks could still fill the limit.
   * @throws TooManyRequests when the limit is full, or when a locked account was tried from this address a moment ago.
   */
  begin(email: string, address: string): Promise<BegunLogin | null> {
    const subjects = subjectsOf(email, address);
    return this.database.write(async (tx) => {
      // One after the other, and always the account first. Otherwise two parallel logins could both be the last allowed
      // one.
      await tx.execute(LOCK, [subjects.account]);
      await tx.execute(LOCK, [subjects.address]);
      const [account, from] = (await tx.execute<State>(STATE, [subjects.account, subjects.address])) as [State, State];
      if (from.seconds !== null) throw lockedOut(Math.max(from.seconds, account.seconds ?? 0));
      const isLocked = account.seconds !== null;
      if (isLocked) await assertPace(tx, subjects);
      if (isBusy(from) || (!isLocked && isBusy(account))) return null;
      await tx.execute(DELETE_OLD);
      if (isLocked) await tx.execute(PACE, [pacedSubject(subjects)]);
      const counted = isLocked ? [subjects.address] : [subjects.account, subjects.address];
      const ids = (await tx.execute<{ id: number }>(BEGIN, [counted])).map(({ id }) => id);
      const mayPass = !isLocked || (await isKnown(tx, email, address));
      return { ids, lockedSeconds: account.seconds, mayPass };
    });
  }

  async failed({ ids }: BegunLogin): Promise<void> {
    await this.database.execute(FAILED, [ids]);
  }

  async notFailed({ ids }: BegunLogin): Promise<void> {
    await this.database.execute(NOT_FAILED, [ids]);
  }
}

const pacedSubject = ({ account, address }: LoginSubjects) => `locked:${sha256(`${account} ${address}`)}`;

/** The same answer for every address and account, known or not, so that it shows nothing about either. */
async function assertPace(tx: Transaction, subjects: LoginSubjects): Promise<void> {
  const [last] = await tx.execute<{ seconds: number | null }>(LAST_PACED, [pacedSubject(subjects)]);
  if (last!.seconds !== null) throw lockedOut(last!.seconds);
}

async function isKnown(tx: Transaction, email: string, address: string): Promise<boolean> {
  const [row] = await tx.execute<{ known: boolean }>(IS_KNOWN, [email, clientNetwork(address)]);
  return row!.known;
}
