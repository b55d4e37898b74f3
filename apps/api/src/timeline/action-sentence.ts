import type { ActionType } from '#libs/events';
import { changedParts, type Changes, instantIn } from './changes.js';

/** A change by request, as its log entry tells it. */
export interface Action extends Changes {
  readonly description: string | null;
}

interface Head {
  /** Null: what has changed says all. */
  readonly says: (action: Action) => string | null;
  /** Fields that it names. */
  readonly named: readonly string[];
}

const STATUS_AND_NEXT = ['Status', 'NextOccurrenceUtc'];
/** They come with every move. */
const OF_MOVE = ['NextOccurrenceUtc', 'Status'];

const after = ({ fields }: Action, name: string): unknown => fields?.[name]?.[1] ?? null;
const before = ({ fields }: Action, name: string): unknown => fields?.[name]?.[0] ?? null;

const nextDue = (action: Action) => {
  const next = instantIn(after(action, 'NextOccurrenceUtc'));
  return next === null ? '' : ` It is due next on ${next}.`;
};

const isActiveAgain = (action: Action) => (after(action, 'Status') === 'Active' ? ' It is Active again.' : '');

const plain = (sentence: string): Head => ({ says: () => sentence, named: [] });

const HEADS: Readonly<Record<ActionType, Head>> = {
  CreateScheduledOrder: { says: created, named: [] },
  UpdateScheduledOrder: {
    says: ({ fields, items, description }) =>
      termsChange(description) ?? ((fields ?? items) ? null : 'The order was changed.'),
    named: [],
  },
  PauseScheduledOrder: {
    says: ({ description }) =>
      description?.startsWith('Cancelled by ') === true ? 'The order was cancelled.' : 'The order was paused.',
    named: ['Status'],
  },
  ActivateScheduledOrder: { says: (action) => `The order was made Active.${nextDue(action)}`, named: STATUS_AND_NEXT },
  DeleteScheduledOrder: { says: deleted, named: [] },
  CreateScheduledOrderItem: plain('An item was added.'),
  UpdateScheduledOrderItem: plain('An item was changed.'),
  DeleteScheduledOrderItem: plain('An item was removed.'),
  RescheduleScheduledOrder: { says: moved, named: ['NextOccurrenceUtc'] },
  SkipScheduledOrder: { says: skipped, named: ['NextOccurrenceUtc'] },
  RetryScheduledOrder: { says: madeDue, named: OF_MOVE },
};

/** Terms are no part of the order that the log shows: its description tells of them. */
function termsChange(description: string | null): string | null {
  if (description?.startsWith('Reactivated by ') === true) return 'Its cancellation was taken back.';
  const names = /^(\w+(?: and \w+)*) of the terms changed by /.exec(description ?? '')?.[1];
  return names === undefined ? null : `Changed of its terms: ${names}.`;
}

/** What a request did, and what it has changed. A customer may read it: all of it is in the ActionLogs. */
export function actionSentence(type: string, action: Action): string {
  const head = HEADS[type as ActionType] as Head | undefined;
  if (head === undefined) return `${type}.`;
  const says = head.says(action);
  const parts = type === 'CreateScheduledOrder' ? [] : changedParts(action, head.named);
  const changed = parts.length === 0 ? [] : [`Changed: ${parts.join('; ')}.`];
  return [...(says === null ? [] : [says]), ...changed].join(' ') || 'The order was saved without a change.';
}

function created(action: Action): string {
  const status = after(action, 'Status');
  return `The order was created${typeof status === 'string' ? ` as ${status}` : ''}.${nextDue(action)}`;
}

function deleted({ description }: Action): string {
  const [, customer] = /^Deleted with customer (\d+)/.exec(description ?? '') ?? [];
  return `The order was deleted${customer === undefined ? '' : ` together with customer ${customer}`}.`;
}

function moved(action: Action): string {
  const [from, to] = [before(action, 'NextOccurrenceUtc'), after(action, 'NextOccurrenceUtc')].map(instantIn);
  if (to == null) return 'The next occurrence was moved.';
  return from == null
    ? `The next occurrence was set to ${to}.`
    : `The next occurrence was moved from ${from} to ${to}.`;
}

function skipped(action: Action): string {
  const occurrence = instantIn(before(action, 'NextOccurrenceUtc'));
  return `${occurrence === null ? 'The next occurrence' : `The occurrence of ${occurrence}`} was skipped.${nextDue(action)}`;
}

function madeDue(action: Action): string {
  const replaced = instantIn(before(action, 'NextOccurrenceUtc'));
  return `The order was made due at once${replaced === null ? '' : `, in place of ${replaced}`}.${isActiveAgain(action)}`;
}
