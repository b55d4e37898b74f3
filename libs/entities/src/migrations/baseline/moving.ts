/** Subscriptions that were moved in from another shop. */
export const MOVING = `
-- Where each came from, what the check compares, and what a person has decided about those that it held.
CREATE TABLE migrated_subscriptions (
  scheduled_order_id bigint NOT NULL,
  site_id bigint NOT NULL,
  exported_utc timestamptz(3) NOT NULL,
  imported_utc timestamptz(3) NOT NULL DEFAULT now(),
  next_payment_utc timestamptz(3),
  checked_utc timestamptz(3),
  live_utc timestamptz(3),
  source_total bigint,
  paid_utc timestamptz(3),
  accounted_utc timestamptz(3),
  kept_date_utc timestamptz(3),
  source varchar(32) NOT NULL,
  source_id varchar(255) NOT NULL,
  source_status varchar(32) NOT NULL,
  payment_method_type varchar(16),
  gateway_customer_id varchar(255),
  gateway_card_id varchar(255),
  state varchar(16) NOT NULL DEFAULT 'Imported',
  reason varchar(2000),
  CONSTRAINT pk_migrated_subscriptions PRIMARY KEY (scheduled_order_id),
  CONSTRAINT fk_migrated_subscriptions_scheduled_order_id
    FOREIGN KEY (scheduled_order_id) REFERENCES scheduled_orders (id),
  CONSTRAINT ck_migrated_subscriptions_payment_method_type
    CHECK (payment_method_type IN ('GatewayOne', 'GatewayTwo')),
  CONSTRAINT ck_migrated_subscriptions_state CHECK (state IN ('Imported', 'Manual', 'Passed', 'Held', 'Live'))
);
CREATE UNIQUE INDEX uq_migrated_subscriptions_source ON migrated_subscriptions (site_id, source, source_id);
CREATE INDEX ix_migrated_subscriptions_state ON migrated_subscriptions (site_id, state, scheduled_order_id);
-- Finds a subscription that was moved into two sites.
CREATE INDEX ix_migrated_subscriptions_subscription ON migrated_subscriptions (source, source_id, gateway_customer_id);
`;
