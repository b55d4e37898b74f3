import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The schema version of this migration. */
const NAMES_OCCURRENCES = 48;

/**
 * Charges are named by their occurrence at the gateways, no longer by the number of their cycle. A worker of an earlier version would not find what was
 * sent under such a name, and would send it again: it is refused from now on, also when this migration is undone.
 */
export class NamedOccurrences1780000000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE minimum_version SET schema_version = ${NAMES_OCCURRENCES} WHERE schema_version < ${NAMES_OCCURRENCES}`,
    );
  }

  async down(): Promise<void> {
    // Attempts may have been sent under the new names.
  }
}
