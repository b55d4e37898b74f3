import type { Charge, ChargeOutcome, ResolveOutcome } from '#libs/gateways';
import { againInMs, type Blocked } from '../cycle/blocked.js';
import type { Charged, FoundAt, Outcome } from '../cycle/outcome.js';
import type { CompletedOutcome } from '../record/completion.js';
import type { MayArrive } from './earlier-attempts.js';

/** What the gateways' answers mean for a cycle, to charges and to look-ups alike. */

const LONGEST_TRANSACTION_ID = 255;
/** How soon to try again while a found charge has no cycle yet. */
const PLACED_IN_MS = 1_000;

/** What keeps an attempt from being sent, or from being decided. */
export type NotNone = Blocked | MayArrive | { readonly kind: 'found' };

/**
 * Nothing more is sent, because the look-up that must come first can no longer tell what happened. Look-ups go on, and
 * `cycles:stuck` lists the cycle.
 */
export const FOR_A_PERSON: Outcome = { kind: 'inDoubt', answer: { kind: 'notFound' }, mayRepeat: false };

/** For an attempt that may have been sent. */
export function asInDoubt(earlier: NotNone) {
  const message = 'message' in earlier ? earlier.message : 'A charge of this order has no place in the ledger yet.';
  const delayMs = earlier.kind === 'found' ? PLACED_IN_MS : againInMs(earlier);
  return { kind: 'postponed', message, retryAfterMs: delayMs } as const;
}

type Succeeded = Extract<ChargeOutcome, { kind: 'succeeded' }>;

export function paid(answer: Succeeded, charge: Charge, basis: CompletedOutcome['basis'], foundAt?: FoundAt): Charged {
  const { chargedAmount: found = charge.amount } = answer;
  const chargedAmount = found === charge.amount ? null : found;
  return {
    outcome: {
      kind: 'completed',
      transactionId: answer.transactionId.slice(0, LONGEST_TRANSACTION_ID),
      chargedAmount,
      ...(foundAt && { foundAt }),
      basis: chargedAmount === null ? basis : null,
    },
    refused: answer.integrationRefused ?? null,
  };
}

export function refusal(answer: Exclude<ChargeOutcome | ResolveOutcome, Succeeded>): string | null | undefined {
  if (answer.kind === 'refused') return answer.message;
  // An unknown card proves nothing about the credentials: they may be another account's.
  return answer.kind === 'declined' && !answer.missing ? null : undefined;
}
