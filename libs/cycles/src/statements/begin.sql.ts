import { here, siteClockSql } from '#libs/entities';

/**
 * Begins the cycles of orders that this transaction has locked (LOCK_DUE, LOCK_SHARES). A cycle with an idempotency key is frozen from the beginning:
 * state `Charging`, with all that is about to be charged. One without is only `Claimed`. The orders themselves are not changed.
 *
 * When two workers race, the second one's row is left out: whoever writes cycles locks their order, and this statement begins after the lock was
 * taken, so it sees them. (`ON CONFLICT` would do that too, but it writes each row in two steps, and logs both.) pk_processing_cycles,
 * uq_processing_cycles_open.
 *
 * $1 worker, $2 lease ms, $3 generation and $4 log position of the database that the worker knows, $5 sites, $6 order ids, $7 cycles, $8 due, $9
 * replaced, $10 payment method types, $11 the ids of the future Orders; of the frozen ones (else null): $12 amounts, $13 currencies, $14 gateway
 * customer ids, $15 gateway payment ids, $16 integration ids, $17 fingerprints, $18 idempotency keys, $19 the future Orders, as JSON, $20 versions of rates, $21
 * cycles of the orders, $22 fixed totals, $23 unit prices; $24 whether the site is simulated.
 */
export const BEGIN_CYCLES = `INSERT INTO processing_cycles AS c
    (site_id, scheduled_order_id, cycle, state, open, due_utc, replaced_utc, payment_method_type, order_id, worker, lease_until_utc, claim, attempt,
     amount, currency_iso, gateway_customer_id, gateway_payment_id, payment_integration_id, credentials_fingerprint, idempotency_key, frozen,
     rates_version, order_cycles, fixed_totals, unit_prices, started_utc, simulated, begun_utc)
  SELECT b.site_id, b.id, b.cycle, CASE WHEN b.key IS NULL THEN 'Claimed' ELSE 'Charging' END, true, b.due_utc, b.replaced_utc, b.type, b.order_id,
    $1, now() + $2 * interval '1 millisecond', 1, CASE WHEN b.key IS NULL THEN 0 ELSE 1 END,
    b.amount, b.currency_iso, b.gateway_customer_id, b.gateway_payment_id, b.integration_id, b.fingerprint, b.key, b.frozen,
    b.rates_version, b.order_cycles, b.fixed_totals, b.unit_prices, CASE WHEN b.key IS NOT NULL THEN now() END, $24, CASE WHEN $24 THEN ${siteClockSql('b.site_id')} END
  FROM unnest($5::bigint[], $6::bigint[], $7::bigint[], $8::timestamptz[], $9::timestamptz[], $10::text[], $11::bigint[],
    $12::bigint[], $13::text[], $14::text[], $15::text[], $16::bigint[], $17::text[], $18::text[], $19::jsonb[],
    $20::bigint[], $21::bigint[], $22::text[], $23::text[])
    AS b (site_id, id, cycle, due_utc, replaced_utc, type, order_id,
      amount, currency_iso, gateway_customer_id, gateway_payment_id, integration_id, fingerprint, key, frozen,
      rates_version, order_cycles, fixed_totals, unit_prices)
  WHERE ${here('$3', '$4')}
    AND NOT EXISTS (SELECT FROM processing_cycles p WHERE p.scheduled_order_id = b.id AND p.cycle = b.cycle)
    AND NOT EXISTS (SELECT FROM processing_cycles p WHERE p.scheduled_order_id = b.id AND p.open)
  RETURNING c.scheduled_order_id`;
