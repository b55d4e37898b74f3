import { Baseline } from './1-baseline.js';

/** In order; a migration that has landed is never edited. */
export const migrations = [Baseline];
