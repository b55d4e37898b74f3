import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In the order in which a worker locks them when it records: so no deadlock is possible. */
const TABLES =
  'sites, scheduled_orders, processing_cycles, integration_waits, event_logs, error_logs, action_logs, outbox';

const SIMULATED = ['sites', 'scheduled_orders', 'processing_cycles', 'integration_waits'];
const LOGS = ['event_logs', 'error_logs', 'action_logs'];
/** Tables whose rows are written one by one, by whatever version. The statements that write cycles do it themselves. */
const COPIED = ['scheduled_orders', 'integration_waits'];
/** Tables that a row stays simulated, or real, in. After the update, so that other updates do not lock the row twice. */
const KEPT = ['sites', 'scheduled_orders'];

const COPY = `CREATE FUNCTION copy_simulated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.simulated := coalesce((SELECT s.simulated FROM sites s WHERE s.id = NEW.site_id), false);
  RETURN NEW;
END $$`;

const KEEP = `CREATE FUNCTION keep_simulated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A row of % stays simulated, or real, for ever.', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$`;

/** Tells the workers of a simulated order that is due by its site's clock. The channel of libs/cycles. */
const NOTIFY_CLOCK = `CREATE FUNCTION notify_clock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.next_occurrence_utc <= (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = NEW.site_id) THEN
    PERFORM pg_notify('scheduled_orders_clocks', '');
  END IF;
  RETURN NULL;
END $$`;

const SIMULATED_DUE = `CREATE TRIGGER tr_scheduled_orders_clock
AFTER INSERT OR UPDATE OF next_occurrence_utc, status, deleted_utc ON scheduled_orders
FOR EACH ROW WHEN (NEW.simulated AND NEW.status = 'Active' AND NEW.deleted_utc IS NULL) EXECUTE FUNCTION notify_clock()`;

const DUE = (condition: string) => `CREATE TRIGGER tr_scheduled_orders_due
AFTER INSERT OR UPDATE OF next_occurrence_utc, status, deleted_utc ON scheduled_orders
FOR EACH ROW WHEN (NEW.next_occurrence_utc <= now() + interval '1 minute' AND NEW.status = 'Active' AND NEW.deleted_utc IS NULL${condition})
EXECUTE FUNCTION notify_due()`;

/** Simulated sites, each with a clock of its own. Their business time is the clock's: `occurred_utc` of what they write. */
export class TestClocks1780000000037 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`LOCK TABLE ${TABLES} IN ACCESS EXCLUSIVE MODE`);
    for (const table of SIMULATED) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN simulated boolean NOT NULL DEFAULT false`);
    }
    for (const table of ['processing_cycles', ...LOGS]) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN occurred_utc timestamptz(3)`);
    }
    await runner.query(`ALTER TABLE processing_cycles ADD COLUMN begun_utc timestamptz(3)`);
    await runner.query(`ALTER TABLE outbox ADD COLUMN simulated_utc timestamptz(3)`);
    await runner.query(`CREATE TABLE test_clocks (
        site_id bigint NOT NULL,
        now_utc timestamptz(3) NOT NULL,
        state varchar(16) NOT NULL DEFAULT 'Ready',
        target_utc timestamptz(3),
        cycles bigint NOT NULL DEFAULT 0,
        worker varchar(64),
        lease_until_utc timestamptz(3),
        created_utc timestamptz(3) NOT NULL DEFAULT now(),
        updated_utc timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_test_clocks PRIMARY KEY (site_id),
        CONSTRAINT ck_test_clocks_state CHECK (state IN ('Ready', 'Advancing')),
        CONSTRAINT ck_test_clocks_target CHECK (state = 'Ready' OR target_utc IS NOT NULL),
        CONSTRAINT fk_test_clocks_site_id FOREIGN KEY (site_id) REFERENCES sites(id)
    )`);
    await runner.query(COPY);
    await runner.query(KEEP);
    for (const table of COPIED) {
      await runner.query(
        `CREATE TRIGGER tr_${table}_simulated BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION copy_simulated()`,
      );
    }
    for (const table of KEPT) {
      await runner.query(`CREATE TRIGGER tr_${table}_keep_simulated AFTER UPDATE OF simulated ON ${table}
        FOR EACH ROW WHEN (OLD.simulated <> NEW.simulated) EXECUTE FUNCTION keep_simulated()`);
    }
    await runner.query(`DROP TRIGGER tr_scheduled_orders_due ON scheduled_orders`);
    await runner.query(DUE(' AND NOT NEW.simulated'));
    await runner.query(NOTIFY_CLOCK);
    await runner.query(SIMULATED_DUE);
  }

  /** @throws when there is a simulated site: an older version would charge its orders. */
  async down(runner: QueryRunner): Promise<void> {
    const [site] = (await runner.query(`SELECT 1 FROM sites WHERE simulated LIMIT 1`)) as unknown[];
    if (site !== undefined) throw new Error('Delete the test clocks first: older versions know no simulated sites.');
    await runner.query(`DROP TRIGGER tr_scheduled_orders_clock ON scheduled_orders`);
    await runner.query(`DROP FUNCTION notify_clock()`);
    await runner.query(`DROP TRIGGER tr_scheduled_orders_due ON scheduled_orders`);
    await runner.query(DUE(''));
    for (const table of KEPT) await runner.query(`DROP TRIGGER tr_${table}_keep_simulated ON ${table}`);
    for (const table of COPIED) await runner.query(`DROP TRIGGER tr_${table}_simulated ON ${table}`);
    await runner.query(`DROP FUNCTION keep_simulated()`);
    await runner.query(`DROP FUNCTION copy_simulated()`);
    await runner.query(`DROP TABLE test_clocks`);
    await runner.query(`ALTER TABLE outbox DROP COLUMN simulated_utc`);
    await runner.query(`ALTER TABLE processing_cycles DROP COLUMN begun_utc`);
    for (const table of [...LOGS, 'processing_cycles'].reverse()) {
      await runner.query(`ALTER TABLE ${table} DROP COLUMN occurred_utc`);
    }
    for (const table of [...SIMULATED].reverse()) await runner.query(`ALTER TABLE ${table} DROP COLUMN simulated`);
  }
}
