import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['shipping_rates', 'tax_rates'] as const;

const TRIGGERS = {
  INSERT: 'REFERENCING NEW TABLE AS new_rates',
  UPDATE: 'REFERENCING OLD TABLE AS old_rates NEW TABLE AS new_rates',
  DELETE: 'REFERENCING OLD TABLE AS old_rates',
  TRUNCATE: '',
} as const;

const counted = (rows: string, each: number) => `SELECT site_id, ${each} AS n FROM ${rows} WHERE deleted_utc IS NULL`;

const add = (rows: string) => `UPDATE rate_versions v SET rates = v.rates + c.more
    FROM (SELECT site_id, sum(n) AS more FROM (${rows}) r GROUP BY site_id HAVING sum(n) <> 0) c WHERE v.site_id = c.site_id`;

const COUNT_ALL = `UPDATE rate_versions v SET rates =
    ${TABLES.map((table) => `(SELECT count(*) FROM ${table} r WHERE r.site_id = v.site_id AND r.deleted_utc IS NULL)`).join(' + ')}`;

/**
 * Runs after the trigger that raises the version: triggers of a statement run in the order of their names. That trigger has made and locked the
 * row, so the number is exact.
 */
const COUNT_RATES = `CREATE FUNCTION count_rates() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    ${add(counted('new_rates', 1))};
  ELSIF TG_OP = 'UPDATE' THEN
    ${add(`${counted('new_rates', 1)} UNION ALL ${counted('old_rates', -1)}`)};
  ELSIF TG_OP = 'DELETE' THEN
    ${add(counted('old_rates', -1))};
  ELSE
    ${COUNT_ALL};
  END IF;
  RETURN NULL;
END $$`;

/** How many rates a site has: counted when they are written, so that a quota costs the same for any number. */
export class CountedRates1780000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`LOCK TABLE ${TABLES.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
    await runner.query(`ALTER TABLE rate_versions ADD COLUMN rates bigint NOT NULL DEFAULT 0`);
    await runner.query(COUNT_ALL);
    await runner.query(COUNT_RATES);
    for (const table of TABLES) {
      for (const [event, rows] of Object.entries(TRIGGERS)) {
        await runner.query(`CREATE TRIGGER tr_${table}_${event.toLowerCase()}_count AFTER ${event} ON ${table} ${rows}
          FOR EACH STATEMENT EXECUTE FUNCTION count_rates()`);
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      for (const event of Object.keys(TRIGGERS))
        await runner.query(`DROP TRIGGER tr_${table}_${event.toLowerCase()}_count ON ${table}`);
    }
    await runner.query(`DROP FUNCTION count_rates`);
    await runner.query(`ALTER TABLE rate_versions DROP COLUMN rates`);
  }
}
