import { isLost, isNotMigrated, isOtherDatabase, writesFailBecause } from '#libs/platform';

/** What stands still meanwhile: the ends of the sentences. */
interface StandsStill {
  /** While the database cannot be reached, or takes no writes. */
  readonly lost: string;
  /** While it is not the one that it should be. */
  readonly other: string;
}

/**
 * Why a round failed, when the database as a whole is the reason: a sentence; null for any other error. The error
 * itself, in the log, says more.
 */
export function databaseTrouble(error: unknown, { lost, other }: StandsStill): string | null {
  if (writesFailBecause(error) !== null) return `The database cannot be written to: ${lost}`;
  if (isLost(error)) return `The database cannot be reached: ${lost}`;
  if (isNotMigrated(error)) return 'The database lacks what this version needs: run the migrate command.';
  if (isOtherDatabase(error)) return `The database is a different one than before, or went back in time: ${other}`;
  return null;
}
