import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables whose rows are kept as they were. Statements that write them raise the site's version already (migrations 11 and 19). */
const RATES = ['shipping_rates', 'tax_rates', 'site_settings'] as const;

/** Tables of which only these columns are part of a price. */
const CLASSES = { products: ['shipping_class', 'tax_class'], customers: ['tax_exempt'] } as const;

const ROWS = {
  INSERT: 'REFERENCING NEW TABLE AS new_rows',
  UPDATE: 'REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows',
  DELETE: 'REFERENCING OLD TABLE AS old_rows',
} as const;

/** In the order in which a worker locks them when it records: so no deadlock is possible. */
const LOCKS = [
  `LOCK TABLE processing_cycles IN ACCESS EXCLUSIVE MODE`,
  `LOCK TABLE customers, products, ${RATES.join(', ')} IN SHARE ROW EXCLUSIVE MODE`,
];

/** A row without what no price depends on. */
const record = (row: string) => `to_jsonb(${row}) - '{created_utc,updated_utc}'::text[]`;

/** A site has one row of settings, without an id of its own. */
const ID = `coalesce((o.record ->> 'id')::bigint, o.site_id)`;

/** Exactly the expression of `ix_shipping_rates_place` and `ix_tax_rates_place`. */
const PLACE = `CASE WHEN TG_TABLE_NAME <> 'site_settings'
    THEN place_key(o.record ->> 'country', o.record ->> 'state', o.record ->> 'city', o.record ->> 'postcode') END`;

/** A table that was restored without the others may count on from an earlier version: a write of rates must not fail because of that. */
const REPLACED = `ON CONFLICT (site_id, kind, record_id, until_version) DO UPDATE SET place = excluded.place, record = excluded.record`;

const keep = (
  rows: string,
  version: string,
) => `INSERT INTO price_history (site_id, kind, record_id, until_version, place, record)
    SELECT o.site_id, TG_TABLE_NAME, ${ID}, ${version}, ${PLACE}, jsonb_strip_nulls(o.record)
    FROM (${rows}) o JOIN rate_versions v ON v.site_id = o.site_id
    ${REPLACED}`;

/**
 * Runs after the trigger that raises the version: triggers of a statement run in the order of their names. That trigger has locked the row of the
 * version, so the version that is read here is the statement's own. A TRUNCATE is met before it begins: the locks keep the next version the next one.
 */
const KEEP_RATES = `CREATE FUNCTION keep_rate_history() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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
END $$`;

/**
 * EXCEPT finds the changed rows in one pass, however many there are; the plan of a join is kept by the session, and is a bad one after a statement
 * with few rows.
 */
const keepClasses = (table: keyof typeof CLASSES) => {
  const columns = CLASSES[table];
  const names = columns.join(', ');
  const values = columns.map((column) => `'${column}', c.${column}`).join(', ');
  return `CREATE FUNCTION keep_${table}_history() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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
END $$`;
};

/**
 * What a past price was made of. Whatever it depends on besides the order is kept by the site's version, which rises with every change; triggers do
 * both, so that older processes do, too. Nothing is written for the rows that are there: they are what they are since the first version.
 */
export class PriceHistory1780000000034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const lock of LOCKS) await runner.query(lock);
    await runner.query(`ALTER TABLE processing_cycles ADD COLUMN rates_version bigint, ADD COLUMN order_cycles bigint,
      ADD COLUMN fixed_totals varchar(32), ADD COLUMN unit_prices text`);
    await runner.query(`CREATE TABLE price_history (
        site_id bigint NOT NULL,
        kind varchar(63) NOT NULL,
        record_id bigint NOT NULL,
        until_version bigint NOT NULL,
        place text,
        record jsonb,
        CONSTRAINT pk_price_history PRIMARY KEY (site_id, kind, record_id, until_version),
        CONSTRAINT fk_price_history_site_id FOREIGN KEY (site_id) REFERENCES sites(id)
    )`);
    await runner.query(
      `CREATE INDEX ix_price_history_place ON price_history (site_id, kind, place) WHERE place IS NOT NULL`,
    );
    await runner.query(`CREATE TABLE price_insertions (
        site_id bigint NOT NULL,
        kind varchar(63) NOT NULL,
        version bigint NOT NULL,
        ids int8multirange NOT NULL,
        CONSTRAINT pk_price_insertions PRIMARY KEY (site_id, kind, version),
        CONSTRAINT fk_price_insertions_site_id FOREIGN KEY (site_id) REFERENCES sites(id)
    )`);
    await runner.query(KEEP_RATES);
    for (const table of RATES) {
      for (const [event, rows] of Object.entries(ROWS)) {
        await runner.query(`CREATE TRIGGER tr_${table}_${event.toLowerCase()}_history AFTER ${event} ON ${table} ${rows}
          FOR EACH STATEMENT EXECUTE FUNCTION keep_rate_history()`);
      }
      await runner.query(`CREATE TRIGGER tr_${table}_truncate_history BEFORE TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION keep_rate_history()`);
    }
    for (const table of ['customers', 'products'] as const) {
      await runner.query(keepClasses(table));
      await runner.query(`CREATE TRIGGER tr_${table}_history AFTER UPDATE ON ${table} ${ROWS.UPDATE}
        FOR EACH STATEMENT EXECUTE FUNCTION keep_${table}_history()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const lock of LOCKS) await runner.query(lock);
    for (const table of ['products', 'customers'] as const) {
      await runner.query(`DROP TRIGGER tr_${table}_history ON ${table}`);
      await runner.query(`DROP FUNCTION keep_${table}_history`);
    }
    for (const table of RATES) {
      for (const event of [...Object.keys(ROWS), 'TRUNCATE'])
        await runner.query(`DROP TRIGGER tr_${table}_${event.toLowerCase()}_history ON ${table}`);
    }
    await runner.query(`DROP FUNCTION keep_rate_history`);
    await runner.query(`DROP TABLE price_insertions`);
    await runner.query(`DROP TABLE price_history`);
    await runner.query(
      `ALTER TABLE processing_cycles DROP COLUMN unit_prices, DROP COLUMN fixed_totals, DROP COLUMN order_cycles, DROP COLUMN rates_version`,
    );
  }
}
