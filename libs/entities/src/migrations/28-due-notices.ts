import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tells the workers of an order that is due, or falls due within a minute, whoever has written it: they look for due orders from a date on, and only
 * once a minute from the beginning (docs/processing.md). The channel of libs/cycles. To the second, so that one statement for many orders makes few
 * notifications: 0 for all that are due already.
 */
const NOTIFY_DUE = `CREATE FUNCTION notify_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('scheduled_orders_due', CASE WHEN NEW.next_occurrence_utc <= now() THEN '0'
    ELSE (extract(epoch FROM date_trunc('second', NEW.next_occurrence_utc)) * 1000)::bigint::text END);
  RETURN NULL;
END $$`;

/** The record of a cycle writes these columns too, but a later date: the condition is all that it costs, and a look at the old row. */
const TRIGGER = `CREATE TRIGGER tr_scheduled_orders_due AFTER INSERT OR UPDATE OF next_occurrence_utc, status, deleted_utc ON scheduled_orders
FOR EACH ROW WHEN (NEW.next_occurrence_utc <= now() + interval '1 minute' AND NEW.status = 'Active' AND NEW.deleted_utc IS NULL)
EXECUTE FUNCTION notify_due()`;

/** Notifications of due orders by the database. */
export class DueNotices1780000000028 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NOTIFY_DUE);
    await runner.query(TRIGGER);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tr_scheduled_orders_due ON scheduled_orders`);
    await runner.query(`DROP FUNCTION notify_due()`);
  }
}
