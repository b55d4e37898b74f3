/** One error in a caller's request; `field` in the contract's spelling. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** The request breaks a rule. It has every fault that was found, each a sentence for the caller. */
export class Rejected extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ field, message }) => `${field}: ${message}`).join(' '));
    this.name = 'Rejected';
  }
}
