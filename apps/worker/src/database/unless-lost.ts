import { setTimeout as pause } from 'node:timers/promises';
import { isLost, isPassing } from '#libs/platform';

const PAUSE_MS = 250;
const PASSING_TRIES = 5;

/**
 * Repeats a repeatable statement while the database cannot be reached or another transaction has the locks. A statement
 * that took too long is not repeated: the caller asks for fewer rows at once.
 */
export async function unlessLost<T>(statement: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement();
    } catch (error) {
      if (!isLost(error) && !(isPassing(error) && attempt < PASSING_TRIES)) throw error;
      await pause(PAUSE_MS);
    }
  }
}
