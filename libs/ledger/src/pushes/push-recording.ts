/** Why an Order is not pushed by itself, where another one of its occurrence was recorded before it. */
const ANOTHER = 'Another Order of the same occurrence was recorded before this one: a person decides.';

/**
 * SQL, for the statement that records completed cycles (rows `w`: id, cycle, site_id, order_id, push_name,
 * may_be_pushed): their Orders are to arrive in the shops of those sites that push. Nothing of it may keep a charge
 * from being recorded. pk_site_shops, uq_order_pushes_name.
 */
export const insertPushesSql = (rows: string): string => `
  INSERT INTO order_pushes (site_id, scheduled_order_id, cycle, order_id, push_name, state, message, next_attempt_utc, looks_up_first)
  SELECT w.site_id, w.id, w.cycle, w.order_id, CASE WHEN t.cycle IS NULL THEN w.push_name ELSE w.push_name || '-' || w.cycle END,
    CASE WHEN t.cycle IS NULL THEN 'Waiting' ELSE 'Differs' END, CASE WHEN t.cycle IS NOT NULL THEN '${ANOTHER}' END,
    CASE WHEN t.cycle IS NULL THEN now() END, w.may_be_pushed
  FROM ${rows} w JOIN site_shops h ON h.site_id = w.site_id AND h.push
    LEFT JOIN order_pushes t ON t.site_id = w.site_id AND t.push_name = w.push_name
  ON CONFLICT DO NOTHING
  RETURNING site_id`;

/**
 * SQL: whether the charge of cycle `c` was not plainly made just now, so that its Order may be in the shop already,
 * from before commits were lost.
 */
export const mayBePushedSql = `c.state = 'Unknown' OR c.look_ups > 0 OR c.known_to_gateway OR c.replayed_utc IS NOT NULL`;
