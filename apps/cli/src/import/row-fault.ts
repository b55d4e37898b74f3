/** Why one row of a file cannot be taken; the others are. */
export class RowFault extends Error {}
