import type { SettledAs } from '#libs/entities';
import { DIFFERENCE_KINDS, type DifferenceKind, type PushStanding } from '#libs/ledger';
import { shownInstant } from '#libs/rules';
import { type Action, actionSentence } from './action-sentence.js';
import { cycleSentence, occurrenceSentence, type ShownCycle } from './cycle-sentence.js';
import { deliverySentence, type ShownDelivery } from './delivery-sentence.js';
import type { Place, TimelineEntry } from './entry.js';
import { pushSentence } from './push-sentence.js';

interface LoggedEvent {
  readonly type: string;
  readonly description: string | null;
}

interface LoggedError {
  readonly description: string | null;
  readonly message: string | null;
  readonly cause: string | null;
}

/** An entry as it was found, with what its kind has. */
export type FoundEntry = Place & {
  /**
   * By the clock of its site: on a simulated one another than the real time by which entries are in order. It only
   * moves forward.
   */
  readonly shownMs: number;
} & (
    | { readonly kind: 'Action'; readonly data: { readonly type: string } }
    | { readonly kind: 'Event'; readonly data: LoggedEvent }
    | { readonly kind: 'Error'; readonly data: LoggedError }
    | { readonly kind: 'Cycle'; readonly data: ShownCycle }
    | { readonly kind: 'Delivery'; readonly data: ShownDelivery }
    | { readonly kind: 'Difference'; readonly data: ShownDifference }
    | { readonly kind: 'Push'; readonly data: ShownPush }
  );

/** A push as it stands now. */
interface ShownPush extends Omit<PushStanding, 'nextAttemptUtc'> {
  readonly nextAttemptMs: number | null;
}

/** What the log has of a change by request. */
export type LoggedChange = Action & Author;

type Described = Pick<TimelineEntry, 'Type' | 'Sentence' | 'By'> & Partial<Pick<TimelineEntry, 'Cycle' | 'OrderId'>>;

/** @param change of an Action: undefined when its entry was removed in the meantime. */
export function shownEntry(entry: FoundEntry, change: LoggedChange | undefined, isForCustomer: boolean): TimelineEntry {
  const { Type, Sentence, By, Cycle = null, OrderId = null } = described(entry, change, isForCustomer);
  const { shownMs, kind: Kind, id: Id } = entry;
  return { AtUtc: new Date(shownMs).toISOString(), Kind, Type, Sentence, Id, Cycle, OrderId, By };
}

function described(entry: FoundEntry, change: LoggedChange | undefined, isForCustomer: boolean): Described {
  switch (entry.kind) {
    case 'Action': {
      const { type } = entry.data;
      const By = change === undefined ? null : isForCustomer ? authorForCustomers(change) : authorName(change);
      return { Type: type, Sentence: actionSentence(type, change ?? NOTHING_KNOWN), By };
    }
    case 'Event':
      return { Type: entry.data.type, Sentence: entry.data.description ?? `${entry.data.type}.`, By: 'Processor' };
    case 'Error':
      return { Type: failureName(entry.data), Sentence: errorSentence(entry.data), By: 'Processor' };
    case 'Cycle':
      return {
        Type: entry.data.state,
        Sentence: isForCustomer ? occurrenceSentence(entry.data) : cycleSentence(entry.id, entry.data),
        Cycle: Number(entry.id),
        OrderId: entry.data.orderId,
        // A request skips, and is an Action.
        By: entry.data.state === 'Skipped' ? null : 'Processor',
      };
    case 'Delivery':
      return { Type: entry.data.type, Sentence: deliverySentence(entry.data), By: 'Dispatcher' };
    case 'Difference': {
      const { kind: Type, cycle: Cycle, orderId: OrderId, by: By } = entry.data;
      return { Type, Sentence: differenceSentence(entry.id, entry.data), Cycle, OrderId, By };
    }
    case 'Push': {
      const { state: Type, orderId: OrderId, nextAttemptMs } = entry.data;
      const [Cycle, nextAttemptUtc] = [Number(entry.id), nextAttemptMs === null ? null : new Date(nextAttemptMs)];
      return { Type, Sentence: pushSentence(Cycle, { ...entry.data, nextAttemptUtc }), Cycle, OrderId, By: 'Pusher' };
    }
  }
}

const NOTHING_KNOWN: Action = { description: null, currency: null, fields: null, items: null };

/** An entry's Description begins with code and name (decisions.md §9). */
const failureName = ({ description }: LoggedError) => /^\d+ (\w+):/.exec(description ?? '')?.[1] ?? 'Unknown';

function errorSentence({ description, message, cause }: LoggedError): string {
  const says = description ?? message ?? 'Nothing more is known.';
  return cause === null || says.includes(cause) ? says : `${says} Cause: ${cause}`;
}

/** Who sent a request, as its log entry says it: its token, or the API key in a token's form. */
export interface Author {
  readonly token: { readonly Id: number; readonly UserId: number; readonly CustomerId: number | null } | null;
  /** Null for a token, and for a key that was deleted since. */
  readonly keyName: string | null;
  readonly description: string | null;
}

/** A log entry that a command wrote has this in place of a token's id. */
const COMMAND = 0;

/** For merchants: which user, key, customer or command. */
export function authorName({ token, keyName, description }: Author): string | null {
  if (token === null) return null;
  const { Id: id, UserId: userId, CustomerId: customerId } = token;
  if (id === COMMAND) return `Command ${/ by (\S+.*)\.$/.exec(description ?? '')?.[1] ?? 'line'}`;
  if (keyName !== null) return `API key ${id} (${keyName})`;
  if (description?.includes(`by API key ${id}`)) return `API key ${id}`;
  return customerId === null ? `User ${userId} (token ${id})` : `Customer ${customerId} (token ${id})`;
}

/** For the customer: nobody of the shop has a name. */
export const authorForCustomers = ({ token }: Author): string => (token?.CustomerId == null ? 'Shop' : 'Customer');

/** A difference as it stands now. */
export interface ShownDifference {
  readonly kind: DifferenceKind;
  readonly cycle: number | null;
  readonly orderId: number | null;
  readonly holds: boolean;
  readonly transactionId: string | null;
  readonly settledAs: SettledAs | null;
  readonly settledMs: number | null;
  readonly by: string | null;
  readonly note: string | null;
}

/** What differs, and how it was settled. */
export function differenceSentence(id: string, difference: ShownDifference): string {
  const { kind, transactionId } = difference;
  const about = DIFFERENCE_KINDS[kind].about.replace(/\.$/, '');
  return `Difference ${id}: ${about}${transactionId === null ? '' : `, transaction ${transactionId}`}. ${stateWords(difference)}`;
}

function stateWords({ holds, settledAs, settledMs, note }: ShownDifference): string {
  if (settledAs === null || settledMs === null)
    return holds ? 'Nothing is charged before it is settled.' : 'Nobody has settled it yet.';
  const noted = note === null || note === '' ? '.' : `: ${note}`;
  return `It was settled as ${settledAs} on ${shownInstant(new Date(settledMs))}${noted}`;
}
