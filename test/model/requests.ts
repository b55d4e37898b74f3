import { assertMeant, planActivation, planProcess, planReschedule, planSkip } from '#libs/ledger';
import { Conflict } from '#libs/records';
import { Rejected } from '#libs/rules';
import { newCycle, newest, openCycle } from './cycles.js';
import { latestCycle, minuteOf, minuteOrNull, orderToChange, utc } from './product.js';
import type { Rules } from './rules.js';
import type { Cycle, Order, State } from './state.js';
import { databaseNow } from './workers.js';

/** What people ask, each with the product's own plan. A refused request changes nothing. */
export const REQUESTS = [
  'skip',
  'process',
  'processExpected',
  'rescheduleToNow',
  'pause',
  'activate',
  'delete',
] as const;
export type Request = (typeof REQUESTS)[number];

/** @returns whether it was accepted. */
export function ask(state: State, rules: Rules, request: Request): boolean {
  if (state.db.order.deleted) return false;
  try {
    return DO[request](state, rules);
  } catch (error) {
    if (error instanceof Conflict || error instanceof Rejected) return false;
    throw error;
  }
}

type Change = ReturnType<typeof planProcess>['change'];

function write(order: Order, change: Change): void {
  if (change.status !== undefined) order.status = change.status;
  if (change.nextOccurrenceUtc !== undefined) order.next = minuteOrNull(change.nextOccurrenceUtc);
  if (change.replacedOccurrenceUtc !== undefined) order.replaced = minuteOrNull(change.replacedOccurrenceUtc);
  if (change.scheduleAnchorUtc !== undefined) order.anchor = minuteOf(change.scheduleAnchorUtc);
}

/** The next minute that no cycle of the order has: what a request makes due has a name of its own. */
function freeMinute({ db }: State, minute: number): number {
  return db.cycles.some(({ due }) => due === minute) ? freeMinute({ db } as State, minute + 1) : minute;
}

const planned = (state: State) =>
  [orderToChange(state.db.order), latestCycle(newest(state.db)), utc(databaseNow(state))] as const;

const end = (state: State, one: Cycle, as: 'Failed' | 'Skipped'): void =>
  void Object.assign(one, {
    state: as,
    open: false,
    nextAt: null,
    worker: null,
    leaseUntil: null,
    endedAt: databaseNow(state),
  } satisfies Partial<Cycle>);

function process(state: State, rules: Rules, isExpected: boolean): boolean {
  const { db } = state;
  const now = databaseNow(state);
  const plan = planProcess(...planned(state));
  const last = newest(db);
  // Within 60 seconds after a completion a Process without Expected is the same call again.
  const isAgain = last?.state === 'Completed' && last.endedAt === now;
  if (plan.mayBeRepeated && isAgain && !isExpected && !rules.faults.has('blindProcess')) return false;
  write(db.order, plan.change);
  if (plan.takesUp !== null) {
    const one = db.cycles.find(({ cycle }) => cycle === plan.takesUp!.cycle)!;
    Object.assign(one, {
      state: 'Retrying',
      open: true,
      retriesExhausted: false,
      rescheduled: false,
      madePending: false,
      stoppedAt: null,
      nextAt: now,
      endedAt: null,
    } satisfies Partial<Cycle>);
    return true;
  }
  if (db.order.next === now) db.order.next = freeMinute(state, now);
  if (isExpected || !isAgain) state.requested += 1;
  return true;
}

const DO: Record<Request, (state: State, rules: Rules) => boolean> = {
  process: (state, rules) => process(state, rules, false),
  processExpected: (state, rules) => process(state, rules, true),
  skip(state) {
    const { db } = state;
    const plan = planSkip(...planned(state));
    if (plan.ends !== null) end(state, openCycle(db)!, 'Skipped');
    else {
      const last = newest(db);
      if (last?.retriesExhausted) last.retriesExhausted = false;
      const one = newCycle(db, minuteOf(plan.skipped.dueUtc), minuteOrNull(plan.skipped.replacedUtc));
      db.cycles.push(one);
      end(state, one, 'Skipped');
    }
    write(db.order, plan.change);
    return true;
  },
  rescheduleToNow(state, rules) {
    const { db } = state;
    const instant = freeMinute(state, databaseNow(state));
    const [order, latest, now] = planned(state);
    const plan = planReschedule(order, latest, utc(instant), now);
    // Who does not know of the charge in progress wants no other one.
    if (!rules.faults.has('blindReschedule')) assertMeant(plan, utc(instant), undefined);
    write(db.order, plan.change);
    const open = openCycle(db);
    if (plan.waits !== null) open!.nextAt = instant;
    else if (plan.inProgress !== null) open!.rescheduled = true;
    else state.requested += 1;
    return true;
  },
  pause(state) {
    const { db } = state;
    if (db.order.status !== 'Active') return false;
    db.order.status = 'Paused';
    endWait(state);
    return true;
  },
  activate(state) {
    const { db } = state;
    if (db.order.status === 'Active') return false;
    const plan = planActivation(...planned(state));
    if (plan.leaves !== null) newest(db)!.retriesExhausted = false;
    if (plan.reschedules !== null) openCycle(db)!.rescheduled = true;
    write(db.order, plan.change);
    return true;
  },
  delete(state) {
    state.db.order.deleted = true;
    endWait(state);
    return true;
  },
};

/** As `endWait` of status-requests.ts, and `deleteOrders`: what was sent is stopped, what was not ends. */
function endWait(state: State): void {
  const one = openCycle(state.db);
  if (!one) return;
  if (one.state === 'Charging' || one.state === 'Unknown') {
    one.stoppedAt ??= databaseNow(state);
    return;
  }
  const { order } = state.db;
  if (!one.rescheduled && !order.deleted) {
    const { change } = planSkip(
      orderToChange(order),
      { ...latestCycle(one)!, state: 'Retrying' },
      utc(databaseNow(state)),
    );
    write(order, change);
  }
  end(state, one, 'Failed');
}
