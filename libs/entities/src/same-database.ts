import { SCHEMA_VERSION } from './migrated.js';

/**
 * The database as a process knows it. Its statements claim, freeze and number nothing in another database, or in one
 * that went back in time.
 */
export interface KnownDatabase {
  /** `deployment.generation`. */
  readonly generation: number;
  /** The furthest position of its log that this process has seen. */
  readonly lsn: string;
}

/**
 * A condition: it fails in another database than the one that the process knows, in one that went back in time (SO001),
 * and for a version that is too old for it (SO002). Takes the SQL of the two values of a `KnownDatabase`.
 */
export const here = (generation: string, lsn: string): string =>
  `assert_same_database(${generation}, ${lsn}, ${SCHEMA_VERSION})`;
