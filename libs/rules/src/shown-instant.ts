/** An instant as sentences for people show it: `2026-05-16 10:00 UTC`. Occurrences are known to shops and customers by it (decisions.md §10). */
export const shownInstant = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
