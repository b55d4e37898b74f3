/** An instant in sentences for people: `2026-05-16 10:00 UTC`. It identifies occurrences for shops and customers (decisions.md §10). */
export const shownInstant = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
