import { newest, openCycle } from './cycles.js';
import { isOf, isOurs, type Rules, type Stranger, strangersName } from './rules.js';
import type { Answer, Charge, Cycle, Sending, State } from './state.js';

/** Lists show a charge so many minutes after it was made. */
export const LIST_LAG = 15;

/** How a request may fare that the gateway does not recognise. */
export const FATES = ['approved', 'declined', 'failed', 'failedCharged'] as const;
export type Fate = (typeof FATES)[number];

/** What the gateway remembers of this request; undefined: it is new to it. */
export function rememberedAnswer(state: State, rules: Rules, { key, due }: Sending): Answer | undefined {
  const known = state.gateway.remembered.find((one) => one.key === key);
  if (known === undefined || state.now - known.at >= rules.remembersFor) return undefined;
  // GatewayOne repeats its answer for the same parameters only; GatewayTwo never repeats one.
  const isRepeated = rules.gateway === 'GatewayOne' && known.due === due;
  if (!isRepeated) return { kind: 'duplicate' };
  return known.answer.kind === 'error' ? { kind: 'error', replayed: true } : known.answer;
}

/** A request arrives. @returns the gateway's answer to it. */
export function arrive(state: State, rules: Rules, sending: Sending, fate: Fate): Answer {
  const known = rememberedAnswer(state, rules, sending);
  if (known !== undefined) return known;
  const { gateway } = state;
  const { key, name, due, attempt } = sending;
  const isCharged = fate === 'approved' || fate === 'failedCharged';
  const transaction = gateway.charges.length + 1;
  if (isCharged) gateway.charges.push({ transaction, name, due, attempt, at: state.now });
  const answer: Answer =
    fate === 'approved' ? { kind: 'succeeded', transaction } : { kind: fate === 'declined' ? 'declined' : 'error' };
  gateway.remembered = gateway.remembered.filter((one) => one.key !== key);
  // GatewayTwo knows duplicates of what it charged.
  if (rules.gateway === 'GatewayOne' || isCharged) gateway.remembered.push({ key, due, answer, at: state.now });
  return answer;
}

/** The charge of a cycle, by its name, if the lists show it already. */
export const findCharge = (state: State, rules: Rules, cycle: Cycle): Charge | undefined =>
  state.gateway.charges.find((charge) => isOf(rules, cycle, charge) && charge.at + LIST_LAG <= state.now);

/** Somebody else charges on the account, under a name that looks like the cycle in progress, or the next one. */
export function chargeElsewhere({ db, gateway, now }: State, who: Stranger): boolean {
  const due = openCycle(db)?.due ?? db.order.next;
  if (due === null) return false;
  const cycle = openCycle(db)?.cycle ?? (newest(db)?.cycle ?? 0) + 1;
  const transaction = gateway.charges.length + 1;
  gateway.charges.push({ transaction, name: strangersName(who, { cycle, due }), due: null, attempt: 1, at: now });
  return true;
}

/** Charges of the account that are ours and that no Order has, as far as the lists show them. */
export const unrecorded = ({ gateway, db, now }: State, rules: Rules): number[] =>
  gateway.charges
    .filter(
      (charge) =>
        isOurs(rules, charge) &&
        charge.at + LIST_LAG <= now &&
        !db.orders.some((one) => one.transaction === charge.transaction),
    )
    .map(({ transaction }) => transaction);
