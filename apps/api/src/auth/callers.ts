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

/** Everything that a request needs to know about its token: one statement, by primary keys and `ix_sites_user`. */
const LIVING_TOKEN = Statement.of(
  `SELECT t.user_id, t.secret_hash, t.customer_id,
      CASE WHEN t.customer_id IS NULL THEN ARRAY(SELECT s.id FROM sites s WHERE s.user_id = t.user_id ORDER BY s.id)
        ELSE ARRAY[c.site_id] END AS site_ids
    FROM access_tokens t LEFT JOIN customers c ON c.id = t.customer_id
    WHERE t.id = $1 AND t.expires_utc > now() AND t.revoked_utc IS NULL AND c.deleted_utc IS NULL`,
);

/** SKIP LOCKED: a token that is locked now is being ended and needs no update. */
const NOTE_USE = Statement.of(
  `UPDATE access_tokens SET last_used_utc = now() WHERE id =
    (SELECT t.id FROM access_tokens t WHERE t.id = $1 AND (t.last_used_utc IS NULL OR t.last_used_utc < now() - interval '1 minute')
      FOR NO KEY UPDATE SKIP LOCKED)`,
);

/** The precision of the last use of a token. */
const NOTED_MS = 60_000;
const MOST_NOTED = 10_000;

const TOKEN_ID = /^\d{1,15}$/;

/** Finds the caller of a presented token. The token's state is not cached: a revoked token is refused from the next request on. */
@Injectable()
export class Callers {
  private readonly notedMs = new Map<string, number>();

  constructor(private readonly database: Database) {}

  /** Null when there is no such token, or it is revoked or expired, or its customer was deleted. */
  async find(tokenId: string, secret: string): Promise<Caller | null> {
    if (!TOKEN_ID.test(tokenId)) return null;
    const [token] = await this.database.read<TokenRow>(LIVING_TOKEN, [tokenId]);
    if (token === undefined || !isSecret(secret, token.secret_hash)) return null;
    this.noteUse(tokenId);
    return {
      tokenId: Number(tokenId),
      userId: Number(token.user_id),
      scope: token.customer_id === null ? 'Merchant' : 'Customer',
      siteIds: token.site_ids.map(Number),
      customerId: token.customer_id === null ? null : Number(token.customer_id),
    };
  }

  /** No request waits for it or fails because of it, so a read-only database can still serve reads. */
  private noteUse(tokenId: string): void {
    const nowMs = performance.now();
    if (nowMs - (this.notedMs.get(tokenId) ?? -Infinity) < NOTED_MS) return;
    if (this.notedMs.size >= MOST_NOTED) this.notedMs.clear();
    this.notedMs.set(tokenId, nowMs);
    this.database.execute(NOTE_USE, [tokenId]).catch(() => undefined);
  }
}
