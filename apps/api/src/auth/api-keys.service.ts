import { Injectable } from '@nestjs/common';
import type { Transaction } from '#libs/platform';
import {
  type Answer,
  apiKeyView,
  type Caller,
  createApiKey,
  Database,
  Forbidden,
  type Idempotency,
  keysOf,
  Listing,
  type NewApiKey,
  NEXT_UPDATED_UTC,
  NotFound,
} from '#libs/records';
import { assertTokenLives, lockAccount, revokeTokensOfKey } from './tokens/token-families.js';

/** The keys of an account, which shops' back ends send in place of tokens (decisions.md §3, API keys). */
@Injectable()
export class ApiKeysService {
  constructor(private readonly database: Database) {}

  /**
   * Only the answer has the key's value. With an Idempotency-Key it is kept for a repetition, encrypted like
   * credentials.
   */
  create(caller: Caller, sent: NewApiKey, once: Idempotency): Promise<Answer> {
    return this.database.once(once, async (tx) => {
      await lockAccount(tx, caller);
      await assertTokenLives(tx, caller);
      const { id, json, value } = await createApiKey(tx, caller.userId, sent);
      return { id, json: JSON.stringify({ ...json, Value: value }) };
    });
  }

  list(caller: Caller): Listing {
    return caller.keyAccess === null
      ? new Listing(this.database, apiKeyView, keysOfAccount(caller.userId), 'ApiKey.account')
      : new Listing(this.database, apiKeyView, itself(caller.tokenId), 'ApiKey.itself');
  }

  /** An expired key can be deleted too: until then it is listed, and counts. */
  delete(caller: Caller, id: number): Promise<void> {
    return this.database.write(async (tx) => {
      await lockAccount(tx, caller);
      const [key] = await tx.execute<{ userId: number }>(
        `SELECT user_id FROM api_keys WHERE id = $1 AND revoked_utc IS NULL`,
        [id],
      );
      if (key === undefined) throw new NotFound(`There is no ApiKey ${id}.`);
      if (key.userId !== caller.userId) throw new Forbidden(`ApiKey ${id} belongs to another account.`);
      if (caller.keyAccess !== null && id !== caller.tokenId) {
        throw new Forbidden('An API key may delete no API key but itself.');
      }
      await revoke(tx, id);
    });
  }
}

async function revoke(tx: Transaction, id: number): Promise<void> {
  await tx.execute(`UPDATE api_keys AS x SET revoked_utc = now(), updated_utc = ${NEXT_UPDATED_UTC} WHERE x.id = $1`, [
    id,
  ]);
  await revokeTokensOfKey(tx, id);
}

/** `ix_api_keys_user`. */
const keysOfAccount = (userId: number) =>
  keysOf('api_keys', userId, (alias, owner) => `${alias}.user_id = ${owner}::bigint AND ${alias}.revoked_utc IS NULL`);

const itself = (id: number) =>
  keysOf('api_keys', id, (alias, owner) => `${alias}.id = ${owner}::bigint AND ${alias}.revoked_utc IS NULL`);
