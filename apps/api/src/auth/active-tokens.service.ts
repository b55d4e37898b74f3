import { Injectable } from '@nestjs/common';
import type { Transaction } from '#libs/database';
import {
  accessTokenView,
  type Caller,
  Database,
  Forbidden,
  keysOf,
  Listing,
  NEXT_UPDATED_UTC,
  NotFound,
} from '#libs/records';
import { CustomersService } from '../customers/customers.module.js';

const REVOKED = `revoked_utc = now(), updated_utc = ${NEXT_UPDATED_UTC}`;

/** A token and all tokens that were made from it, directly or indirectly: `ix_access_tokens_parent`. */
const REVOKE_FAMILY = `WITH RECURSIVE family AS (
    SELECT t.id FROM access_tokens t WHERE t.id = $1
    UNION ALL
    SELECT t.id FROM access_tokens t JOIN family f ON t.parent_id = f.id)
  UPDATE access_tokens AS x SET ${REVOKED} FROM family WHERE x.id = family.id AND x.revoked_utc IS NULL`;

/** `ix_access_tokens_customer`. Tokens that a Customer token makes belong to the same customer. */
const REVOKE_OF_CUSTOMER = `UPDATE access_tokens AS x SET ${REVOKED} WHERE x.customer_id = $1 AND x.revoked_utc IS NULL`;

/** Lists and revokes the active tokens of an account (decisions.md §3, §12). */
@Injectable()
export class ActiveTokensService {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomersService,
  ) {}

  list(caller: Caller): Listing {
    return new Listing(this.database, accessTokenView, keysOfAccount(caller.userId), 'AccessToken.account');
  }

  /** An expired token can be revoked too, because tokens that were made from it may still be active. */
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

  /** @throws NotFound and Forbidden, like reading the customer. */
  async revokeOfCustomer(caller: Caller, customerId: number): Promise<void> {
    await this.customers.selectOne(caller, customerId, { name: 'ofAccessTokens', columns: 'x.id' });
    await this.database.write(async (tx) => {
      await lockAccount(tx, caller);
      await tx.execute(REVOKE_OF_CUSTOMER, [customerId]);
    });
  }
}

/** Prevents new tokens in the meantime: a token that is being made is stored before its family is searched, or finds its parent revoked. */
async function lockAccount(tx: Transaction, { userId }: Caller): Promise<void> {
  await tx.execute(`SELECT 1 FROM users WHERE id = $1 FOR UPDATE`, [userId]);
}

/** `ix_access_tokens_user`. */
const keysOfAccount = (userId: number) =>
  keysOf(
    'access_tokens',
    userId,
    (
      alias,
      owner,
    ) => `${alias}.user_id = ${owner}::bigint AND ${alias}.revoked_utc IS NULL AND ${alias}.expires_utc > now()
      AND NOT EXISTS (SELECT 1 FROM customers c WHERE c.id = ${alias}.customer_id AND c.deleted_utc IS NOT NULL)`,
  );
