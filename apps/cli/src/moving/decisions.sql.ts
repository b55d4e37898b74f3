/**
 * Whether a person has said of the order `o` of the move `m` that its next date is not paid. Another date has to be
 * decided about again.
 */
export const KEEPS_DATE = `coalesce(m.kept_date_utc = o.next_occurrence_utc, false)`;

/**
 * Whether somebody has made the order `o` Active or Paused here: the import alone logs neither. ix_action_logs_order.
 */
export const DECIDED_HERE = `EXISTS (SELECT FROM action_logs a
  WHERE a.scheduled_order_id = o.id AND a.action_type IN ('PauseScheduledOrder', 'ActivateScheduledOrder'))`;

/**
 * The order of another site that is charged for the same subscription as the move `m`, or that soon may be: null when
 * there is none. The same is known by its id in the shop and its customer at the gateway, for two shops may have equal
 * ids. ix_migrated_subscriptions_subscription.
 */
export const LIVE_ELSEWHERE = `(SELECT json_build_object('siteId', e.site_id, 'id', e.scheduled_order_id) FROM migrated_subscriptions e
  JOIN scheduled_orders eo ON eo.id = e.scheduled_order_id
  WHERE e.source = m.source AND e.source_id = m.source_id AND e.site_id <> m.site_id AND e.payment_method_type = m.payment_method_type
    AND e.gateway_customer_id = m.gateway_customer_id AND eo.deleted_utc IS NULL AND (e.state = 'Live' OR eo.status = 'Active')
  ORDER BY e.scheduled_order_id LIMIT 1)`;
