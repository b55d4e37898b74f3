import { Id, StampUtc } from './columns.js';

/** What every row of the contract has. */
export abstract class Row {
  @Id() id!: number;
  @StampUtc() createdUtc!: Date;
  @StampUtc() updatedUtc!: Date;
}
