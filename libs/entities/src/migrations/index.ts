import { Baseline } from './1-baseline.js';

/** In order; one that a release has is never edited. */
export const migrations = [Baseline];
