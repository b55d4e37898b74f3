import { Injectable } from '@nestjs/common';
import type { ApiKeyAccess } from '#libs/entities';
import { Statement } from '#libs/platform';
import { type Caller, Database, isSecret } from '#libs/records';
import { isConfirmed, MOVE_SESSION, sessionMoves } from './sessions/session-life.js';

interface TokenRow {
  userId: number;
  secretHash: Buffer;
  isSession: boolean;
  /** A session whose end is to move. */
  moves: boolean;
  isConfirmed: boolean;
  customerId: number | null;
  /** Of the customer. */
  siteId: number | null;
}

/** Everything that a request needs to know about its token: one statement, by primary keys. */
const LIVING_TOKEN = Statement.named(
  `SELECT t.user_id, t.secret_hash, t.customer_id, c.site_id, t.session_until_utc IS NOT NULL AS is_session,
      ${sessionMoves('t')} AS moves, ${isConfirmed('t')} AS is_confirmed
    FROM access_tokens t LEFT JOIN customers c ON c.id = t.customer_id
    WHERE t.id = $1 AND t.expires_utc > now() AND t.revoked_utc IS NULL AND c.deleted_utc IS NULL`,
);

interface KeyRow {
  userId: number;
  secretHash: Buffer;
  access: ApiKeyAccess;
}

/** The same for an API key: one statement, by its primary key. */
const LIVING_KEY = Statement.named(
  `SELECT k.user_id, k.secret_hash, k.access
    FROM api_keys k WHERE k.id = $1 AND k.revoked_utc IS NULL AND (k.expires_utc IS NULL OR k.expires_utc > now())`,
);

/** SKIP LOCKED: a token that is locked now is being ended and needs no update. */
const noteUseIn = (table: 'access_tokens' | 'api_keys') =>
  Statement.named(
    `UPDATE ${table} SET last_used_utc = now() WHERE id =
    (SELECT t.id FROM ${table} t WHERE t.id = $1 AND (t.last_used_utc IS NULL OR t.last_used_utc < now() - interval '1 minute')
      FOR NO KEY UPDATE SKIP LOCKED)`,
  );
const NOTE_USE_OF_TOKEN = noteUseIn('access_tokens');
const NOTE_USE_OF_KEY = noteUseIn('api_keys');

/** The precision of the last use of a token or key. */
const NOTED_MS = 60_000;
const MOST_NOTED = 10_000;

/** Of a token, or of an API key. */
const ID = /^\d{1,15}$/;

/**
 * Finds the caller of a presented token or API key. Its state is not cached: a revoked one is refused from the next
 * request on.
 */
@Injectable()
export class Callers {
  /** By the id of the token or key: both are of one sequence. */
  private readonly notedMs = new Map<string, number>();

  constructor(private readonly database: Database) {}

  /**
   * Null when there is no such token, or it is revoked or expired, or its customer was deleted.
   * @param isUse whether a session's end moves.
   */
  async ofToken(tokenId: string, secret: string, isUse = true): Promise<Caller | null> {
    if (!ID.test(tokenId)) return null;
    const [token] = await this.database.read<TokenRow>(LIVING_TOKEN, [tokenId]);
    if (token === undefined || !isSecret(secret, token.secretHash)) return null;
    if (!token.isSession) this.noteUse(tokenId, NOTE_USE_OF_TOKEN);
    else if (token.moves && isUse) this.inBackground(MOVE_SESSION, tokenId);
    const { userId, customerId, siteId } = token;
    return {
      tokenId: Number(tokenId),
      keyAccess: null,
      isSession: token.isSession,
      isConfirmed: token.isConfirmed,
      userId,
      scope: customerId === null ? 'Merchant' : 'Customer',
      reach: customerId === null ? [userId, null, null, null] : [null, null, siteId, customerId],
      customerId,
    };
  }

  /** As `ofToken`, for the token in a session's cookie: no other token counts there. */
  async ofSession(tokenId: string, secret: string, isUse = true): Promise<Caller | null> {
    const caller = await this.ofToken(tokenId, secret, isUse);
    return caller?.isSession === true ? caller : null;
  }

  /** Null when there is no such key, or it is revoked or expired. */
  async ofKey(keyId: string, secret: string): Promise<Caller | null> {
    if (!ID.test(keyId)) return null;
    const [key] = await this.database.read<KeyRow>(LIVING_KEY, [keyId]);
    if (key === undefined || !isSecret(secret, key.secretHash)) return null;
    this.noteUse(keyId, NOTE_USE_OF_KEY);
    return {
      tokenId: Number(keyId),
      keyAccess: key.access,
      isSession: false,
      isConfirmed: true,
      userId: key.userId,
      scope: 'Merchant',
      reach: [null, Number(keyId), null, null],
      customerId: null,
    };
  }

  /** Whether the token or key of a caller still counts. It is no use of it. */
  async isLiving({ tokenId, keyAccess }: Caller): Promise<boolean> {
    const rows = await this.database.read(keyAccess === null ? LIVING_TOKEN : LIVING_KEY, [String(tokenId)]);
    return rows.length > 0;
  }

  private noteUse(id: string, statement: Statement): void {
    const nowMs = performance.now();
    if (nowMs - (this.notedMs.get(id) ?? -Infinity) < NOTED_MS) return;
    if (this.notedMs.size >= MOST_NOTED) this.notedMs.clear();
    this.notedMs.set(id, nowMs);
    this.inBackground(statement, id);
  }

  /** No request waits for it or fails because of it, so a read-only database can still serve reads. */
  private inBackground(statement: Statement, id: string): void {
    this.database.execute(statement, [id]).catch(() => undefined);
  }
}
