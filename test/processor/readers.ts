import type { TestDatabase } from '../support/database.js';

export interface CycleRow {
  cycle: string;
  state: string;
  attempt: string;
  next_attempt_utc: Date | null;
  due_utc: Date;
  past_attempts: { Attempt: number; FailureCode: number; Amount: number }[] | null;
  order_id: string;
  idempotency_key: string;
  gateway_transaction_id: string | null;
  worker: string | null;
}

export interface OrderRow {
  status: string;
  next_occurrence_utc: Date;
  schedule_anchor_utc: Date;
}

/** What tests read of an order, and how they let its time come. */
export function readers(database: TestDatabase) {
  const one = async <T>(sql: string, id: number): Promise<T> => (await database.query<T>(sql, [id]))[0]!;
  return {
    cycleOf: (id: number) =>
      one<CycleRow>(`SELECT * FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle DESC LIMIT 1`, id),
    orderOf: (id: number) => one<OrderRow>(`SELECT * FROM scheduled_orders WHERE id = $1`, id),
    statesOf: async (id: number) =>
      (
        await database.query<{ state: string }>(
          `SELECT state FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle`,
          [id],
        )
      ).map(({ state }) => state),
    /** How sentences name the occurrence of the newest cycle: `The occurrence of 2026-05-15 09:00 UTC`. */
    occurrenceOf: async (id: number) =>
      (
        await one<{ words: string }>(
          `SELECT to_char(due_utc AT TIME ZONE 'UTC', '"The occurrence of "YYYY-MM-DD HH24:MI" UTC"') AS words
           FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle DESC LIMIT 1`,
          id,
        )
      ).words,
    /** Newest first. */
    eventsOf: (id: number) =>
      database.query<{ event_type: string; description: string }>(
        `SELECT event_type, description FROM event_logs e WHERE scheduled_order_id = $1 ORDER BY e.id DESC`,
        [id],
      ),
    errorsOf: (id: number) =>
      database.query(
        `SELECT description, exception_info, jsonb_build_object('Id', site -> 'Id', 'ApiKey1', site -> 'ApiKey1') AS site,
           jsonb_build_object('Id', entity -> 'Id', 'Status', entity -> 'Status') AS entity
         FROM error_logs e WHERE scheduled_order_id = $1 ORDER BY e.id DESC`,
        [id],
      ),
    /** When the integration of an order's site is probed next; null when nothing waits for it. */
    probeOf: async (siteId: number, type = 'GatewayOne') =>
      (
        await database.query<{ next_probe_utc: Date | null }>(
          `SELECT next_probe_utc FROM integration_waits WHERE site_id = $1 AND payment_method_type = $2`,
          [siteId, type],
        )
      )[0]?.next_probe_utc ?? null,
    /** The time of its next probe has come. */
    probeComes: (siteId: number) =>
      database.query(
        `UPDATE integration_waits SET next_probe_utc = now() WHERE site_id = $1 AND next_probe_utc > now()`,
        [siteId],
      ),
    /** The time of the next try or check has come. */
    comeDue: async (id: number) => {
      await database.query(
        `UPDATE scheduled_orders s SET next_occurrence_utc = now() FROM processing_cycles c
         WHERE s.id = $1 AND c.scheduled_order_id = s.id AND c.open AND c.next_attempt_utc = s.next_occurrence_utc`,
        [id],
      );
      await database.query(
        `UPDATE processing_cycles SET next_attempt_utc = now() WHERE scheduled_order_id = $1 AND open AND next_attempt_utc IS NOT NULL`,
        [id],
      );
    },
  };
}
