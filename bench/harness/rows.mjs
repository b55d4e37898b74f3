/** 1 to 15 are of the issues about speed; 16 is of the one about attacks. */
export const ALL_ROWS = Array.from({ length: 16 }, (_, index) => String(index + 1));
