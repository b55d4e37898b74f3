import type { PaymentMethodType } from '#libs/gateways';
import type { Cycle } from './state.js';

/** What differs between the gateways, and the faults that are put back into the protocol to see that the model finds them. */
export interface Rules {
  readonly gateway: PaymentMethodType;
  /** The promise of the gateway: for so long it recognises a repeated request, in minutes. */
  readonly remembersFor: number;
  /** For so long after a first sending the service repeats it. */
  readonly repeatsFor: number;
  readonly faults: ReadonlySet<Fault>;
}

/** Each stood in the product once (issue "the books are compared"). */
export const FAULTS = {
  namedByNumber: 'What is sent is named by the number of its cycle, which a restore gives out again.',
  repeatedUnderAnyClock: 'A repetition does not ask whether the clocks of gateway and database agree.',
  believesAnyClock: 'What is due is judged by a clock of the database that has jumped.',
  blindReschedule: 'A request that does not know of the charge in progress moves the next occurrence to now.',
  blindProcess: 'A second Process counts when the schedule itself has just charged.',
  forgetsAttempts:
    'A further attempt at GatewayTwo is sent although an earlier one may have charged since, or may still arrive.',
} as const;
export type Fault = keyof typeof FAULTS;

const HOUR = 60;

export const rulesOf = (gateway: PaymentMethodType, ...faults: Fault[]): Rules => ({
  gateway,
  remembersFor: (gateway === 'GatewayOne' ? 24 : 8) * HOUR,
  repeatsFor: (gateway === 'GatewayOne' ? 23 : 7.75) * HOUR,
  faults: new Set(faults),
});

/** How a cycle is named at the gateway, without the attempt. */
export const nameOf = ({ faults }: Rules, { cycle, due }: Pick<Cycle, 'cycle' | 'due'>): string =>
  faults.has('namedByNumber') ? `number ${cycle}` : `due ${due}`;
