import { OFTEN_REWRITTEN } from './shared.js';

/** The ledger of cycles, and what waiting cycles wait for. */
export const CYCLES = `
-- One row for each scheduled order and cycle.
CREATE TABLE processing_cycles (
  scheduled_order_id bigint NOT NULL,
  cycle bigint NOT NULL,
  site_id bigint NOT NULL,
  due_utc timestamptz(3) NOT NULL,
  missed_occurrences bigint NOT NULL DEFAULT 0,
  attempt bigint NOT NULL DEFAULT 0,
  payment_failures bigint NOT NULL DEFAULT 0,
  technical_failures bigint NOT NULL DEFAULT 0,
  created_utc timestamptz(3) NOT NULL DEFAULT now(),
  updated_utc timestamptz(3) NOT NULL DEFAULT now(),
  claim bigint NOT NULL DEFAULT 0,
  look_ups bigint NOT NULL DEFAULT 0,
  open boolean NOT NULL,
  retries_exhausted boolean NOT NULL DEFAULT false,
  rescheduled_meanwhile boolean NOT NULL DEFAULT false,
  made_pending boolean NOT NULL DEFAULT false,
  known_to_gateway boolean NOT NULL DEFAULT false,
  prices_mixed boolean NOT NULL DEFAULT false,
  simulated boolean NOT NULL DEFAULT false,
  replaced_utc timestamptz(3),
  waiting_since_utc timestamptz(3),
  lease_until_utc timestamptz(3),
  next_attempt_utc timestamptz(3),
  amount bigint,
  payment_integration_id bigint,
  started_utc timestamptz(3),
  order_id bigint,
  stopped_utc timestamptz(3),
  replayed_utc timestamptz(3),
  rates_version bigint,
  order_cycles bigint,
  ended_utc timestamptz(3),
  occurred_utc timestamptz(3),
  begun_utc timestamptz(3),
  failure_code integer,
  held_for integer,
  state varchar(16) NOT NULL,
  worker varchar(64),
  currency_iso varchar(3),
  payment_method_type varchar(16),
  gateway_customer_id varchar(255),
  gateway_payment_id varchar(255),
  credentials_fingerprint varchar(64),
  idempotency_key varchar(255),
  frozen jsonb,
  past_attempts jsonb,
  resolution varchar(16),
  gateway_transaction_id varchar(255),
  failure_message text,
  fixed_totals varchar(32),
  unit_prices text,
  CONSTRAINT pk_processing_cycles PRIMARY KEY (scheduled_order_id, cycle),
  CONSTRAINT ck_processing_cycles_completed CHECK (state <> 'Completed' OR order_id IS NOT NULL),
  CONSTRAINT ck_processing_cycles_open
    CHECK (open = (state IN ('Claimed', 'Charging', 'Unknown', 'Retrying', 'Waiting'))),
  CONSTRAINT ck_processing_cycles_state
    CHECK (state IN ('Claimed', 'Charging', 'Unknown', 'Retrying', 'Waiting', 'Completed', 'Skipped', 'Failed'))
) WITH (${OFTEN_REWRITTEN});
CREATE UNIQUE INDEX uq_processing_cycles_open ON processing_cycles (scheduled_order_id) WHERE open;
CREATE INDEX ix_processing_cycles_waiting ON processing_cycles (site_id, payment_method_type, scheduled_order_id)
  WHERE open AND waiting_since_utc IS NOT NULL;
-- Lists and reports of what failed or was skipped. Recording a charged order writes none of their entries.
CREATE INDEX ix_processing_cycles_failure ON processing_cycles (site_id, open, failure_code, scheduled_order_id, cycle)
  WHERE failure_code IS NOT NULL;
CREATE INDEX ix_processing_cycles_ended ON processing_cycles (site_id, coalesce(ended_utc, due_utc))
  WHERE NOT open AND (ended_utc IS NOT NULL OR failure_code IS NOT NULL OR order_id IS NULL);
-- Real and simulated cycles apart, as with ix_scheduled_orders_due.
CREATE INDEX ix_processing_cycles_next_attempt ON processing_cycles (next_attempt_utc, scheduled_order_id)
  WHERE open AND next_attempt_utc IS NOT NULL AND NOT simulated;
CREATE INDEX ix_processing_cycles_simulated ON processing_cycles (site_id, next_attempt_utc) WHERE open AND simulated;

-- Where cycles:archive puts old cycles.
CREATE TABLE archived_cycles (
  scheduled_order_id bigint NOT NULL,
  last_cycle bigint NOT NULL,
  site_id bigint NOT NULL,
  created_utc timestamptz(3) NOT NULL DEFAULT now(),
  first_ended_utc timestamptz(3),
  last_ended_utc timestamptz(3),
  cycles jsonb NOT NULL,
  CONSTRAINT pk_archived_cycles PRIMARY KEY (scheduled_order_id, last_cycle),
  CONSTRAINT fk_archived_cycles_scheduled_order_id FOREIGN KEY (scheduled_order_id) REFERENCES scheduled_orders (id)
);
CREATE INDEX ix_archived_cycles_ended ON archived_cycles (site_id, last_ended_utc, first_ended_utc)
  WHERE last_ended_utc IS NOT NULL;

-- One row for each integration that cycles wait for, instead of a time of its own for every cycle.
CREATE TABLE integration_waits (
  site_id bigint NOT NULL,
  payment_method_type varchar(16) NOT NULL,
  last_probed_order bigint NOT NULL DEFAULT 0,
  wrong_account boolean NOT NULL DEFAULT false,
  simulated boolean NOT NULL DEFAULT false,
  waiting_since_utc timestamptz(3),
  next_probe_utc timestamptz(3),
  written_utc timestamptz(3),
  missing jsonb NOT NULL DEFAULT '[]',
  cleared_fingerprint varchar(64),
  CONSTRAINT pk_integration_waits PRIMARY KEY (site_id, payment_method_type)
);
CREATE INDEX ix_integration_waits_next_probe ON integration_waits (next_probe_utc)
  WHERE next_probe_utc IS NOT NULL AND NOT simulated;

-- Foreign keys of the tables that every cycle writes, kept without checking them (PostgreSQL 18 and newer): each check
-- costs a read and a lock. The statements that write these rows read the rows that they refer to in the same
-- transaction, and those rows are never deleted, only marked. check:database proves it.
DO $$
DECLARE
  key record;
BEGIN
  IF current_setting('server_version_num')::int < 180000 THEN RETURN; END IF;
  FOR key IN SELECT * FROM (VALUES ('processing_cycles', 'scheduled_order_id', 'scheduled_orders'),
    ('order_pushes', 'scheduled_order_id', 'scheduled_orders'),
    ('orders', 'scheduled_order_id', 'scheduled_orders'), ('orders', 'customer_id', 'customers'), ('orders', 'site_id', 'sites'),
    ('order_items', 'order_id', 'orders'), ('order_items', 'product_id', 'products')) AS k (of_table, of_column, referred)
  LOOP
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I FOREIGN KEY (%I) REFERENCES %I (id) NOT ENFORCED',
      key.of_table, 'fk_' || key.of_table || '_' || key.of_column, key.of_column, key.referred);
  END LOOP;
END $$;
`;
