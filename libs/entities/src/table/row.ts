import { Id, StampUtc } from './columns.js';

/** The columns of every resource of the contract. */
export abstract class Row {
  @Id() id!: number;
  @StampUtc() createdUtc!: Date;
  @StampUtc() updatedUtc!: Date;
}
