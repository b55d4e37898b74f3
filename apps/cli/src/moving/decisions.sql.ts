/** Whether a person has said of the order `o` of the move `m` that its next date is not paid. Another date has to be decided about again. */
export const KEEPS_DATE = `coalesce(m.kept_date_utc = o.next_occurrence_utc, false)`;

/** Whether somebody has made the order `o` Active or Paused here: the import alone logs neither. ix_action_logs_order. */
export const DECIDED_HERE = `EXISTS (SELECT FROM action_logs a
  WHERE a.scheduled_order_id = o.id AND a.action_type IN ('PauseScheduledOrder', 'ActivateScheduledOrder'))`;
