import { arrive, chargeElsewhere, FATES, rememberedAnswer } from './gateway.js';
import { ask, REQUESTS } from './requests.js';
import { type Rules, STRANGERS } from './rules.js';
import type { Budget, State } from './state.js';
import {
  adopt,
  audit,
  claim,
  claimAgain,
  databaseNow,
  freezeAgain,
  hear,
  IDLE,
  place,
  reconcile,
  record,
  resolve,
  send,
} from './workers.js';

export interface Step {
  readonly what: string;
  readonly after: State;
}

const RESTORED = 'the backup is restored';
const MOVED = 'the backup is put into another database';
export const RESTORES: readonly string[] = [RESTORED, MOVED];

/**
 * Ten minutes: leases have run out. Nine hours: GatewayTwo has forgotten. A day and more:
 * GatewayOne has, and the next occurrence is due.
 */
const WAITS = [10, 9 * 60, 25 * 60];
/** Requests that did not arrive within this time never do. */
const LONGEST_TRAVEL = 8 * 60;
const JUMP = 25 * 60;

/**
 * Of everything that a step changes in place: a snapshot, charges, Orders and what the gateway remembers are written
 * once.
 */
export const copyOf = (state: State): State => ({
  ...state,
  db: copyOfDatabase(state.db),
  workers: [{ ...state.workers[0] }, { ...state.workers[1] }],
  gateway: {
    remembered: [...state.gateway.remembered],
    charges: [...state.gateway.charges],
    travelling: state.gateway.travelling.map((sending) => ({ ...sending })),
  },
  left: { ...state.left },
});

const copyOfDatabase = (db: State['db']): State['db'] => ({
  ...db,
  order: { ...db.order },
  cycles: db.cycles.map((cycle) => ({ ...cycle, past: [...cycle.past] })),
  orders: [...db.orders],
  found: [...db.found],
  held: [...db.held],
});

/** Every step that may come next. */
export function stepsFrom(state: State, rules: Rules): Step[] {
  const steps: Step[] = [];
  // Most steps are none: what is false has changed nothing, and the next one gets the same copy.
  let spare: State | null = null;
  const may = (what: string, change: (after: State) => boolean | void, uses?: keyof Budget) => {
    if (uses !== undefined && state.left[uses] === 0) return;
    const after = spare ?? copyOf(state);
    const isStep = change(after) !== false;
    spare = isStep ? null : after;
    if (!isStep) return;
    if (uses !== undefined) after.left[uses] -= 1;
    steps.push({ what, after });
  };
  state.workers.forEach((_, index) => work(state, rules, index, may));
  may('the gateway is compared with the ledger', (after) => reconcile(after, rules));
  may('the books are compared', (after) => audit(after, rules));
  may('a found charge gets its place', place);
  state.gateway.travelling.forEach((sending, at) => {
    const isNew = rememberedAnswer(state, rules, sending) === undefined;
    for (const fate of isNew ? FATES : (['approved'] as const)) {
      const isFault = fate !== 'approved';
      may(
        isNew ? `request ${sending.key} arrives and is ${fate}` : `request ${sending.key} arrives and is recognised`,
        (after) => deliver(after, rules, at, fate),
        isFault ? 'gatewayFaults' : undefined,
      );
    }
    if (sending.from !== null)
      may(`no answer to ${sending.key} in time`, (after) => giveUpWaiting(after, rules, at), 'gatewayFaults');
  });
  for (const request of REQUESTS) may(request, (after) => ask(after, rules, request), 'requests');
  if (state.snapshot === null) may('a backup is made', (after) => backUp(after), 'restores');
  else {
    may(RESTORED, (after) => restore(after, false));
    may(MOVED, (after) => restore(after, true), 'moves');
  }
  may('the database is adopted', adopt);
  for (const who of STRANGERS) may(`${who} charges`, (after) => chargeElsewhere(after, who), 'strangers');
  for (const minutes of WAITS) may(`${minutes} minutes pass`, (after) => pass(after, rules, minutes), 'waits');
  if (state.databaseAhead === 0) {
    may('the machine of workers and database sleeps for a day', (after) => sleep(after, rules), 'clockJumps');
    may('the clock of the database is a day ahead', (after) => void (after.databaseAhead = JUMP), 'clockJumps');
  } else may('the clock of the database is right again', (after) => void (after.databaseAhead = 0));
  return steps;
}

type May = (what: string, change: (after: State) => boolean | void, uses?: keyof Budget) => void;

function work(state: State, rules: Rules, index: number, may: May): void {
  const worker = state.workers[index]!;
  const name = `worker ${index + 1}`;
  // Workers are alike: the second one comes into play while the first one is busy.
  const isSpare = index === 1 && state.workers[0].doing === 'nothing';
  switch (worker.doing) {
    case 'nothing':
      if (isSpare) return;
      may(`${name} claims the order`, (after) => claim(after, rules, index));
      may(`${name} takes up the open cycle`, (after) => claimAgain(after, rules, index));
      return;
    case 'claimed':
      may(`${name} freezes another attempt`, (after) => freezeAgain(after, rules, index));
      break;
    case 'frozen':
      may(`${name} sends`, (after) => send(after, rules, index));
      break;
    case 'inDoubt':
      may(`${name} finds out the outcome`, (after) => resolve(after, rules, index));
      break;
    case 'answered':
      may(`${name} records`, (after) => record(after, index));
      break;
    case 'sent':
    case 'repeated':
      break;
  }
  may(`${name} dies`, (after) => die(after, index), 'crashes');
}

function die(state: State, index: number): void {
  state.workers[index] = IDLE;
  for (const sending of state.gateway.travelling) if (sending.from === index) sending.from = null;
}

export function deliver(state: State, rules: Rules, at: number, fate: (typeof FATES)[number]): void {
  const [sending] = state.gateway.travelling.splice(at, 1);
  const answer = arrive(state, rules, sending!, fate);
  if (sending!.from !== null) hear(state, rules, sending!.from, answer);
}

function giveUpWaiting(state: State, rules: Rules, at: number): void {
  const sending = state.gateway.travelling[at]!;
  hear(state, rules, sending.from!, null);
  sending.from = null;
}

function backUp(state: State): void {
  state.snapshot = { db: copyOfDatabase(state.db), at: state.now };
}

/** In place: the database shows a new timeline. Elsewhere: it is another one. All workers are gone with it. */
function restore(state: State, isElsewhere: boolean): boolean {
  if (JSON.stringify(state.db) === JSON.stringify(state.snapshot!.db)) return false;
  state.db = copyOfDatabase(state.snapshot!.db);
  state.snapshot = null;
  state.db.refused = isElsewhere;
  state.db.doubtSince = databaseNow(state);
  state.workers.forEach((_, index) => die(state, index));
  return true;
}

/** Whoever waited for an answer has had none in time. */
export function pass(state: State, rules: Rules, minutes: number): void {
  state.now += minutes;
  const { gateway } = state;
  for (const sending of gateway.travelling) {
    if (sending.from === null) continue;
    hear(state, rules, sending.from, null);
    sending.from = null;
  }
  gateway.travelling = gateway.travelling.filter(({ sentAt }) => state.now - sentAt < LONGEST_TRAVEL);
}

/** Neither clock of the machine goes on, while the gateway's does. */
function sleep(state: State, rules: Rules): void {
  pass(state, rules, JUMP);
  state.databaseAhead = -JUMP;
  for (const worker of state.workers) if (worker.doing !== 'nothing') worker.leaseUntil += JUMP;
}
