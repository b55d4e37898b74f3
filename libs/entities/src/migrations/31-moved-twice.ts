import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Versions of the schema before 9 know no minimum_version, but their workers leave `claim` as it is: a database that needs a newer one lets them claim
 * nothing, and charge nothing that they have claimed before.
 */
const REFUSE = `CREATE FUNCTION refuse_unversioned_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM minimum_version m WHERE m.schema_version > 8) THEN
    RAISE EXCEPTION 'This process is older than the database allows: deploy the newer version.' USING ERRCODE = 'SO002';
  END IF;
  RETURN NULL;
END $$`;

const TRIGGERS = {
  insert: `AFTER INSERT ON processing_cycles FOR EACH ROW WHEN (NEW.worker IS NOT NULL AND NEW.claim = 0)`,
  update: `AFTER UPDATE ON processing_cycles FOR EACH ROW WHEN (NEW.worker IS NOT NULL AND (
    NEW.worker IS DISTINCT FROM OLD.worker AND NEW.claim = OLD.claim OR NEW.claim = 0 AND OLD.state = 'Claimed' AND NEW.state = 'Charging'))`,
};

/** Finds a subscription that was moved into two sites, and stops the workers of versions that would price without a site's Settings. */
export class MovedTwice1780000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_migrated_subscriptions_subscription ON migrated_subscriptions (source, source_id, gateway_customer_id)`,
    );
    await runner.query(REFUSE);
    for (const [name, when] of Object.entries(TRIGGERS)) {
      await runner.query(
        `CREATE TRIGGER tr_processing_cycles_claim_${name} ${when} EXECUTE FUNCTION refuse_unversioned_claim()`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(TRIGGERS)) {
      await runner.query(`DROP TRIGGER tr_processing_cycles_claim_${name} ON processing_cycles`);
    }
    await runner.query(`DROP FUNCTION refuse_unversioned_claim()`);
    await runner.query(`DROP INDEX ix_migrated_subscriptions_subscription`);
  }
}
