import { occurredSql, siteClockSql } from '#libs/entities';
import { listensSql, OUTBOX_COLUMNS, WAKE_SQL } from '#libs/events';

/** SQL fragments that write the events that the processor publishes, for sites that listen. */

/**
 * SQL, for the SELECT of a statement whose INSERT of events is called `published`: wakes the workers once, if it wrote
 * anything. (Citus allows no volatile function in RETURNING, and passes no `void` on.)
 */
export const WAKE_IF_PUBLISHED = `(SELECT ${WAKE_SQL}::text FROM published LIMIT 1) AS woken`;

/** For the rows of completed cycles: what had been unknown is settled, the cycle is processed, its Order is written. */
export const insertCompletedSql = (rows: string): string => `
  INSERT INTO outbox (${OUTBOX_COLUMNS})
  SELECT w.site_id, w.id, t.type, CASE WHEN t.position = 2 THEN w.event_log_id END, t.facts, ${occurredSql('w')}
  FROM ${rows} w
  CROSS JOIN LATERAL (SELECT jsonb_build_object('Cycle', w.cycle, 'Amount', w.paid_amount, 'CurrencyIso', w.paid_currency) AS paid OFFSET 0) p
  CROSS JOIN LATERAL (VALUES
    (1, 'scheduled_order.outcome_settled', p.paid || '{"Charged": true}'),
    (2, 'scheduled_order.processed', p.paid || jsonb_build_object('OrderId', w.order_id)),
    (3, 'order.created', p.paid || jsonb_build_object('OrderId', w.order_id))) t (position, type, facts)
  WHERE ${listensSql('w.site_id', rows)} AND (t.position > 1 OR w.was_unknown)
  ORDER BY w.id, t.position
  RETURNING site_id`;

/** For the rows of attempts that did not complete their cycle, with `published` as RECORD_FAILED_ATTEMPTS takes it. */
export const insertPublishedSql = (rows: string): string => `
  INSERT INTO outbox (${OUTBOX_COLUMNS})
  SELECT w.site_id, w.id, t.value ->> 0, CASE WHEN (t.value ->> 1)::boolean THEN w.event_log_id END, (t.value -> 2)::jsonb, ${occurredSql('w')}
  FROM ${rows} w
  CROSS JOIN LATERAL json_array_elements(w.published) WITH ORDINALITY t (value, position)
  WHERE ${listensSql('w.site_id', rows)}
  ORDER BY w.id, t.position
  RETURNING site_id`;

/** For orders that were taken back to wait for their integration. */
export const insertWaitingSql = (rows: string, failureCode: number): string => `
  INSERT INTO outbox (${OUTBOX_COLUMNS})
  SELECT w.site_id, w.id, 'scheduled_order.waiting', w.event_log_id, jsonb_build_object('Cycle', w.cycle, 'FailureCode', ${failureCode}), ${occurredSql('w')}
  FROM ${rows} w
  WHERE ${listensSql('w.site_id', rows)}
  ORDER BY w.id
  RETURNING site_id`;

/** uq_payment_integrations_type. */
const INTEGRATION = `LEFT JOIN payment_integrations i
    ON i.site_id = w.site_id AND i.payment_method_type = w.payment_method_type AND i.deleted_utc IS NULL`;

/** For integrations that orders begin to wait for. */
export const insertRefusedSql = (rows: string): string => `
  INSERT INTO outbox (${OUTBOX_COLUMNS})
  SELECT w.site_id, NULL::bigint, 'payment_integration.refused', NULL::uuid,
    jsonb_strip_nulls(jsonb_build_object('PaymentIntegrationId', i.id, 'PaymentMethodType', w.payment_method_type, 'Reason',
      CASE WHEN i.id IS NULL THEN 'Missing' WHEN w.is_wrong_account THEN 'WrongAccount' ELSE 'Refused' END)), ${siteClockSql('w.site_id')}
  FROM ${rows} w ${INTEGRATION}
  WHERE ${listensSql('w.site_id', rows)}
  RETURNING site_id`;

/** For integrations that nothing waits for any more. */
export const insertRecoveredSql = (rows: string): string => `
  INSERT INTO outbox (${OUTBOX_COLUMNS})
  SELECT w.site_id, NULL::bigint, 'payment_integration.recovered', NULL::uuid,
    jsonb_strip_nulls(jsonb_build_object('PaymentIntegrationId', i.id, 'PaymentMethodType', w.payment_method_type)), ${siteClockSql('w.site_id')}
  FROM ${rows} w ${INTEGRATION}
  WHERE ${listensSql('w.site_id', rows)}
  RETURNING site_id`;
