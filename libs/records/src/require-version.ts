import type { EntityManager } from 'typeorm';
import { RAISE_MINIMUM_VERSION } from '#libs/entities';
import { execute } from './statement.js';

/** From here on no process works on the database that is written for an older schema (docs/operations.md, New versions). */
export async function requireVersion(tx: EntityManager, schemaVersion: number): Promise<void> {
  await execute(tx, RAISE_MINIMUM_VERSION, [schemaVersion]);
}
