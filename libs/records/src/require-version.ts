import type { Transaction } from '#libs/database';
import { RAISE_MINIMUM_VERSION } from '#libs/entities';

/** From here on no process works on the database that is written for an older schema (docs/operations.md, New versions). */
export async function requireVersion(tx: Transaction, schemaVersion: number): Promise<void> {
  await tx.execute(RAISE_MINIMUM_VERSION, [schemaVersion]);
}
