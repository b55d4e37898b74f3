/** Tables whose rows are kept as they were. */
const RATES = ['shipping_rates', 'tax_rates', 'site_settings'];

/** Of these tables only some columns are part of a price. */
const CLASSES = { products: ['shipping_class', 'tax_class'], customers: ['tax_exempt'] };

const ROWS = {
  INSERT: 'REFERENCING NEW TABLE AS new_rows',
  UPDATE: 'REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows',
  DELETE: 'REFERENCING OLD TABLE AS old_rows',
  TRUNCATE: '',
} as const;

/** Once per statement, however many rows it writes. Triggers of a statement run in the order of their names. */
const triggers = (table: string, suffix: string, name: string, truncate: 'BEFORE' | 'AFTER' = 'AFTER') =>
  Object.entries(ROWS)
    .map(
      ([event, rows]) => `
CREATE TRIGGER tr_${table}_${event.toLowerCase()}${suffix} ${event === 'TRUNCATE' ? truncate : 'AFTER'} ${event} ON ${table} ${rows}
  FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`,
    )
    .join('');

const TABLES = `
-- rates: how many there are, so that a quota costs the same for any number.
CREATE TABLE rate_versions (
  site_id bigint NOT NULL,
  version bigint NOT NULL,
  changed_utc timestamptz(3) NOT NULL,
  rates bigint NOT NULL DEFAULT 0,
  CONSTRAINT pk_rate_versions PRIMARY KEY (site_id),
  CONSTRAINT fk_rate_versions_site_id FOREIGN KEY (site_id) REFERENCES sites (id)
);

-- A row as it was until that version. Nothing is written for a row that is as it was since the first version.
CREATE TABLE price_history (
  site_id bigint NOT NULL,
  kind varchar(63) NOT NULL,
  record_id bigint NOT NULL,
  until_version bigint NOT NULL,
  place text,
  record jsonb,
  CONSTRAINT pk_price_history PRIMARY KEY (site_id, kind, record_id, until_version),
  CONSTRAINT fk_price_history_site_id FOREIGN KEY (site_id) REFERENCES sites (id)
);
CREATE INDEX ix_price_history_place ON price_history (site_id, kind, place) WHERE place IS NOT NULL;

-- Which rates came with a version: an import writes thousands, and their ids follow one another.
CREATE TABLE price_insertions (
  site_id bigint NOT NULL,
  kind varchar(63) NOT NULL,
  version bigint NOT NULL,
  ids int8multirange NOT NULL,
  CONSTRAINT pk_price_insertions PRIMARY KEY (site_id, kind, version),
  CONSTRAINT fk_price_insertions_site_id FOREIGN KEY (site_id) REFERENCES sites (id)
);
`;

/**
 * The sites in order, so that two statements that write rates of the same sites wait for each other and do not lock
 * each other out. With the search path of the migration: a restore of data alone has none.
 */
const RAISE_RATE_VERSIONS = `
CREATE FUNCTION raise_rate_versions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  written bigint[];
  at timestamptz(3) := clock_timestamp();
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT site_id) INTO written FROM new_rows;
  ELSIF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT site_id) INTO written FROM (SELECT site_id FROM new_rows UNION ALL SELECT site_id FROM old_rows) both_of_them;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT site_id) INTO written FROM old_rows;
  ELSE
    UPDATE rate_versions SET version = version + 1, changed_utc = at;
    RETURN NULL;
  END IF;
  INSERT INTO rate_versions AS known (site_id, version, changed_utc)
  SELECT site_id, 1, at FROM (SELECT DISTINCT unnest(written) AS site_id ORDER BY 1) sites
  ON CONFLICT (site_id) DO UPDATE SET version = known.version + 1, changed_utc = at;
  RETURN NULL;
END $$;
${RATES.map((table) => triggers(table, '', 'raise_rate_versions')).join('')}
`;

const COUNTED = ['shipping_rates', 'tax_rates'];

const counted = (rows: string, each: number) => `SELECT site_id, ${each} AS n FROM ${rows} WHERE deleted_utc IS NULL`;

const add = (rows: string) => `UPDATE rate_versions v SET rates = v.rates + c.more
    FROM (SELECT site_id, sum(n) AS more FROM (${rows}) r GROUP BY site_id HAVING sum(n) <> 0) c WHERE v.site_id = c.site_id`;

const COUNT_ALL = `UPDATE rate_versions v SET rates =
    ${COUNTED.map((table) => `(SELECT count(*) FROM ${table} r WHERE r.site_id = v.site_id AND r.deleted_utc IS NULL)`).join(' + ')}`;

/**
 * Runs after the trigger that raises the version: triggers of a statement run in the order of their names. That trigger
 * has made and locked the row, so the number is exact.
 */
const COUNT_RATES = `
CREATE FUNCTION count_rates() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    ${add(counted('new_rows', 1))};
  ELSIF TG_OP = 'UPDATE' THEN
    ${add(`${counted('new_rows', 1)} UNION ALL ${counted('old_rows', -1)}`)};
  ELSIF TG_OP = 'DELETE' THEN
    ${add(counted('old_rows', -1))};
  ELSE
    ${COUNT_ALL};
  END IF;
  RETURN NULL;
END $$;
${COUNTED.map((table) => triggers(table, '_count', 'count_rates')).join('')}
`;

/** A row without what no price depends on. */
const record = (row: string) => `to_jsonb(${row}) - '{created_utc,updated_utc}'::text[]`;

/** A site has one row of settings, without an id of its own. */
const ID = `coalesce((o.record ->> 'id')::bigint, o.site_id)`;

/** Exactly the expression of `ix_shipping_rates_place` and `ix_tax_rates_place`. */
const PLACE = `CASE WHEN TG_TABLE_NAME <> 'site_settings'
    THEN place_key(o.record ->> 'country', o.record ->> 'state', o.record ->> 'city', o.record ->> 'postcode') END`;

/**
 * A table that was restored without the others may count on from an earlier version: a write of rates must not fail
 * because of that.
 */
const REPLACED = `ON CONFLICT (site_id, kind, record_id, until_version) DO UPDATE SET place = excluded.place, record = excluded.record`;

const keep = (
  rows: string,
  version: string,
) => `INSERT INTO price_history (site_id, kind, record_id, until_version, place, record)
    SELECT o.site_id, TG_TABLE_NAME, ${ID}, ${version}, ${PLACE}, jsonb_strip_nulls(o.record)
    FROM (${rows}) o JOIN rate_versions v ON v.site_id = o.site_id
    ${REPLACED}`;

/**
 * Runs after the trigger that raises the version: triggers of a statement run in the order of their names. That trigger
 * has locked the row of the version, so the version that is read here is the statement's own. A TRUNCATE is met before
 * it begins: the locks keep the next version the next one.
 */
const KEEP_RATES = `
CREATE FUNCTION keep_rate_history() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' AND TG_TABLE_NAME = 'site_settings' THEN
    INSERT INTO price_history (site_id, kind, record_id, until_version)
    SELECT n.site_id, TG_TABLE_NAME, n.site_id, v.version FROM new_rows n JOIN rate_versions v ON v.site_id = n.site_id
    ${REPLACED};
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO price_insertions (site_id, kind, version, ids)
    SELECT n.site_id, TG_TABLE_NAME, v.version, range_agg(int8range(n.id, n.id, '[]'))
    FROM new_rows n JOIN rate_versions v ON v.site_id = n.site_id
    GROUP BY n.site_id, v.version
    ON CONFLICT (site_id, kind, version) DO UPDATE SET ids = excluded.ids;
  ELSIF TG_OP = 'UPDATE' THEN
    ${keep(`SELECT site_id, ${record('old_rows')} AS record FROM old_rows EXCEPT SELECT site_id, ${record('new_rows')} FROM new_rows`, 'v.version')};
  ELSIF TG_OP = 'DELETE' THEN
    ${keep(`SELECT site_id, ${record('old_rows')} AS record FROM old_rows`, 'v.version')};
  ELSE
    EXECUTE format('INSERT INTO rate_versions (site_id, version, changed_utc)
      SELECT DISTINCT site_id, 0, now() FROM %I ORDER BY 1 ON CONFLICT DO NOTHING', TG_TABLE_NAME);
    PERFORM FROM rate_versions ORDER BY site_id FOR UPDATE;
    EXECUTE format($sql$${keep(`SELECT site_id, ${record('t')} AS record FROM %I t`, 'v.version + 1').replaceAll('TG_TABLE_NAME', '%L')}$sql$,
      TG_TABLE_NAME, TG_TABLE_NAME, TG_TABLE_NAME);
  END IF;
  RETURN NULL;
END $$;
${RATES.map((table) => triggers(table, '_history', 'keep_rate_history', 'BEFORE')).join('')}
`;

/**
 * EXCEPT finds the changed rows in one pass, however many there are; the plan of a join is kept by the session, and is
 * a bad one after a statement with few rows.
 */
const keepClasses = ([table, columns]: [string, string[]]) => {
  const names = columns.join(', ');
  const values = columns.map((column) => `'${column}', c.${column}`).join(', ');
  return `
CREATE FUNCTION keep_${table}_history() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  at timestamptz(3) := clock_timestamp();
BEGIN
  WITH changed AS MATERIALIZED (
    SELECT site_id, id, ${names} FROM old_rows EXCEPT SELECT site_id, id, ${names} FROM new_rows
  ), raised AS (
    INSERT INTO rate_versions AS known (site_id, version, changed_utc)
    SELECT site_id, 1, at FROM (SELECT DISTINCT site_id FROM changed ORDER BY 1) sites
    ON CONFLICT (site_id) DO UPDATE SET version = known.version + 1, changed_utc = at
    RETURNING site_id, version
  )
  INSERT INTO price_history (site_id, kind, record_id, until_version, record)
  SELECT c.site_id, TG_TABLE_NAME, c.id, v.version, jsonb_build_object(${values})
  FROM changed c JOIN raised v ON v.site_id = c.site_id
  ${REPLACED};
  RETURN NULL;
END $$;
CREATE TRIGGER tr_${table}_history AFTER UPDATE ON ${table} ${ROWS.UPDATE}
  FOR EACH STATEMENT EXECUTE FUNCTION keep_${table}_history();
`;
};

/**
 * Which rates a site has, as a number that rises with every change of what its prices depend on, and what a past price
 * was made of.
 */
export const PRICE_HISTORY = [
  TABLES,
  RAISE_RATE_VERSIONS,
  COUNT_RATES,
  KEEP_RATES,
  ...Object.entries(CLASSES).map(keepClasses),
].join('');
