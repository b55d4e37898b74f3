import type { PaymentMethodType } from '#libs/gateways';
import { remembersMs } from './product.js';
import type { Charge, Cycle } from './state.js';

/**
 * What differs between the gateways, and the faults that are put back into the protocol to see that the model finds
 * them.
 */
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
  countsForeign: 'What others charge on the account counts as ours where it has a number or an occurrence of ours.',
  blindReschedule: 'A request that does not know of the charge in progress moves the next occurrence to now.',
  blindProcess: 'A second Process counts when the schedule itself has just charged.',
  forgetsAttempts:
    'A further attempt at GatewayTwo is sent although an earlier one may have charged since, or may still arrive.',
  believesYoungLists: 'A list that does not show a charge yet counts as a proof that nothing was charged.',
} as const;
export type Fault = keyof typeof FAULTS;

const HOUR = 60;

export const rulesOf = (gateway: PaymentMethodType, ...faults: Fault[]): Rules => ({
  gateway,
  remembersFor: (gateway === 'GatewayOne' ? 24 : 8) * HOUR,
  repeatsFor: remembersMs(gateway) / 60_000,
  faults: new Set(faults),
});

/** How a cycle is named at the gateway, without the attempt. */
export const nameOf = ({ faults }: Rules, { cycle, due }: Pick<Cycle, 'cycle' | 'due'>): string =>
  faults.has('namedByNumber') ? `number ${cycle}` : `due ${due}`;

/**
 * Others that charge on the account: another installation, which names its occurrence, and software whose invoices look
 * like an older form of ours.
 */
export const STRANGERS = ['another installation', 'other software'] as const;
export type Stranger = (typeof STRANGERS)[number];

/** How a stranger's charge is named that looks like this cycle's. */
export const strangersName = (who: Stranger, { cycle, due }: Pick<Cycle, 'cycle' | 'due'>): string =>
  who === 'another installation' ? `other ${due}` : `number ${cycle}`;

/** Whether the service takes a charge for one of its own. */
export const isOurs = ({ faults }: Rules, { due }: Charge): boolean => due !== null || faults.has('countsForeign');

/** Whether it takes a charge for one of this cycle. */
export const isOf = (rules: Rules, cycle: Cycle, charge: Charge): boolean =>
  charge.name === nameOf(rules, cycle) ||
  (rules.faults.has('countsForeign') && STRANGERS.some((who) => charge.name === strangersName(who, cycle)));
