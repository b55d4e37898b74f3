import type pg from 'pg';

const CHUNK = 5_000;

/** ix_processing_cycles_next_attempt. $1 site, $2 type, $3 limit. */
const WAKE_WAITING = `WITH waiting AS (
  SELECT c.scheduled_order_id, c.cycle
  FROM processing_cycles c
  WHERE c.open AND c.next_attempt_utc > now() AND c.site_id = $1 AND c.payment_method_type = $2 AND c.failure_code = 1003
  ORDER BY c.next_attempt_utc, c.scheduled_order_id
  LIMIT $3
  FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE processing_cycles c SET next_attempt_utc = now(), updated_utc = now()
FROM waiting w
WHERE c.scheduled_order_id = w.scheduled_order_id AND c.cycle = w.cycle`;

/** A charge has shown that the integration works: whatever waits for it is tried now. */
export async function wakeWaiting(pool: pg.Pool, siteId: number, paymentMethodType: string): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query({
      text: WAKE_WAITING,
      values: [siteId, paymentMethodType, CHUNK],
    });
    if ((rowCount ?? 0) < CHUNK) return;
  }
}
