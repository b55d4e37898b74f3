import { Injectable } from '@nestjs/common';
import { Statement, type Transaction } from '#libs/platform';
import { type Caller, Database, newSecret, NEXT_UPDATED_UTC, Rejected } from '#libs/records';
import { Unauthorized } from '../../http/problems/errors.js';
import { Logins, type SentLogin } from '../logins/logins.js';
import { makeRoom } from '../tokens/token-bounds.js';
import { lockAccount, revokeToken } from '../tokens/token-families.js';
import { confirmedUntil, endOfSession, LONGEST } from './session-life.js';

/** As the API answers it. */
interface Session {
  readonly Id: number;
  readonly UserId: number;
  readonly Email: string;
  readonly AccessScope: 'Merchant';
  readonly ExpiresUtc: Date;
  readonly EndsUtc: Date;
  readonly ConfirmedUntilUtc: Date | null;
}

interface SessionRow {
  readonly id: number;
  readonly userId: number;
  readonly email: string;
  readonly expiresUtc: Date;
  readonly sessionUntilUtc: Date;
  readonly confirmedUntilUtc: Date | null;
}

const SESSION = Statement.named(
  `SELECT t.id, t.user_id, u.email, t.expires_utc, t.session_until_utc, ${confirmedUntil('t')} AS confirmed_until_utc
   FROM access_tokens t JOIN users u ON u.id = t.user_id WHERE t.id = $1 AND t.session_until_utc IS NOT NULL`,
);

const INSERT = `INSERT INTO access_tokens (user_id, secret_hash, access_scope, expires_utc, session_until_utc, password_entered_utc)
   VALUES ($1, $2, 'Merchant', ${endOfSession(`now() + ${LONGEST}`)}, now() + ${LONGEST}, now()) RETURNING id`;

const CONFIRM = `UPDATE access_tokens AS x SET password_entered_utc = now(), updated_utc = ${NEXT_UPDATED_UTC}
   WHERE x.id = $1 AND x.revoked_utc IS NULL AND x.expires_utc > now()`;

const shown = (row: SessionRow): Session => ({
  Id: row.id,
  UserId: row.userId,
  Email: row.email,
  AccessScope: 'Merchant',
  ExpiresUtc: row.expiresUtc,
  EndsUtc: row.sessionUntilUtc,
  ConfirmedUntilUtc: row.confirmedUntilUtc,
});

/** A browser's sessions: Merchant tokens that only a cookie carries (decisions.md §3, Sessions). */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly logins: Logins,
  ) {}

  /** @throws Rejected, TooManyRequests: as any login. */
  create(login: SentLogin): Promise<{ session: Session; secret: string }> {
    return this.logins.attempt(login, async (tx, userId) => {
      await makeRoom(tx, { userId, customerId: null, parentId: null });
      const { secret, secretHash } = newSecret();
      const [made] = await tx.execute<{ id: number }>(INSERT, [userId, secretHash]);
      return { session: shown((await read(tx, made!.id))!), secret };
    });
  }

  /** @throws Unauthorized when it was deleted in the meantime. */
  async get({ tokenId }: Caller): Promise<Session> {
    const row = await read(this.database, tokenId);
    if (row === undefined) throw new Unauthorized('The session has ended: log in again (POST /api/Sessions).');
    return shown(row);
  }

  /**
   * Notes that its account's password was entered in it. @throws Rejected, TooManyRequests: as any login. Unauthorized
   * when it has ended.
   */
  async confirm(caller: Caller, password: string, address: string): Promise<Session> {
    const { Email: email } = await this.get(caller);
    const note = (tx: Transaction) => tx.execute(CONFIRM, [caller.tokenId]);
    await this.logins.attempt({ email, password, address }, note, wrongPassword);
    return this.get(caller);
  }

  async end(caller: Caller): Promise<void> {
    await this.database.write(async (tx) => {
      await lockAccount(tx, caller);
      await revokeToken(tx, caller.tokenId);
    });
  }
}

const wrongPassword = () => new Rejected([{ field: 'Password', message: 'is wrong.' }]);

async function read(database: Transaction | Database, id: number): Promise<SessionRow | undefined> {
  const [row] = await database.execute<SessionRow>(SESSION, [id]);
  return row;
}
