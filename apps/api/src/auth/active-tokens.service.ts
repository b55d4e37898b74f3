import { Injectable } from '@nestjs/common';
import type { Transaction } from '#libs/database';
import {
  accessTokenView,
  type Caller,
  Database,
  Forbidden,
  type Keys,
  Listing,
  NEXT_UPDATED_UTC,
  NotFound,
} from '#libs/records';
import { CustomersService } from '../customers/customers.module.js';

const REVOKED = `revoked_utc = now(), updated_utc = ${NEXT_UPDATED_UTC}`;

/** A token and all that were made from it, down to the last: `ix_access_tokens_parent`. */
const REVOKE_FAMILY = `WITH RECURSIVE family AS (
    SELECT t.id FROM access_tokens t WHERE t.id = $1
    UNION ALL
    SELECT t.id FROM access_tokens t JOIN family f ON t.parent_id = f.id)
  UPDATE access_tokens AS x SET ${REVOKED} FROM family WHERE x.id = family.id AND x.revoked_utc IS NULL`;

/** `ix_access_tokens_customer`; what a Customer token makes is the same customer's. */
const REVOKE_OF_CUSTOMER = `UPDATE access_tokens AS x SET ${REVOKED} WHERE x.customer_id = $1 AND x.revoked_utc IS NULL`;

/** The tokens of an account that still work, and how to end them (decisions.md §3, §12). */
@Injectable()
export class ActiveTokensService {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomersService,
  ) {}

  list(caller: Caller): Listing {
    return new Listing(this.database, accessTokenView, keysOfAccount(caller.userId), 'AccessToken.account');
  }

  /** An expired token is nothing any more, but what was made from it may live on: it can be revoked as well. */
  revoke(caller: Caller, id: number): Promise<void> {
    return this.database.write(async (tx) => {
      await lockAccount(tx, caller);
      const [token] = await tx.execute<{ user_id: string }>(
        `SELECT user_id FROM access_tokens WHERE id = $1 AND revoked_utc IS NULL`,
        [id],
      );
      if (token === undefined) throw new NotFound(`There is no AccessToken ${id}.`);
      if (Number(token.user_id) !== caller.userId) throw new Forbidden(`AccessToken ${id} belongs to another account.`);
      if (caller.scope === 'Customer' && id !== caller.tokenId) {
        throw new Forbidden('A Customer token may revoke no token but itself.');
      }
      await tx.execute(REVOKE_FAMILY, [id]);
    });
  }

  /** @throws NotFound, Forbidden as reading the customer. */
  async revokeOfCustomer(caller: Caller, customerId: number): Promise<void> {
    await this.customers.selectOne(caller, customerId, { name: 'ofAccessTokens', columns: 'x.id' });
    await this.database.write(async (tx) => {
      await lockAccount(tx, caller);
      await tx.execute(REVOKE_OF_CUSTOMER, [customerId]);
    });
  }
}

/** Nobody gets a new token meanwhile: one that is being made is there before its family is looked for, or finds its parent revoked. */
async function lockAccount(tx: Transaction, { userId }: Caller): Promise<void> {
  await tx.execute(`SELECT 1 FROM users WHERE id = $1 FOR UPDATE`, [userId]);
}

/** `ix_access_tokens_user`. */
const keysOfAccount = (userId: number): Keys => ({
  owner: userId,
  sql: `SELECT t.id FROM access_tokens t LEFT JOIN customers c ON c.id = t.customer_id
    WHERE t.user_id = $1 AND t.id > $2 AND t.revoked_utc IS NULL AND t.expires_utc > now() AND c.deleted_utc IS NULL
    ORDER BY t.id LIMIT $3`,
});
