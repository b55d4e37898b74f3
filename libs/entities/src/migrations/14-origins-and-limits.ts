import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The web origin of a site, as a browser sends it. Cut short, so that every address fits into the index; in the collation "C", in which `lower`
 * is the same on every server.
 */
const ORIGIN = `left(substring(lower(url COLLATE "C") FROM '^https?://[^/?#]+'), 300)`;

/** Finds the site of an origin without reading them all. */
export class OriginsAndLimits1780000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX ix_sites_origin ON sites ((${ORIGIN}))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_sites_origin`);
  }
}
