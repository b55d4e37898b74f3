import { Injectable } from '@nestjs/common';
import { accessTokenView, type Caller, Database, Forbidden, isReached, keysOf, Listing, NotFound } from '#libs/records';
import { CustomersService } from '../../customers/customers.service.js';
import { lockAccount, revokeToken, revokeTokensOfCustomer } from './token-families.js';

interface FoundToken {
  readonly userId: number;
  /** Whether its customer's site is in the caller's reach; never for a Merchant token. */
  readonly reached: boolean;
}

/**
 * Lists and revokes the active tokens of an account; with an API key, the Customer tokens of its sites (decisions.md
 * §3, §12).
 */
@Injectable()
export class ActiveTokensService {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomersService,
  ) {}

  list(caller: Caller): Listing {
    return caller.keyAccess === null
      ? new Listing(this.database, accessTokenView, keysOfAccount(caller.userId), 'AccessToken.account')
      : new Listing(this.database, accessTokenView, keysOfApiKey(caller.tokenId), 'AccessToken.apiKey');
  }

  /** An expired token can be revoked too, because tokens that were made from it may still be active. */
  revoke(caller: Caller, id: number): Promise<void> {
    return this.database.write(async (tx) => {
      await lockAccount(tx, caller);
      const [token] = await tx.execute<FoundToken>(
        `SELECT t.user_id, ${isReached('c.site_id', '$2::bigint[]')} AS reached FROM access_tokens t LEFT JOIN customers c ON c.id = t.customer_id
         WHERE t.id = $1 AND t.revoked_utc IS NULL`,
        [id, caller.reach],
      );
      if (token === undefined) throw new NotFound(`There is no AccessToken ${id}.`);
      assertRevocable(caller, id, token);
      await revokeToken(tx, id);
    });
  }

  /** @throws NotFound and Forbidden, like reading the customer. */
  async revokeOfCustomer(caller: Caller, customerId: number): Promise<void> {
    await this.customers.selectOne(caller, customerId, { name: 'ofAccessTokens', columns: 'x.id' });
    await this.database.write(async (tx) => {
      await lockAccount(tx, caller);
      await revokeTokensOfCustomer(tx, customerId);
    });
  }
}

/** @throws Forbidden. */
function assertRevocable(caller: Caller, id: number, token: FoundToken): void {
  if (token.userId !== caller.userId) throw new Forbidden(`AccessToken ${id} belongs to another account.`);
  if (caller.scope === 'Customer' && id !== caller.tokenId) {
    throw new Forbidden('A Customer token may revoke no token but itself.');
  }
  if (caller.keyAccess !== null && !token.reached) {
    throw new Forbidden(`An API key may only revoke Customer tokens of its sites; AccessToken ${id} is another one.`);
  }
}

/** `ix_access_tokens_user`. */
const keysOfAccount = (userId: number) =>
  keysOf(
    'access_tokens',
    userId,
    (alias, owner) => `${alias}.user_id = ${owner}::bigint AND ${isActive(alias)}
      AND NOT EXISTS (SELECT 1 FROM customers c WHERE c.id = ${alias}.customer_id AND c.deleted_utc IS NOT NULL)`,
  );

/** The Customer tokens of the key's sites: `ix_access_tokens_user`, the others by their primary keys. */
const keysOfApiKey = (keyId: number) =>
  keysOf(
    'access_tokens',
    keyId,
    (
      alias,
      owner,
    ) => `${alias}.user_id = (SELECT k.user_id FROM api_keys k WHERE k.id = ${owner}::bigint) AND ${isActive(alias)}
      AND EXISTS (SELECT 1 FROM customers c JOIN api_key_sites s ON s.api_key_id = ${owner}::bigint AND s.site_id = c.site_id
        WHERE c.id = ${alias}.customer_id AND c.deleted_utc IS NULL)`,
  );

const isActive = (alias: string): string => `${alias}.revoked_utc IS NULL AND ${alias}.expires_utc > now()`;
