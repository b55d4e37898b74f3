import type { Capture } from '../support/gateways/ledger.js';
import { possibleAmounts } from './amounts.js';
import type { Find } from './check.js';
import type { Diary } from './diary.js';
import { type ClockAheadMs, notRequested, secondOfCharge, shownSecond } from './licences.js';
import type { FirstState, Shop } from './shops.js';
import type { Lost } from './windows.js';

export interface BooksParts {
  readonly captures: readonly Capture[];
  readonly shopOf: ReadonlyMap<number, Shop>;
  readonly first: ReadonlyMap<number, FirstState>;
  readonly diary: Diary;
  readonly lost: readonly Lost[];
  /** When something here stood still, so that what was on its way came late. */
  readonly stalledMs: (fromMs: number, toMs: number) => number;
  readonly clockAheadMs: ClockAheadMs;
  readonly find: Find;
}

/** A request that was answered, and the way to a gateway's books. */
const ON_THE_WAY_MS = 1_000;
/** Between the true instant of a copy, or of a cut, and ours. */
const SLACK_MS = 1_000;
const STOPS = ['pause', 'remove'];
const STARTS = ['activate', 'process'];

/**
 * From the gateways' books and the requests alone: was no occurrence charged twice, nothing that was stopped, nothing
 * wrongly?
 */
export function checkBooks(parts: BooksParts): { amountsUnjudged: number; mostCharges: number } {
  const byOrder = new Map<number, Capture[]>();
  for (const capture of parts.captures) {
    const ofOrder = byOrder.get(capture.scheduledOrderId);
    if (ofOrder) ofOrder.push(capture);
    else byOrder.set(capture.scheduledOrderId, [capture]);
  }
  let [amountsUnjudged, mostCharges] = [0, 0];
  for (const [id, captures] of byOrder) {
    mostCharges = Math.max(mostCharges, captures.length);
    twice(parts, id, captures);
    early(parts, id, captures);
    afterStop(parts, id, captures);
    if (!rightly(parts, id, captures)) amountsUnjudged += 1;
  }
  return { amountsUnjudged, mostCharges };
}

/** An occurrence is charged once, whatever number the ledger has given it, and only if somebody asked for it. */
function twice({ diary, find, first, clockAheadMs }: BooksParts, id: number, captures: readonly Capture[]): void {
  const seen = new Set<number>();
  for (const capture of captures) {
    const second = secondOfCharge(capture);
    if (second === null) continue;
    if (seen.has(second)) find('double', id, `the occurrence of ${shownSecond(second)} was charged more than once`);
    seen.add(second);
  }
  for (const second of notRequested([...seen], first.get(id)!.dueMs, diary.requestsFor(id), clockAheadMs))
    find('double', id, `the occurrence of ${shownSecond(second)} was charged, and no answer ever named it`);
}

/** Before its time, only what the database's clock had made due once; it may be tried again when the clock is right. */
function early({ find, clockAheadMs }: BooksParts, id: number, captures: readonly Capture[]): void {
  for (const { dueUtc, sentMs, transactionId } of captures) {
    const dueMs = Date.parse(dueUtc);
    if (!(dueMs > sentMs + SLACK_MS)) continue;
    const wasDue = clockAheadMs(0, sentMs).some((ms) => ms > 0 && clockAheadMs(dueMs - ms, sentMs).includes(ms));
    if (!wasDue) find('other', id, `${transactionId} was charged ${dueMs - sentMs} ms before its time`);
  }
}

/** Answered, and not taken back since, nor lost: nothing may be sent any more. */
function afterStop({ diary, find, lost, stalledMs }: BooksParts, id: number, captures: readonly Capture[]): void {
  const requests = diary.requestsFor(id);
  for (const stop of requests) {
    const { answeredMs, status } = stop;
    if (answeredMs === null || status >= 300 || !STOPS.includes(stop.what)) continue;
    const starts = requests.filter((one) => STARTS.includes(one.what) && (one.answeredMs ?? Infinity) >= stop.sentMs);
    const undone = lost.filter(({ fromMs, toMs }) => fromMs - SLACK_MS <= answeredMs && stop.sentMs <= toMs);
    const untilMs = Math.min(...starts.map(({ sentMs }) => sentMs), ...undone.map(({ besideMs }) => besideMs));
    for (const { sentMs, transactionId } of captures) {
      const lateMs = sentMs - answeredMs;
      if (sentMs >= untilMs || lateMs <= ON_THE_WAY_MS + stalledMs(answeredMs, sentMs)) continue;
      find('other', id, `${transactionId} was charged ${lateMs} ms after ${stop.what} had been answered`);
    }
  }
}

/** The right card, account and amount. @returns false when the amount could not be checked. */
function rightly({ diary, find, first, shopOf }: BooksParts, id: number, captures: readonly Capture[]): boolean {
  const [shop, order] = [shopOf.get(id)!, first.get(id)!];
  const requests = diary.requestsFor(id);
  const cards = [order.card, ...requests.flatMap(({ wanted }) => wanted.card ?? [])];
  const amounts = possibleAmounts(shop, id, order.currencyIso, requests);
  for (const { account, gatewayCustomerId, gatewayPaymentId, amount, currencyIso, transactionId } of captures) {
    if (account !== shop.account && account !== `${shop.account}_other`)
      find('other', id, `${transactionId} went to the account ${account}`);
    if (gatewayCustomerId !== order.customer || !cards.includes(gatewayPaymentId))
      find('other', id, `${transactionId} was charged to ${gatewayCustomerId}, ${gatewayPaymentId}`);
    const taken = `${amount} ${currencyIso}`;
    if (amounts && !amounts.has(taken))
      find(
        'other',
        id,
        `${transactionId} took ${taken}, and the order never said so (${[...amounts].slice(0, 5).join(', ')})`,
      );
  }
  return amounts !== null;
}
