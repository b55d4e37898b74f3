import { Baseline1780000000001 } from './1-baseline.js';

/** In order; a migration that has landed is never edited. */
export const migrations = [Baseline1780000000001];
