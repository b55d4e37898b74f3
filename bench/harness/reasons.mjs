/** Why a row misses its mark, and what was tried; shown when it does. By row. */
export const REASONS = {};
