/** One thing that is wrong with what a caller asked for; `field` in the contract's spelling. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** What was asked for breaks a rule. Carries every fault that was found, each a sentence fit for the caller. */
export class Rejected extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ field, message }) => `${field}: ${message}`).join(' '));
    this.name = 'Rejected';
  }
}
