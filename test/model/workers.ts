import type { Outcome } from '../../apps/worker/src/processor/cycle/outcome.js';
import { newCycle, openCycle } from './cycles.js';
import { findCharge, LIST_LAG, unrecorded } from './gateway.js';
import {
  minuteOf,
  minuteOrNull,
  notFound,
  notFoundAgain,
  passesGate,
  placed,
  recordCompleted,
  recordFailed,
  unanswered,
  utc,
} from './product.js';
import { isOf, nameOf, type Rules } from './rules.js';
import type { Answer, Charge, Cycle, State, Worker } from './state.js';

/** What workers do, one step at a time: each step is one transaction of the database, or one message. */

const LEASE = 5;
/** Within this time of its sending a request may be under way. */
const UNDER_WAY = 5;
const MOST_APART = 24 * 60;

export const IDLE: Worker = { doing: 'nothing', cycle: 0, claim: 0, attempt: 0, leaseUntil: 0, outcome: null };

export const databaseNow = ({ now, databaseAhead }: State): number => now + databaseAhead;

function lease(state: State, index: number, one: Cycle, doing: Worker['doing']): void {
  one.claim += 1;
  one.worker = index;
  one.leaseUntil = databaseNow(state) + LEASE;
  const { cycle, claim, attempt } = one;
  state.workers[index] = { doing, cycle, claim, attempt, leaseUntil: state.now + LEASE, outcome: null };
}

/**
 * Whether new cycles of the order may be charged: nothing of it is to be compared with the gateway first, or decided by
 * a person.
 */
const mayCharge = ({ db }: State): boolean => db.doubtSince === null && db.found.length === 0 && db.held.length === 0;

export function claim(state: State, rules: Rules, index: number): boolean {
  if (state.db.refused || !believesClock(state, rules)) return false;
  const { order } = state.db;
  const now = databaseNow(state);
  if (!mayCharge(state) || openCycle(state.db) || order.status !== 'Active' || order.deleted) return false;
  if (order.next === null || order.next > now) return false;
  const one = newCycle(state.db, order.next, order.replaced);
  state.db.cycles.push(one);
  freeze(state, rules, one);
  state.db.seen = now;
  lease(state, index, one, 'frozen');
  return true;
}

/** The database's clock has jumped, and the gateway's does not agree: nothing is claimed by it. */
const believesClock = ({ databaseAhead }: State, { faults }: Rules): boolean =>
  Math.abs(databaseAhead) <= MOST_APART || faults.has('believesAnyClock');

function freeze(state: State, rules: Rules, one: Cycle): void {
  if (one.key !== null) one.past.push({ startedAt: one.startedAt!, lookUps: one.lookUps });
  one.attempt += 1;
  one.key = `${nameOf(rules, one)}/${one.attempt}`;
  one.startedAt = databaseNow(state);
  one.state = 'Charging';
  one.transaction = null;
  one.known = false;
  one.replayedAt = null;
}

/** Cycles whose time has come, or whose worker is gone. */
export function claimAgain(state: State, rules: Rules, index: number): boolean {
  if (state.db.refused || !believesClock(state, rules)) return false;
  const one = openCycle(state.db);
  if (!one) return false;
  const now = databaseNow(state);
  const isDue = one.nextAt !== null && one.nextAt <= now;
  const isExpired = one.leaseUntil !== null && one.leaseUntil <= now;
  if (!isDue && !isExpired) return false;
  const wasSent = one.state === 'Charging' || one.state === 'Unknown';
  if (!wasSent && !mayCharge(state)) return false;
  if (!wasSent) one.state = 'Claimed';
  one.nextAt = null;
  lease(state, index, one, wasSent ? 'inDoubt' : 'claimed');
  return true;
}

/**
 * The row that a worker leases, as its fence finds it; undefined: another worker has it now, or a request has ended it.
 */
function owned({ db }: State, { cycle, claim, attempt }: Worker): Cycle | undefined {
  return db.cycles.find((one) => one.cycle === cycle && one.claim === claim && one.attempt === attempt && one.open);
}

export function freezeAgain(state: State, rules: Rules, index: number): void {
  const worker = state.workers[index]!;
  const one = owned(state, worker);
  if (!one || one.state !== 'Claimed') return void (state.workers[index] = IDLE);
  freeze(state, rules, one);
  worker.attempt = one.attempt;
  worker.doing = 'frozen';
}

/** The gate that every sending passes. */
function maySend(state: State, rules: Rules, worker: Worker, one: Cycle | undefined, isRepetition: boolean): boolean {
  const apart = Math.abs(state.databaseAhead);
  const asksClocks = isRepetition ? !rules.faults.has('repeatedUnderAnyClock') : !rules.faults.has('believesAnyClock');
  if (one === undefined) return false;
  const holdsLease = state.now < worker.leaseUntil && databaseNow(state) < one.leaseUntil!;
  return passesGate(one, holdsLease, asksClocks && apart > MOST_APART);
}

function travel(state: State, rules: Rules, index: number, one: Cycle): void {
  const { cycle: _, due, attempt, key } = one;
  const name = nameOf(rules, one);
  state.gateway.travelling.push({ key: key!, name, due, attempt, from: index, sentAt: state.now });
}

export function send(state: State, rules: Rules, index: number): void {
  const worker = state.workers[index]!;
  const one = owned(state, worker);
  if (!maySend(state, rules, worker, one, false))
    return ends(worker, one?.stoppedAt == null ? { kind: 'postponed', delayMs: 60_000 } : { kind: 'stopped' });
  if (laysAside(state, rules, one!)) return ends(worker, { kind: 'postponed', delayMs: 60_000 });
  const earlier = earlierAttempt(state, rules, one!);
  if (earlier.found) return ends(worker, paid(earlier.found.transaction));
  if (earlier.waits > 0) return ends(worker, { kind: 'postponed', delayMs: earlier.waits * 60_000 });
  travel(state, rules, index, one!);
  worker.doing = 'sent';
}

const ends = (worker: Worker, outcome: Outcome): void => void Object.assign(worker, { doing: 'answered', outcome });

/** Finds out what came of a cycle that was, or may have been, sent. */
export function resolve(state: State, rules: Rules, index: number): void {
  const worker = state.workers[index]!;
  const one = owned(state, worker);
  if (!one) return void (state.workers[index] = IDLE);
  if (one.resolution === 'Found') return ends(worker, paid(one.transaction!));
  if (one.resolution === 'NeedsReview') return ends(worker, { kind: 'needsReview', reason: 'It was found.' });
  const isBelieved = believesClock(state, rules) || rules.faults.has('repeatedUnderAnyClock');
  if (!isBelieved || laysAside(state, rules, one)) return ends(worker, inDoubt(POSTPONED));
  const age = databaseNow(state) - one.startedAt!;
  const isRecent = one.stoppedAt === null && !one.known && age < rules.repeatsFor;
  const isDoubtful = isRecent && !rules.faults.has('repeatedUnderAnyClock') && mayBeForgotten(state, rules, one);
  const earlier = earlierAttempt(state, rules, one);
  if (earlier.found) return ends(worker, paid(earlier.found.transaction));
  const mayRepeat = isRecent && !isDoubtful && earlier.waits === 0;
  if (rules.gateway === 'GatewayTwo' || !mayRepeat) {
    const found = conclusion(state, rules, one, mayRepeat);
    const isNotFound = found.kind === 'inDoubt' && found.answer.kind === 'notFound';
    if (isNotFound && isDoubtful) return ends(worker, inDoubt(POSTPONED));
    if (isNotFound && earlier.waits > 0)
      return ends(worker, inDoubt({ ...POSTPONED, retryAfterMs: earlier.waits * 60_000 }));
    if (!isNotFound || !mayRepeat) return ends(worker, found);
  }
  if (!maySend(state, rules, worker, one, true)) return ends(worker, inDoubt(POSTPONED));
  travel(state, rules, index, one);
  worker.doing = 'repeated';
}

/** The database's clock may have stood still: by the gateway's the request may be forgotten. */
const mayBeForgotten = ({ now }: State, { repeatsFor }: Rules, { startedAt }: Cycle): boolean =>
  now - startedAt! >= repeatsFor;

/**
 * The first attempt of an occurrence that the gateway would not recognise: earlier charges need their places before.
 * @returns whether there are any.
 */
function laysAside(state: State, rules: Rules, one: Cycle): boolean {
  if (one.attempt !== 1 || one.startedAt! - one.due <= rules.repeatsFor) return false;
  const earlier = unplaced(state, rules);
  if (earlier.length > 0) state.db.found = earlier;
  return earlier.length > 0;
}

/** Before a further attempt goes out: one of the earlier ones may have charged, or may still arrive. */
function earlierAttempt(state: State, rules: Rules, one: Cycle): { found?: Charge | undefined; waits: number } {
  const waits = rules.faults.has('forgetsAttempts') ? null : unanswered(one, rules.gateway, databaseNow(state));
  return waits === null ? { waits: 0 } : { found: findCharge(state, rules, one), waits };
}

/** For how long a look-up may miss a charge, as the service believes. */
const unseen = ({ faults }: Rules) => ({
  underWay: UNDER_WAY,
  listLag: faults.has('believesYoungLists') ? 0 : LIST_LAG,
});

function conclusion(state: State, rules: Rules, one: Cycle, mayRepeat: boolean): Outcome {
  const found = findCharge(state, rules, one);
  if (found) return paid(found.transaction);
  const { underWay, listLag } = unseen(rules);
  const times = { underWay, listLag: mayRepeat ? 0 : listLag };
  return inDoubt(notFound(one, databaseNow(state), times, rules.repeatsFor) as InDoubt);
}

const POSTPONED = { kind: 'postponed', message: 'Later.', retryAfterMs: 60_000 } as const;
const UNKNOWN = { kind: 'unknown', repeatable: false, message: 'It is not known.' } as const;
const DECLINED = { kind: 'declined', hard: false, message: 'The card was declined.' } as const;

type InDoubt = Extract<Outcome, { kind: 'inDoubt' }>['answer'];
const inDoubt = (answer: InDoubt): Outcome => ({ kind: 'inDoubt', answer, mayRepeat: true });
const paid = (transaction: number): Outcome => ({
  kind: 'completed',
  transactionId: String(transaction),
  chargedAmount: null,
  basis: null,
});

/** The gateway has answered the request of a worker. */
export function hear(state: State, rules: Rules, index: number, answer: Answer | null): void {
  const worker = state.workers[index]!;
  const one = owned(state, worker);
  const found = one && answer?.kind !== 'succeeded' ? findCharge(state, rules, one) : undefined;
  const isFirst = worker.doing === 'sent';
  const outcomeOf = isFirst
    ? (first: typeof UNKNOWN | typeof DECLINED | typeof DUPLICATE): Outcome => ({ kind: 'charge', answer: first })
    : inDoubt;
  if (answer === null) return ends(worker, outcomeOf(UNKNOWN));
  if (answer.kind === 'succeeded') return ends(worker, paid(answer.transaction));
  const looksUp = answer.kind === 'duplicate' || (!isFirst && rules.gateway === 'GatewayOne');
  if (looksUp && found) return ends(worker, paid(found.transaction));
  if (answer.kind === 'declined') return ends(worker, outcomeOf(DECLINED));
  if (answer.kind === 'duplicate') return ends(worker, outcomeOf(DUPLICATE));
  if (!looksUp || one === undefined) return ends(worker, outcomeOf(UNKNOWN));
  const unknown = { ...UNKNOWN, ...(answer.replayed && { replayed: true as const }) };
  return ends(worker, inDoubt(notFoundAgain(unknown, one, databaseNow(state), unseen(rules)) as InDoubt));
}

const DUPLICATE = { ...UNKNOWN, duplicate: true } as const;

/** Writes the outcome into the ledger, if the cycle is still this worker's. */
export function record(state: State, index: number): void {
  const worker = state.workers[index]!;
  const one = owned(state, worker);
  const { outcome, attempt } = worker;
  state.workers[index] = IDLE;
  if (!one || outcome === null) return;
  const now = databaseNow(state);
  state.db.seen = now;
  if (outcome.kind !== 'completed') return recordFailed(state.db.order, one, outcome, attempt, now);
  const transaction = Number(outcome.transactionId);
  const charge = state.gateway.charges.find((charged) => charged.transaction === transaction)!;
  const isFound = one.resolution === 'Found';
  const { cycle, due } = one;
  recordCompleted(state.db.order, one, isFound ? { ...outcome, foundUtc: utc(charge.at) } : outcome, now);
  one.transaction = transaction;
  state.db.orders.push({ cycle, due, transaction });
}

const unplaced = (state: State, rules: Rules): number[] =>
  unrecorded(state, rules).filter(
    (transaction) =>
      !state.db.held.includes(transaction) &&
      !state.db.cycles.some((one) => one.open && one.transaction === transaction),
  );

/** A person says that the database is the one to go on with: it may lack commits. */
export function adopt(state: State): boolean {
  const { db } = state;
  if (!db.refused) return false;
  db.refused = false;
  db.doubtSince = databaseNow(state);
  return true;
}

/** In a required reconciliation: the gateway's list is compared with the ledger, once it shows what was under way. */
export function reconcile(state: State, rules: Rules): boolean {
  const { db } = state;
  if (db.refused || db.doubtSince === null || databaseNow(state) < db.doubtSince + LIST_LAG) return false;
  // The wait is longer than a request of before is under way and its charge not listed.
  const { travelling, charges } = state.gateway;
  if (travelling.length > 0 || charges.some(({ at }) => at + LIST_LAG > state.now)) return false;
  db.found = unplaced(state, rules);
  db.doubtSince = null;
  return true;
}

/**
 * The rolling comparison with the gateway's books: a charge that no cycle has, or is finding out about, is shown, and
 * holds the order.
 */
export function audit(state: State, rules: Rules): boolean {
  const { db } = state;
  const open = openCycle(db);
  const isExplained = (transaction: number) => {
    const charge = state.gateway.charges.find((one) => one.transaction === transaction)!;
    return db.found.includes(transaction) || (open !== undefined && isOf(rules, open, charge));
  };
  const unexplained =
    !db.refused && db.doubtSince === null ? unplaced(state, rules).filter((one) => !isExplained(one)) : [];
  db.held.push(...unexplained);
  return unexplained.length > 0;
}

/** Gives the oldest found charge its place in the ledger. */
export function place(state: State): boolean {
  const { db } = state;
  const transaction = db.found[0];
  if (db.refused || transaction === undefined) return false;
  const charge = state.gateway.charges.find((one) => one.transaction === transaction)!;
  const placement = placed(charge, db);
  if (placement.kind === 'later') return false;
  db.found = db.found.slice(1);
  if (placement.kind === 'known') return true;
  if (placement.kind === 'beside') {
    db.held.push(transaction);
    return true;
  }
  const one = placement.kind === 'open' ? openCycle(db)! : newCycle(db, 0, null);
  if (placement.kind === 'new') db.cycles.push(one);
  Object.assign(one, {
    state: 'Unknown',
    attempt: Math.max(one.attempt, charge.attempt),
    startedAt: charge.at,
    resolution: placement.differs !== null ? 'NeedsReview' : 'Found',
    transaction: placement.differs !== null ? null : transaction,
    due: minuteOf(placement.dueUtc),
    replaced: minuteOrNull(placement.replacedUtc),
    retriesExhausted: false,
    claim: one.claim + 1,
    worker: null,
    leaseUntil: null,
    nextAt: databaseNow(state),
    stoppedAt: placement.kind === 'new' && placement.differs !== null ? databaseNow(state) : one.stoppedAt,
  } satisfies Partial<Cycle>);
  if (placement.differs !== null) db.held.push(transaction);
  return true;
}
