import { setTimeout as pause } from 'node:timers/promises';
import { isLost, isPassing } from '#libs/database';

const PAUSE_MS = 250;
const PASSING_TRIES = 5;

/**
 * Repeats a statement that may be repeated, while the database cannot be reached or somebody is in the way. One that took too long is not
 * repeated as it is: the caller asks for less at once.
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
