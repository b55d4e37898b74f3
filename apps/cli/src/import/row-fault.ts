/** Why one row of a file cannot be imported. The others are imported. */
export class RowFault extends Error {}
