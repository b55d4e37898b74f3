import { lockMs } from '../schedule/schedule.js';
import { shownInstant } from '../schedule/shown-instant.js';
import type { SiteCalendar } from '../schedule/site-calendar.js';
import type { FrequencyRule } from '../vocabulary.js';

/** What is open so long after its due instant is no longer being packed: the window ends then. */
const OPEN_MS = 24 * 3_600_000;

/** The window of an occurrence, in which customers cannot change the order. */
export interface LockWindow {
  readonly lockedFromUtc: Date;
  readonly dueUtc: Date;
  /** It ends then, or before that with the cycle: completed, skipped or given up. */
  readonly endsUtc: Date;
}

/**
 * The window of an Active order's next occurrence, or of its cycle that is tried again; null where the site has none.
 * @param dueUtc of the open cycle, not of its next try; without one, the stored NextOccurrenceUtc.
 */
export function lockWindow(
  rule: FrequencyRule,
  dueUtc: Date,
  calendar: Pick<SiteCalendar, 'lockHours'> | null,
): LockWindow | null {
  if (calendar === null || calendar.lockHours === null) return null;
  const due = dueUtc.getTime();
  return { lockedFromUtc: new Date(due - lockMs(rule, calendar)), dueUtc, endsUtc: new Date(due + OPEN_MS) };
}

export const isLocked = ({ lockedFromUtc, endsUtc }: LockWindow, now: Date): boolean =>
  now >= lockedFromUtc && now < endsUtc;

/** What a customer may ask of an order; `ProcessRetry`: of a cycle that waits for another try, or was given up. */
export const CUSTOMER_ACTIONS = [
  'Items',
  'Frequency',
  'Reschedule',
  'Skip',
  'Process',
  'Pause',
  'Terms',
  'AddOnce',
  'Swap',
  'Cancel',
  'Activate',
  'Card',
  'Address',
  'PaymentLink',
  'ProcessRetry',
  'Unskip',
] as const;
export type CustomerAction = (typeof CUSTOMER_ACTIONS)[number];

/** These stay possible in the window. */
export const NEVER_LOCKED: readonly CustomerAction[] = [
  'Cancel',
  'Activate',
  'Card',
  'Address',
  'PaymentLink',
  'ProcessRetry',
  'Unskip',
];

/** Why a customer may not do it now: a sentence that says since when, until when, and what is possible instead. */
export function lockedBecause(window: LockWindow | null, action: CustomerAction, now: Date): string | null {
  if (window === null || NEVER_LOCKED.includes(action) || !isLocked(window, now)) return null;
  const { lockedFromUtc, dueUtc } = window;
  return (
    `The occurrence of ${shownInstant(dueUtc)} is being prepared: since ${shownInstant(lockedFromUtc)}, and until it is ${now < dueUtc ? 'due' : 'processed'}, ` +
    'the customer cannot change it. The card and the address can be changed, and the order can be cancelled.'
  );
}
