import type { TestDatabase } from '../support/database.js';
import type { Capture } from '../support/gateways/ledger.js';
import { until } from '../support/until.js';
import { createWorker, type WorkerEnvironment } from '../support/worker.js';
import type { Find } from './check.js';
import type { GivenBack } from './dashboards.js';
import type { Shop } from './shops.js';

const KIND = { refund: 'RefundUnseen', void: 'Voided', dispute: 'DisputeUnseen' } as const;

const ALL_DUE = `INSERT INTO integration_audits AS a (payment_integration_id, checked_until_utc, next_audit_utc, audited_utc, sent_utc)
  SELECT i.id, now() - interval '1 day', now(), now(), now() FROM payment_integrations i WHERE i.deleted_utc IS NULL
  ON CONFLICT (payment_integration_id) DO UPDATE SET checked_until_utc = excluded.checked_until_utc, next_audit_utc = now(),
    sent_utc = now(), lease_until_utc = NULL`;
const NOT_DONE = `UPDATE integration_audits a SET next_audit_utc = now(), lease_until_utc = NULL FROM payment_integrations i
  WHERE i.id = a.payment_integration_id AND i.deleted_utc IS NULL AND a.checked_until_utc < now() - interval '12 hours' RETURNING i.id`;

/**
 * Has every integration audited once, over the whole run: the workers of the run live shorter than an audit waits for.
 */
export async function auditAll(database: TestDatabase, env: WorkerEnvironment): Promise<void> {
  await database.query(ALL_DUE);
  const worker = createWorker(database, { ...env, GATEWAY_LIST_LAG: 'PT0S' });
  try {
    await until(async () => {
      await worker.drain();
      return (await database.query(`WITH n AS (${NOT_DONE}) SELECT FROM n`)).length === 0;
    });
  } finally {
    await worker.end();
  }
}

export interface AuditParts {
  readonly captures: readonly Capture[];
  readonly givenBack: readonly GivenBack[];
  readonly shopOf: ReadonlyMap<number, Shop>;
  readonly find: Find;
}

/**
 * What was given back of charges that have Orders is a difference, each once; nothing else is one that is open. What
 * was charged with another account's credentials, which the integration no longer has, the audit cannot see. What is in
 * the shops is judged by their own books (check-pushes).
 */
export async function checkAudit(database: TestDatabase, parts: AuditParts): Promise<void> {
  const { captures, givenBack, shopOf, find } = parts;
  const rows = await database.query<{ kind: string; id: string; transaction: string }>(
    `SELECT kind, scheduled_order_id AS id, gateway_transaction_id AS transaction FROM payment_differences
     WHERE state = 'Open' AND kind NOT LIKE '%InShop'`,
  );
  const byId = new Map(captures.map((capture) => [capture.transactionId, capture]));
  const seen = new Set(rows.map(({ kind, transaction }) => `${kind} ${transaction}`));
  const expected = new Set(givenBack.map(({ as, transactionId }) => `${KIND[as]} ${transactionId}`));
  for (const { kind, id, transaction } of rows)
    if (!expected.has(`${kind} ${transaction}`)) find('other', id, `the audit says ${kind} of ${transaction}`);
  for (const { as, transactionId } of givenBack) {
    const capture = byId.get(transactionId);
    if (!capture || capture.account !== shopOf.get(capture.scheduledOrderId)?.account) continue;
    if (!seen.has(`${KIND[as]} ${transactionId}`))
      find('other', capture.scheduledOrderId, `the audit did not see that ${transactionId} met a ${as}`);
  }
}
