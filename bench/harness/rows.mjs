/** Of the issue that asked for them. */
export const ALL_ROWS = Array.from({ length: 11 }, (_, index) => String(index + 1));
