import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A table for rows that are written to see whether writes work, and taken back (`WriteProbe`). A page is filled to a tenth, and a row of 500 bytes takes
 * more than half of that: so each row needs a new page. Nothing stays, so a vacuum cuts the file off, whatever vacuum_truncate says elsewhere.
 */
export class WriteProbes1780000000051 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE write_probes (
        id uuid NOT NULL DEFAULT uuid_v7(),
        filler char(500) NOT NULL,
        CONSTRAINT pk_write_probes PRIMARY KEY (id)
    ) WITH (fillfactor = 10, vacuum_truncate = true)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE write_probes`);
  }
}
