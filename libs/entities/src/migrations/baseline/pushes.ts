import { OFTEN_REWRITTEN } from './shared.js';

/** The ledger of pushes: what is to arrive in a site's shop. */
export const PUSHES = `
-- One row for each Order of a site that pushes. Written several times in a short time, and then no more.
CREATE TABLE order_pushes (
  scheduled_order_id bigint NOT NULL,
  cycle bigint NOT NULL,
  site_id bigint NOT NULL,
  order_id bigint NOT NULL,
  created_utc timestamptz(3) NOT NULL DEFAULT now(),
  updated_utc timestamptz(3) NOT NULL DEFAULT now(),
  attempts bigint NOT NULL DEFAULT 0,
  claim bigint NOT NULL DEFAULT 0,
  found_nothing bigint NOT NULL DEFAULT 0,
  sends bigint NOT NULL DEFAULT 0,
  looks_up_first boolean NOT NULL DEFAULT false,
  is_linked boolean NOT NULL DEFAULT false,
  next_attempt_utc timestamptz(3),
  lease_until_utc timestamptz(3),
  sent_utc timestamptz(3),
  push_name varchar(64) NOT NULL,
  state varchar(16) NOT NULL DEFAULT 'Waiting',
  shop_order_id varchar(255),
  shop_order_number varchar(255),
  ended_in_shop varchar(16),
  shop_total numeric(20,4),
  lines_that_differ jsonb,
  removing_twins jsonb NOT NULL DEFAULT '[]',
  message varchar(1000),
  CONSTRAINT pk_order_pushes PRIMARY KEY (scheduled_order_id, cycle),
  CONSTRAINT ck_order_pushes_state CHECK (state IN ('Waiting', 'Sending', 'Unknown', 'Pushed', 'Differs', 'Failed')),
  CONSTRAINT ck_order_pushes_ended CHECK (ended_in_shop IN ('Cancelled', 'Refunded', 'Trashed', 'Deleted')),
  CONSTRAINT ck_order_pushes_sent CHECK (state NOT IN ('Sending', 'Unknown') OR sent_utc IS NOT NULL)
) WITH (${OFTEN_REWRITTEN}, fillfactor = 50);
-- Two Orders of one name would be one order in the shop.
CREATE UNIQUE INDEX uq_order_pushes_name ON order_pushes (site_id, push_name);
CREATE UNIQUE INDEX uq_order_pushes_order ON order_pushes (site_id, order_id);
CREATE INDEX ix_order_pushes_state ON order_pushes (site_id, state, order_id);
CREATE INDEX ix_order_pushes_due ON order_pushes (site_id, next_attempt_utc) WHERE next_attempt_utc IS NOT NULL;
-- The shop has the order, and perhaps nobody has paid it there: these go before all others.
CREATE INDEX ix_order_pushes_unpaid ON order_pushes (site_id, next_attempt_utc)
  WHERE next_attempt_utc IS NOT NULL AND shop_order_id IS NOT NULL AND state IN ('Waiting', 'Sending', 'Unknown');
CREATE INDEX ix_order_pushes_leased ON order_pushes (site_id) WHERE lease_until_utc IS NOT NULL;
`;
