import { hash } from 'node:crypto';
import type { CycleState } from '#libs/entities';
import type { Outcome } from '../../apps/worker/src/processor/cycle/outcome.js';

/**
 * The protocol as a small state machine: one scheduled order with a few occurrences, two workers, one payment gateway,
 * and everything that may happen between two of their steps. A state is plain JSON. Times are whole minutes since the
 * order was made.
 */
export interface State {
  /** True time: the gateway's clock where nothing else is said. */
  now: number;
  /** How far the database's clock is ahead of the true one. */
  databaseAhead: number;
  db: Database;
  /** An earlier state of the database, which a restore brings back. */
  snapshot: { db: Database; at: number } | null;
  workers: [Worker, Worker];
  gateway: Gateway;
  /** What may still go wrong, or be asked: each kind so many times. */
  left: Budget;
  /** Requests that were accepted and ask for one more charge than the schedule. */
  requested: number;
}

/** How often each kind of disturbance may happen in one story. */
export interface Budget {
  requests: number;
  crashes: number;
  restores: number;
  gatewayFaults: number;
  clockJumps: number;
  waits: number;
  /** Charges that others make on the account. */
  strangers: number;
  /** Backups that are put into another database, where workers refuse until it is adopted. */
  moves: number;
}

export const NO_BUDGET: Budget = {
  requests: 0,
  crashes: 0,
  restores: 0,
  gatewayFaults: 0,
  clockJumps: 0,
  waits: 0,
  strangers: 0,
  moves: 0,
};

/** What tells a state from all others, and what does where faults have ended: in a tenth of its memory. */
export function keysOf({ databaseAhead, left, snapshot, ...rest }: State): { whole: string; ended: () => string } {
  const text = JSON.stringify(rest);
  return { whole: digest(text + JSON.stringify([databaseAhead, left, snapshot])), ended: () => digest(text) };
}
const digest = (text: string): string => hash('md5', text, 'base64url');

export interface Database {
  order: Order;
  cycles: Cycle[];
  /** Written Orders. */
  orders: { cycle: number; due: number; transaction: number | null }[];
  /** Charges of the gateway's list that have no place in the ledger yet. */
  found: number[];
  /** Charges whose place a person must decide: they hold the order. */
  held: number[];
  /** It is another database than workers know. */
  refused: boolean;
  /** Since when a reconciliation is required; null: none is. */
  doubtSince: number | null;
  seen: number;
}

export interface Order {
  status: 'Active' | 'Pending' | 'Paused';
  deleted: boolean;
  next: number | null;
  replaced: number | null;
  anchor: number;
}

export interface Cycle {
  cycle: number;
  state: CycleState;
  open: boolean;
  due: number;
  replaced: number | null;
  attempt: number;
  /** The name of the current attempt at the gateway; null: nothing is frozen. */
  key: string | null;
  startedAt: number | null;
  worker: number | null;
  claim: number;
  leaseUntil: number | null;
  nextAt: number | null;
  transaction: number | null;
  rescheduled: boolean;
  stoppedAt: number | null;
  retriesExhausted: boolean;
  madePending: boolean;
  known: boolean;
  /** When the gateway first repeated a stored answer for its attempt. */
  replayedAt: number | null;
  paymentFailures: number;
  technicalFailures: number;
  /**
   * How often outcomes of its attempts were looked up, and the same by the end of each earlier attempt, with the time
   * of its first sending.
   */
  lookUps: number;
  past: { startedAt: number; lookUps: number }[];
  resolution: 'Found' | 'NeedsReview' | null;
  endedAt: number | null;
}

/** What a worker has in memory. */
export interface Worker {
  doing: 'nothing' | 'claimed' | 'frozen' | 'sent' | 'inDoubt' | 'repeated' | 'answered';
  cycle: number;
  claim: number;
  attempt: number;
  leaseUntil: number;
  /** What it is about to record. */
  outcome: Outcome | null;
}

/** What a gateway answers. */
export type Answer =
  | { kind: 'succeeded'; transaction: number }
  | { kind: 'declined' }
  | { kind: 'error'; replayed?: true }
  | { kind: 'duplicate' };

export interface Gateway {
  /** What it remembers of a request, by its key, and since when, by its own clock. */
  remembered: { key: string; due: number; answer: Answer; at: number }[];
  charges: Charge[];
  /** Requests that have not arrived. */
  travelling: Sending[];
}

export interface Charge {
  transaction: number;
  /** What the charge names itself, without the attempt. */
  name: string;
  /** The occurrence that it was sent for; null: a stranger sent it. */
  due: number | null;
  attempt: number;
  /** By the true clock. */
  at: number;
}

export interface Sending {
  key: string;
  name: string;
  due: number;
  attempt: number;
  /** The worker that waits for the answer; null: nobody does any more. */
  from: number | null;
  sentAt: number;
}
