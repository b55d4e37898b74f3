import type { MigrationInterface, QueryRunner } from 'typeorm';

const replaceChecks = async (runner: QueryRunner, states: string, target: string): Promise<void> => {
  await runner.query(
    `ALTER TABLE test_clocks DROP CONSTRAINT ck_test_clocks_state, DROP CONSTRAINT ck_test_clocks_target`,
  );
  await runner.query(`ALTER TABLE test_clocks ADD CONSTRAINT ck_test_clocks_state CHECK (state IN (${states})),
    ADD CONSTRAINT ck_test_clocks_target CHECK (${target})`);
};

/** A simulated site whose deletion has begun: no worker leads its clock any more. Otherwise those are led first that have waited longest (docs/testing.md). */
export class DeletedClocks1780000000043 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await replaceChecks(runner, `'Ready', 'Advancing', 'Deleting'`, `state <> 'Advancing' OR target_utc IS NOT NULL`);
    await runner.query(`ALTER TABLE test_clocks ADD COLUMN led_utc timestamptz(3)`);
  }

  /** @throws when a deletion has begun: older versions would go on with the site. */
  async down(runner: QueryRunner): Promise<void> {
    const [clock] = (await runner.query(`SELECT 1 FROM test_clocks WHERE state = 'Deleting' LIMIT 1`)) as unknown[];
    if (clock !== undefined) throw new Error('Delete the test clocks in the state Deleting first, once more.');
    await runner.query(`ALTER TABLE test_clocks DROP COLUMN led_utc`);
    await replaceChecks(runner, `'Ready', 'Advancing'`, `state = 'Ready' OR target_utc IS NOT NULL`);
  }
}
