import { BREAKER_FAILURES } from '#libs/events';
import { type ClaimedPush, dueUtcOf, MOST_SENDS, type PushResult } from '#libs/ledger';
import {
  type Differences,
  inCurrency,
  judgeBesides,
  judgeFound,
  type Judgement,
  type NotDone,
  type Push,
  type Settlement,
  type ShopOrder,
} from '#libs/shops';

/** PUSH_RETRY_SCHEDULE and PUSH_UNKNOWN_WAIT. */
export interface PushPolicy {
  readonly pushRetryScheduleMs: readonly number[];
  readonly pushUnknownWaitMs: number;
}

/** What the shop was asked for last. */
export type Step = 'lookUp' | 'create' | 'settle';

/** A shop that answered nothing is looked through after so much of PUSH_UNKNOWN_WAIT: most are done long before. */
const FIRST_LOOK_UP = 0.1;
const FEWEST_LOOK_UPS = 2;
/** After so many a person decides, also where the shop took no others: that is a week. */
const MOST_IN_VAIN = 10;
/** A shop that breaks down at a create has so many times as long before each further one: a day in the end. */
const LONGER_EACH_TIME = 6;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Since when something may be under way whose outcome is not known; null: nothing is. Of what was due before commits
 * were lost it is the time at which that was found out: what the row said of its sending may be lost with them.
 */
export function underWaySince(row: ClaimedPush): Date | null {
  const { state, sentUtc, restoredUtc, createdUtc } = row;
  const since = state === 'Sending' || state === 'Unknown' ? sentUtc : null;
  if (restoredUtc === null || (sentUtc !== null && sentUtc > restoredUtc)) return since;
  return createdUtc <= restoredUtc || dueUtcOf(row) <= restoredUtc ? restoredUtc : since;
}

/** Whether the shop may have it: then it is looked up before anything else. What was sent once may come late. */
export const mayBeThere = (row: ClaimedPush): boolean =>
  row.state !== 'Waiting' ||
  row.looksUpFirst ||
  row.shopOrderId !== null ||
  row.sentUtc !== null ||
  underWaySince(row) !== null;

/** It has ended, as far as the ledger knows: it is looked up to be sure that the shop has it once. */
const hasEnded = ({ state }: ClaimedPush): boolean => state === 'Pushed' || state === 'Differs' || state === 'Failed';

/** What is to be done with what was found. What a person decides, or has linked, is never paid by itself. */
export function judge(row: ClaimedPush, orders: readonly ShopOrder[]): Judgement {
  const isPersons = (row.state === 'Differs' || row.state === 'Failed') && row.shopOrderId === null;
  return (row.isLinked || isPersons ? judgeBesides : judgeFound)(orders, row.shopOrderId);
}

/** Nothing more is to be done, and nothing has changed. */
const asBefore = (row: ClaimedPush): PushResult => ({
  state: row.state === 'Sending' ? 'Unknown' : row.state,
  attempts: row.attempts,
  foundNothing: row.foundNothing,
  sentUtc: null,
  report: null,
  nextMs: null,
  shopOrder: null,
  isGone: false,
  chargedTotal: null,
  shop: { kind: 'answers' },
  products: [],
});

const report = (message: string) => ({ message, lines: [] });

/** A person decides. `order`: what the shop has of it; null: nothing any more. */
const differs = (row: ClaimedPush, message: string, order: PushResult['shopOrder']): PushResult => ({
  ...asBefore(row),
  state: 'Differs',
  report: report(message),
  shopOrder: order,
  isGone: order === null,
});

/** What has ended is a person's where the shop keeps an order that the customer could pay as well: told once. */
export function besideTwin(row: ClaimedPush, result: PushResult | null, because: string, keep: ShopOrder | null) {
  const message = `An unpaid order of it cannot be deleted in the shop: ${because}`;
  const isNews = result?.state === 'Pushed' || result?.report === null;
  if (!isNews || row.message === message) return result;
  return { ...differs(row, message, result.shopOrder ?? keep), isGone: false };
}

/** What was deleted of a push that a person decides; null: nothing was. */
function cameUp({ message }: ClaimedPush, removed: readonly ShopOrder[]): PushResult['report'] {
  const ids = removed.filter(({ state }) => state !== 'Draft').map(({ id }) => id);
  if (ids.length === 0) return null;
  return report(
    `It came up in the shop as ${ids.join(', ')}, unpaid, and was deleted, for its customer has paid: Retry makes it again. ${message ?? ''}`.trim(),
  );
}

/** What comes after a look-up. */
export type Next =
  | { readonly step: 'create' }
  | { readonly step: 'settle'; readonly order: ShopOrder }
  | { readonly step: 'record'; readonly result: PushResult };

const record = (result: PushResult): Next => ({ step: 'record', result });

/** `orders`: what the look-up found; of the twins among them those that `judged` removes are gone. */
export function afterLookUp(
  row: ClaimedPush,
  orders: readonly ShopOrder[],
  { keep, remove, differs: why }: Judgement,
  policy: PushPolicy,
): Next {
  if (row.isLinked) {
    const isKnown = why === null || row.message === why;
    return record(isKnown ? asBefore(row) : { ...differs(row, why, null), isGone: false });
  }
  const left = orders.filter((order) => !remove.includes(order));
  const isTheOne = left.length === 1 && left[0]!.id === row.shopOrderId;
  // Whatever became of it in the shop since it arrived: there is one.
  if (hasEnded(row) && isTheOne) return record(asBefore(row));
  // A person knows already that it is not there.
  if ((row.state === 'Differs' || row.state === 'Failed') && keep === null)
    return record({ ...asBefore(row), report: cameUp(row, remove) });
  if (why !== null) return record(row.message === why ? asBefore(row) : differs(row, why, keep));
  const isGone = row.shopOrderId !== null && orders.every(({ id }) => id !== row.shopOrderId);
  if (isGone && (keep === null || hasEnded(row)))
    return record(differs(row, `The shop had it as ${row.shopOrderId}, and has it no more.`, keep));
  if (hasEnded(row) && row.shopOrderId !== null) {
    const isOther = keep !== null && keep.id !== row.shopOrderId;
    return record(isOther ? differs(row, `It stands as ${keep.id} now.`, keep) : asBefore(row));
  }
  const waits = waiting(row, keep, policy);
  if (waits !== null) return record(waits);
  const isSentAgain = keep === null || (keep.state === 'Unpaid' && keep.id === row.shopOrderId);
  if (isSentAgain && (row.tookOthers || row.sends >= MOST_IN_VAIN))
    return record(differs(row, inVain(row, keep), keep));
  return keep === null ? { step: 'create' } : { step: 'settle', order: keep };
}

/** A shop that takes away our name may have made it each time; one that breaks down at it has not. */
const inVain = ({ sends, message }: ClaimedPush, keep: ShopOrder | null): string =>
  `${sends} requests, and ${keep === null ? 'no order' : 'no payment'} in the shop: look there before it is tried again. ${message ?? ''}`.trim();

/** What is written while nothing may be sent again; null: nothing is under way, or it has surely ended. */
function waiting(row: ClaimedPush, keep: ShopOrder | null, { pushUnknownWaitMs }: PushPolicy): PushResult | null {
  const since = underWaySince(row);
  if (since === null) return null;
  const isCreated = keep !== null && row.shopOrderId !== keep.id && since !== row.restoredUtc;
  if (isCreated || keep?.state === 'Paid') return null;
  const foundNothing = row.foundNothing + 1;
  const isShopBroken = row.sends >= MOST_SENDS && !row.tookOthers;
  const isLonger = (keep === null || isShopBroken) && !row.worksAgain;
  const times = isLonger ? LONGER_EACH_TIME ** Math.max(row.sends - 1, 0) : 1;
  const longestMs = Math.max(DAY_MS, pushUnknownWaitMs);
  const endsInMs = since.getTime() + Math.min(times * pushUnknownWaitMs, longestMs) - row.nowUtc.getTime();
  if (foundNothing >= FEWEST_LOOK_UPS && endsInMs <= 0) return null;
  // The last answer says more.
  const message = row.message ?? `Whether the shop has ${keep === null ? 'taken' : 'paid'} it is not known yet.`;
  const nextMs = Math.max(Math.min(endsInMs, pushUnknownWaitMs), pushUnknownWaitMs * FIRST_LOOK_UP);
  const seen = { foundNothing, sentUtc: since, report: report(message), nextMs, shopOrder: keep };
  return { ...asBefore(row), state: 'Unknown', ...seen };
}

/** `order`: what the shop has said of it before. */
export function afterNotDone(
  row: ClaimedPush,
  step: Step,
  outcome: NotDone,
  order: ShopOrder | null,
  policy: PushPolicy,
): PushResult {
  const { kind, message } = outcome;
  const before = {
    ...asBefore(row),
    report: step === 'lookUp' && hasEnded(row) ? null : report(message),
    shopOrder: order,
  };
  const state = step === 'lookUp' ? before.state : 'Waiting';
  if (kind === 'shopRefused') return { ...before, state, nextMs: 0, shop: { kind: 'refuses', because: message } };
  if (kind === 'refused' && step === 'create') return { ...before, state: 'Failed', products: outcome.products ?? [] };
  if (kind === 'refused' && step === 'settle') return differs(row, message, order);
  const saysWhen = kind !== 'refused' && outcome.retryAfterMs !== null;
  const retryAfterMs = saysWhen ? Math.min(outcome.retryAfterMs, DAY_MS) : null;
  // It was paid already, and the shop has shown that: only more of it could not be read.
  const isUnread = order?.state === 'Paid';
  const foundNothing = isUnread ? row.foundNothing + 1 : 0;
  const fails = { kind: 'fails', retryAfterMs: isOfClocks(outcome) ? null : retryAfterMs } as const;
  const failed: PushResult = { ...before, state, shop: isUnread ? before.shop : fails };
  const lookUpMs = Math.max(policy.pushUnknownWaitMs * FIRST_LOOK_UP, retryAfterMs ?? 0);
  if (step !== 'lookUp' && kind === 'unknown')
    return { ...failed, state: 'Unknown', sentUtc: row.sentUtc ?? row.nowUtc, foundNothing, nextMs: lookUpMs };
  if (step === 'lookUp' && (hasEnded(row) || underWaySince(row) !== null)) return { ...failed, nextMs: lookUpMs };
  return retried(row, failed, retryAfterMs, policy);
}

/** It may be this worker's clock that is wrong: then the shop answers others, who need not wait. */
export const isOfClocks = (outcome: NotDone): boolean => outcome.kind === 'unavailable' && outcome.isOfClocks === true;

/** A shop that says when to come again uses up no tries, nor does one that answers nobody. */
function retried(
  row: ClaimedPush,
  failed: PushResult,
  retryAfterMs: number | null,
  { pushRetryScheduleMs: schedule }: PushPolicy,
): PushResult {
  const delayMs = schedule[row.attempts] ?? null;
  if (retryAfterMs !== null || row.shopFailures >= BREAKER_FAILURES)
    return { ...failed, nextMs: retryAfterMs ?? delayMs ?? MINUTE_MS };
  if (delayMs === null) return { ...failed, state: 'Failed', attempts: row.attempts + 1 };
  return { ...failed, attempts: row.attempts + 1, nextMs: delayMs };
}

const NO_STOCK = 'The shop has it as paid, but broke down then: it reduced no stock, and mailed nobody.';

export function afterSettlement(
  row: ClaimedPush,
  push: Push,
  settlement: Exclude<Settlement, NotDone>,
  { pushUnknownWaitMs }: PushPolicy,
): PushResult {
  if (settlement.kind === 'removed') return differs(row, settlement.message, null);
  const { order, differences, isPushed, isStockTaken, unsellable } = settlement;
  const endsInMs = (row.sentUtc?.getTime() ?? -Infinity) + pushUnknownWaitMs - row.nowUtc.getTime();
  // A slow plugin comes before what takes the stock.
  if (isStockTaken === false && endsInMs > 0)
    return { ...asBefore(row), state: 'Unknown', nextMs: pushUnknownWaitMs * FIRST_LOOK_UP, shopOrder: order };
  const faults = [...unsellable, ...(isStockTaken === false ? [NO_STOCK] : [])];
  const sentences = [...faults, ...sentencesOf(push, order, differences)];
  return {
    ...asBefore(row),
    state: isPushed && faults.length === 0 ? 'Pushed' : 'Differs',
    foundNothing: 0,
    report: { message: sentences.length === 0 ? null : sentences.join(' '), lines: differences.lines },
    nextMs: pushUnknownWaitMs,
    shopOrder: order,
    chargedTotal: differences.total === 0 ? null : inCurrency(push.total, push.currencyIso),
  };
}

function sentencesOf({ total, currencyIso }: Push, order: ShopOrder, differences: Differences): string[] {
  const sentences = [
    order.state !== 'Paid' && `It is ${order.state} in the shop.`,
    order.id === '' && 'The shop does not say under which id it has it.',
    differences.total !== 0 &&
      `The shop's total is ${order.total || 'not known'} instead of ${inCurrency(total, currencyIso)}.`,
    differences.isNetOther &&
      'That is not by tax or rounding alone: it has a fee, a discount or a price of the shop’s own.',
    differences.currencyIso !== null && `Its currency there is ${differences.currencyIso}.`,
    differences.lines.length > 0 && 'The shop has other products, or other quantities.',
    differences.areAmountsUnknown && 'Only the total of the charge is known: the shop may have used its own prices.',
  ];
  return sentences.filter((one) => one !== false);
}

/** Nothing was sent, and nothing is wrong with the shop. `nextMs` null: nothing will be sent. */
export const notSent = (row: ClaimedPush, message: string, nextMs: number | null): PushResult => ({
  ...asBefore(row),
  ...(nextMs === null && { state: 'Failed' }),
  report: report(message),
  nextMs,
  shop: null,
});
