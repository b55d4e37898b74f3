import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['shipping_rates', 'tax_rates'];

/**
 * Under which key a rate stands; `placeKeys` of libs/rules names those that an address can match, and makes their parts alike (`placePart`). A
 * country has many spellings: it is in no key of a smaller place. `lower` in the collation "C" knows A to Z only, on every server alike. The cost
 * keeps the planner from computing keys where an index has them, also while a table has no statistics (23 s instead of 20 ms for 8 sites).
 */
const PLACE_KEY = `CREATE FUNCTION place_key(country text, state text, city text, postcode text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000000 AS $$
DECLARE
  parts text[] := CASE WHEN coalesce(state, city, postcode) IS NULL THEN ARRAY[country] ELSE ARRAY[state, city, postcode] END;
  part text;
  key text;
BEGIN
  FOREACH part IN ARRAY parts LOOP
    part := coalesce(part, '');
    IF octet_length(part) <> char_length(part) THEN
      part := translate(part, E'\\u212A\\u0130\\u2126\\u03F4\\u03C2ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏҐ',
        'kiωθσαβγδεζηθικλμνξοπρστυφχψωабвгдежзийклмнопрстуфхцчшщъыьэюяѐёђѓєѕіїјљњћќѝўџґ');
    END IF;
    part := left(regexp_replace(lower(part COLLATE "C"),
      '[^a-z0-9*\\u03B1-\\u03C9\\u0430-\\u045F\\u0491\\u05D0-\\u05EA\\u0620-\\u064A\\u0900-\\u0E7F\\u3041-\\u30FF\\u4E00-\\u9FFF\\uAC00-\\uD7A3]', '', 'g'), 24);
    key := CASE WHEN key IS NULL THEN part ELSE key || '/' || part END;
  END LOOP;
  RETURN key;
END $$`;

/**
 * Once per statement, however many rates it writes. The sites in order, so that two statements that write rates of the same sites wait for each
 * other and do not lock each other out. With the search path of the migration: a restore of data alone has none.
 */
const RAISE_RATE_VERSIONS = `CREATE FUNCTION raise_rate_versions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  written bigint[];
  at timestamptz(3) := clock_timestamp();
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT site_id) INTO written FROM new_rates;
  ELSIF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT site_id) INTO written FROM (SELECT site_id FROM new_rates UNION ALL SELECT site_id FROM old_rates) both_of_them;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT site_id) INTO written FROM old_rates;
  ELSE
    UPDATE rate_versions SET version = version + 1, changed_utc = at;
    RETURN NULL;
  END IF;
  INSERT INTO rate_versions AS known (site_id, version, changed_utc)
  SELECT site_id, 1, at FROM (SELECT DISTINCT unnest(written) AS site_id ORDER BY 1) sites
  ON CONFLICT (site_id) DO UPDATE SET version = known.version + 1, changed_utc = at;
  RETURN NULL;
END $$`;

const TRIGGERS = {
  INSERT: 'REFERENCING NEW TABLE AS new_rates',
  UPDATE: 'REFERENCING OLD TABLE AS old_rates NEW TABLE AS new_rates',
  DELETE: 'REFERENCING OLD TABLE AS old_rates',
  TRUNCATE: '',
};

/** Which rates a site has now, as a number that rises with every write of them, and an index of the places that they are for. */
export class RateVersions1780000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PLACE_KEY);
    await runner.query(`CREATE TABLE rate_versions (
        site_id bigint NOT NULL,
        version bigint NOT NULL,
        changed_utc timestamptz(3) NOT NULL,
        CONSTRAINT pk_rate_versions PRIMARY KEY (site_id),
        CONSTRAINT fk_rate_versions_site_id FOREIGN KEY (site_id) REFERENCES sites(id)
    )`);
    await runner.query(RAISE_RATE_VERSIONS);
    for (const table of TABLES) {
      await runner.query(`CREATE INDEX ix_${table}_place ON ${table} (site_id, place_key(country, state, city, postcode))
        WHERE deleted_utc IS NULL`);
      for (const [event, rows] of Object.entries(TRIGGERS)) {
        await runner.query(`CREATE TRIGGER tr_${table}_${event.toLowerCase()} AFTER ${event} ON ${table} ${rows}
          FOR EACH STATEMENT EXECUTE FUNCTION raise_rate_versions()`);
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      for (const event of Object.keys(TRIGGERS))
        await runner.query(`DROP TRIGGER tr_${table}_${event.toLowerCase()} ON ${table}`);
      await runner.query(`DROP INDEX ix_${table}_place`);
    }
    await runner.query(`DROP FUNCTION raise_rate_versions`);
    await runner.query(`DROP TABLE rate_versions`);
    await runner.query(`DROP FUNCTION place_key`);
  }
}
