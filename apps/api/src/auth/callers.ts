import { Injectable } from '@nestjs/common';
import { Statement } from '#libs/database';
import { type Caller, Database } from '#libs/records';
import { isSecret } from './token-secret.js';

interface TokenRow {
  user_id: string;
  secret_hash: Buffer;
  customer_id: string | null;
  site_ids: string[];
}

/** Everything that a request has to know of its token: one statement, by primary keys and `ix_sites_user`. */
const LIVING_TOKEN = Statement.of(
  `SELECT t.user_id, t.secret_hash, t.customer_id,
      CASE WHEN t.customer_id IS NULL THEN ARRAY(SELECT s.id FROM sites s WHERE s.user_id = t.user_id ORDER BY s.id)
        ELSE ARRAY[c.site_id] END AS site_ids
    FROM access_tokens t LEFT JOIN customers c ON c.id = t.customer_id
    WHERE t.id = $1 AND t.expires_utc > now() AND t.revoked_utc IS NULL AND c.deleted_utc IS NULL`,
);

const TOKEN_ID = /^\d{1,15}$/;

/** Who a presented token stands for. Nothing is remembered: a revoked token ends with its next request. */
@Injectable()
export class Callers {
  constructor(private readonly database: Database) {}

  /** Null when there is no such token, or it is revoked or expired, or its customer was deleted. */
  async find(tokenId: string, secret: string): Promise<Caller | null> {
    if (!TOKEN_ID.test(tokenId)) return null;
    const [token] = await this.database.read<TokenRow>(LIVING_TOKEN, [tokenId]);
    if (token === undefined || !isSecret(secret, token.secret_hash)) return null;
    return {
      tokenId: Number(tokenId),
      userId: Number(token.user_id),
      scope: token.customer_id === null ? 'Merchant' : 'Customer',
      siteIds: token.site_ids.map(Number),
      customerId: token.customer_id === null ? null : Number(token.customer_id),
    };
  }
}
