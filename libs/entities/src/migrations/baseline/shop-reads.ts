/** What comes back from a site's shop. */
export const SHOP_READS = `
-- How far the changes of a shop are read. places: where each list goes on, by the shop's clock.
CREATE TABLE shop_reads (
  site_id bigint NOT NULL,
  next_read_utc timestamptz(3) NOT NULL DEFAULT now(),
  failures bigint NOT NULL DEFAULT 0,
  look_at_once boolean NOT NULL DEFAULT false,
  lease_until_utc timestamptz(3),
  worker varchar(64),
  places jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT pk_shop_reads PRIMARY KEY (site_id),
  CONSTRAINT fk_shop_reads_site_id FOREIGN KEY (site_id) REFERENCES sites (id)
);
CREATE INDEX ix_shop_reads_next ON shop_reads (next_read_utc);
CREATE INDEX ix_shop_reads_at_once ON shop_reads (site_id) WHERE look_at_once OR worker IS NOT NULL;

-- What hooks have hinted at, until it is read again.
CREATE TABLE shop_hints (
  site_id bigint NOT NULL,
  kind varchar(16) NOT NULL,
  record_id bigint NOT NULL,
  hinted_utc timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_shop_hints PRIMARY KEY (site_id, kind, record_id),
  CONSTRAINT fk_shop_hints_site_id FOREIGN KEY (site_id) REFERENCES sites (id),
  CONSTRAINT ck_shop_hints_kind CHECK (kind IN ('Order', 'Product'))
);

CREATE TABLE product_imports (
  site_id bigint NOT NULL,
  started_utc timestamptz(3) NOT NULL DEFAULT now(),
  read bigint NOT NULL DEFAULT 0,
  created bigint NOT NULL DEFAULT 0,
  total bigint,
  ended_utc timestamptz(3),
  state varchar(16) NOT NULL DEFAULT 'Running',
  message varchar(1000),
  place jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT pk_product_imports PRIMARY KEY (site_id),
  CONSTRAINT fk_product_imports_site_id FOREIGN KEY (site_id) REFERENCES sites (id),
  CONSTRAINT ck_product_imports_state CHECK (state IN ('Running', 'Done'))
);
`;
