import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys, the sites that each reaches, and which tokens were made from one. Versions before this one refuse keys: they do not look here. */
export class ApiKeys1780000000023 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE api_keys (
        id bigint NOT NULL,
        user_id bigint NOT NULL,
        name varchar(255) NOT NULL,
        secret_hash bytea NOT NULL,
        access varchar(16) NOT NULL,
        expires_utc timestamptz(3),
        revoked_utc timestamptz(3),
        last_used_utc timestamptz(3),
        created_utc timestamptz(3) NOT NULL DEFAULT now(),
        updated_utc timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_api_keys PRIMARY KEY (id),
        CONSTRAINT ck_api_keys_access CHECK (access IN ('Full', 'Read')),
        CONSTRAINT fk_api_keys_user_id FOREIGN KEY (user_id) REFERENCES users(id)
    )`);
    await runner.query(`CREATE INDEX ix_api_keys_user ON api_keys (user_id, id) WHERE revoked_utc IS NULL`);
    await runner.query(`CREATE INDEX ix_api_keys_revoked ON api_keys (revoked_utc) WHERE revoked_utc IS NOT NULL`);
    await runner.query(`CREATE TABLE api_key_sites (
        api_key_id bigint NOT NULL,
        site_id bigint NOT NULL,
        CONSTRAINT pk_api_key_sites PRIMARY KEY (api_key_id, site_id),
        CONSTRAINT fk_api_key_sites_api_key_id FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
        CONSTRAINT fk_api_key_sites_site_id FOREIGN KEY (site_id) REFERENCES sites(id)
    )`);
    // A new column without values: PostgreSQL reads no row for its foreign key.
    await runner.query(`ALTER TABLE access_tokens ADD COLUMN api_key_id bigint
        CONSTRAINT fk_access_tokens_api_key_id REFERENCES api_keys(id)`);
    await runner.query(
      `CREATE INDEX ix_access_tokens_api_key ON access_tokens (api_key_id) WHERE api_key_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_access_tokens_api_key`);
    await runner.query(`ALTER TABLE access_tokens DROP COLUMN api_key_id`);
    await runner.query(`DROP TABLE api_key_sites`);
    await runner.query(`DROP TABLE api_keys`);
  }
}
