import { openCycle } from './cycles.js';
import { LIST_LAG } from './gateway.js';
import type { Rules } from './rules.js';
import { type Cycle, keysOf, type State } from './state.js';
import { copyOf, deliver, pass } from './steps.js';
import { adopt, audit, claim, claimAgain, freezeAgain, place, reconcile, record, resolve, send } from './workers.js';

const DAY = 24 * 60;

/** What must hold in every state. @returns what is broken; null: nothing is. */
export function broken(state: State): string | null {
  const { db, gateway } = state;
  const ours = gateway.charges.filter(({ due }) => due !== null);
  const paid = new Set(ours.map(({ due }) => due));
  if (paid.size < ours.length) return 'An occurrence is charged twice.';
  // The schedule's own occurrences until now, from the first at 0 on, and one for each request that asks for another.
  const licensed = Math.floor(state.now / DAY) + 1 + state.requested;
  if (paid.size > licensed) return 'Nobody asked for one of the charges.';
  const used = db.orders.map(({ transaction }) => transaction);
  if (new Set(used).size < used.length) return 'A transaction pays for two Orders.';
  for (const order of db.orders) {
    const charge = gateway.charges.find(({ transaction }) => transaction === order.transaction);
    if (charge?.due !== order.due) return 'An Order has no capture of its own.';
  }
  return null;
}

/** What must hold once faults have ended and everything has come to rest. */
function unsettled(state: State): string | null {
  const { db, gateway } = state;
  for (const { due, transaction } of gateway.charges) {
    if (due === null || db.orders.some((order) => order.transaction === transaction)) continue;
    if (!db.held.includes(transaction)) return `Charge ${transaction} has no Order, and nobody sees it.`;
  }
  const open = openCycle(db);
  if (open && open.resolution !== 'NeedsReview' && !(open.state === 'Unknown' && open.retriesExhausted))
    return `Cycle ${open.cycle} stays ${open.state}.`;
  if (db.found.length > 0) return 'A found charge gets no place.';
  return null;
}

const MOST_STEPS = 300;
/** Steps; to look takes as long as a few of them. */
const LOOK_EVERY = 3;

/**
 * Faults have ended: one thing after the other goes its way, and then the next occurrence, too, because a fault may
 * show only there. Most ways soon come to where an earlier one has been, which `known` remembers with its end.
 * @param key of `from` where faults have ended.
 * @returns what is wrong with the state at rest; null: nothing is.
 */
export function wrongAtRest(from: State, key: string, rules: Rules, known: Map<string, string | null>): string | null {
  const before = known.get(key);
  if (before !== undefined) return before;
  const state = copyOf(from);
  state.databaseAhead = 0;
  const passed = [key];
  const ends = (wrong: string | null) => {
    for (const key of passed) known.set(key, wrong);
    return wrong;
  };
  let isNextDone = false;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (step % LOOK_EVERY === 1) {
      const here = `${keysOf(state).ended()}${isNextDone ? ' next' : ''}`;
      const wrong = known.get(here);
      if (wrong !== undefined) return ends(wrong);
      passed.push(here);
    }
    if (goesOn(state, rules)) continue;
    if (decides(state)) continue;
    const waitsMinutes = nextIn(state);
    if (waitsMinutes !== null) pass(state, rules, waitsMinutes);
    else if (isNextDone || !takesNext(state)) return ends(broken(state) ?? unsettled(state));
    else {
      isNextDone = true;
      pass(state, rules, state.db.order.next! - state.now);
    }
  }
  return ends('It never comes to rest.');
}

const takesNext = ({ db: { order, held }, now }: State): boolean =>
  order.status === 'Active' && !order.deleted && order.next !== null && order.next > now && held.length === 0;

/** How long nothing happens by itself; null: nothing will, before the next occurrence. */
function nextIn(state: State): number | null {
  const { db, gateway, now } = state;
  if (gateway.charges.some(({ at }) => at + LIST_LAG > now)) return LIST_LAG;
  if (isAtRest(state)) return null;
  const open = openCycle(db);
  const times = [open?.nextAt, open?.leaseUntil, db.doubtSince === null ? null : db.doubtSince + LIST_LAG];
  const later = times.flatMap((at) => (at != null && at > now ? [at] : []));
  return later.length === 0 ? null : Math.min(...later) - now;
}

/**
 * A person says of a held cycle that its charge is its payment. Until then later charges of the order have no place.
 */
function decides({ db, gateway, now }: State): boolean {
  const open = openCycle(db);
  if (open?.resolution !== 'NeedsReview') return false;
  const transaction = db.held.find((held) =>
    gateway.charges.some((one) => one.transaction === held && one.due === open.due),
  );
  if (transaction === undefined) return false;
  db.held = db.held.filter((one) => one !== transaction);
  Object.assign(open, { resolution: 'Found', transaction, nextAt: now } satisfies Partial<Cycle>);
  return true;
}

/** What only waits for a person is looked at again and again. */
const isAtRest = ({ db, gateway }: State): boolean =>
  gateway.travelling.length === 0 && openCycle(db)?.resolution === 'NeedsReview';

function goesOn(state: State, rules: Rules): boolean {
  if (state.gateway.travelling.length > 0) {
    deliver(state, rules, 0, 'approved');
    return true;
  }
  for (const [index, worker] of state.workers.entries()) {
    if (worker.doing === 'nothing') continue;
    if (worker.doing === 'claimed') freezeAgain(state, rules, index);
    else if (worker.doing === 'frozen') send(state, rules, index);
    else if (worker.doing === 'inDoubt') resolve(state, rules, index);
    else record(state, index);
    return true;
  }
  return (
    adopt(state) ||
    reconcile(state, rules) ||
    audit(state, rules) ||
    place(state) ||
    claim(state, rules, 0) ||
    (openCycle(state.db)?.resolution !== 'NeedsReview' && claimAgain(state, rules, 0))
  );
}
