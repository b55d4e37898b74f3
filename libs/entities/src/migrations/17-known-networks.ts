import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Networks that have logged in to an account: a lock that others cause does not keep them out. And which logins are only being checked, so that
 * they do not count as failed before they have.
 */
export class KnownNetworks1780000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE login_attempts ADD COLUMN checking_until_utc timestamptz(3)`);
    await runner.query(`CREATE TABLE known_networks (
        user_id bigint NOT NULL,
        network_hash bytea NOT NULL,
        last_login_utc timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_known_networks PRIMARY KEY (user_id, network_hash)
    )`);
    await runner.query(
      `ALTER TABLE known_networks ADD CONSTRAINT fk_known_networks_user_id FOREIGN KEY (user_id) REFERENCES users(id)`,
    );
    await runner.query(`CREATE INDEX ix_known_networks_last_login ON known_networks (last_login_utc)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE known_networks`);
    await runner.query(`ALTER TABLE login_attempts DROP COLUMN checking_until_utc`);
  }
}
