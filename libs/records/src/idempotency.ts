import { NamedValues, type Place, type Transaction, type Vault } from '#libs/platform';
import { Answer, type IdempotentRequest } from './answer.js';
import { Conflict, KeyReused } from './errors.js';
import { recordOf, storedJson } from './lists/record-pieces.js';

/** How long an answer is kept (decisions.md §2). */
const KEPT = `interval '24 hours'`;

const placeOf = ({ owner, route, key }: IdempotentRequest): Place => ({
  table: 'idempotency_keys',
  column: 'body',
  row: [owner, route, key],
});

/**
 * Locks the key for the rest of the transaction. The lock always ends with the transaction, also after a crash.
 * @throws Conflict while another request has the key.
 */
export async function takeKey(tx: Transaction, key: IdempotentRequest): Promise<void> {
  const [lock] = await tx.execute<{ taken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2 || ' ' || $3, 0)) AS taken`,
    [key.owner, key.route, key.key],
  );
  if (lock?.taken !== true) {
    throw new Conflict('A request with this Idempotency-Key is still in progress: repeat it in a moment.');
  }
}

/** The stored answer for the key, if any. */
export async function storedAnswer(tx: Transaction, vault: Vault, key: IdempotentRequest): Promise<Answer | null> {
  const [kept] = await tx.execute<{ bodyHash: Buffer; location: string | null; body: string | null }>(
    `SELECT body_hash, location, body FROM idempotency_keys
     WHERE owner = $1 AND route = $2 AND key = $3 AND created_utc > now() - ${KEPT}`,
    [key.owner, key.route, key.key],
  );
  if (kept === undefined) return null;
  if (!kept.bodyHash.equals(key.bodyHash)) {
    throw new KeyReused('This Idempotency-Key was used with another body: take a new key for a new request.');
  }
  return new Answer(recordOf(vault.decrypt(kept.body, placeOf(key))), kept.location, true);
}

const KEPT_ANSWER = new NamedValues({
  owner: 'text',
  route: 'text',
  key: 'text',
  bodyHash: 'bytea',
  status: 'integer',
  location: 'text',
  body: 'text',
});
const { $ } = KEPT_ANSWER;

/**
 * Keeps the answer (of a large record only which one it is), encrypted, in the transaction that made it; and lets go of
 * a few that are too old by now.
 */
export async function keepAnswer(
  tx: Transaction,
  vault: Vault,
  key: IdempotentRequest,
  { status, answer }: { status: number; answer: Answer },
): Promise<void> {
  await tx.execute(
    `INSERT INTO idempotency_keys (owner, route, key, body_hash, status, location, body)
     VALUES (${$.owner}, ${$.route}, ${$.key}, ${$.bodyHash}, ${$.status}, ${$.location}, ${$.body})
     ON CONFLICT (owner, route, key) DO UPDATE SET body_hash = excluded.body_hash, status = excluded.status,
       location = excluded.location, body = excluded.body, created_utc = now()`,
    KEPT_ANSWER.values({
      status,
      location: answer.location,
      body: vault.encrypt(storedJson(answer.json), placeOf(key)),
      ...key,
    }),
  );
  await tx.execute(
    `DELETE FROM idempotency_keys WHERE (owner, route, key) IN (
       SELECT owner, route, key FROM idempotency_keys WHERE created_utc < now() - ${KEPT}
       ORDER BY created_utc LIMIT 5 FOR UPDATE SKIP LOCKED)`,
  );
}
