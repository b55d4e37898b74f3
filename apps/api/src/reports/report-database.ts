import type { Reads } from '#libs/records';
import type { Turns } from './turns.js';

/** As much of the database as a report needs. */
export type ReportDatabase = Pick<Reads, 'read' | 'execute'>;

/** The database, with each statement in its turn. */
export const inTurns = (database: ReportDatabase, turns: Turns): ReportDatabase => ({
  read: (statement, values) => turns.read(() => database.read(statement, values)),
  execute: (statement, values) => turns.read(() => database.execute(statement, values)),
});
