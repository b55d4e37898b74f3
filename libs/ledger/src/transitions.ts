import { CYCLE_STATES, type CycleState } from '#libs/entities';

/** A change of a cycle's state: the states before it and after it. `null`: there is no cycle yet. */
export interface Transition {
  readonly from: readonly (CycleState | null)[];
  readonly to: readonly CycleState[];
  /** Who makes the change, and when. */
  readonly what: string;
}

/**
 * Every change of a cycle's state. A step that keeps the state (a renewed lease, a takeover) is not a transition. The
 * tests refuse every other change (test/support/transitions.ts), and the diagram in docs/processing.md is made from
 * this table.
 */
export const TRANSITIONS = {
  claimed: { from: [null], to: ['Claimed'], what: 'A worker claims a due order.' },
  skipped: { from: [null, 'Retrying', 'Waiting'], to: ['Skipped'], what: 'A request skips the occurrence.' },
  claimedAgain: { from: ['Retrying', 'Waiting'], to: ['Claimed'], what: 'The time of the next attempt has come.' },
  released: {
    from: ['Claimed'],
    to: ['Retrying', 'Waiting'],
    what: 'The worker stops, or may not charge now: nothing was sent.',
  },
  frozen: {
    from: [null, 'Claimed'],
    to: ['Charging'],
    what: 'The attempt is written down; then it is sent. A new cycle begins with that, when its charge can be sent at once.',
  },
  completed: { from: ['Charging', 'Unknown'], to: ['Completed'], what: 'It is paid, or there was nothing to pay.' },
  retried: {
    from: ['Claimed', 'Charging', 'Unknown'],
    to: ['Retrying'],
    what: 'It was certainly not charged, and is tried again.',
  },
  waits: {
    from: ['Claimed', 'Charging'],
    to: ['Waiting'],
    what: 'The payment integration does not work, or the order is held.',
  },
  unknown: { from: ['Charging'], to: ['Unknown'], what: 'Whether it was charged must be looked up.' },
  failed: {
    from: ['Claimed', 'Charging', 'Unknown'],
    to: ['Failed'],
    what: 'The retries are used up, the order cannot be processed, or a request stopped it.',
  },
  ended: {
    from: ['Claimed', 'Retrying', 'Waiting'],
    to: ['Failed'],
    what: 'A request pauses or deletes the order before anything is sent.',
  },
  processedNow: {
    from: ['Waiting', 'Failed'],
    to: ['Retrying'],
    what: 'A request (Process) takes up a cycle that waits or has failed.',
  },
  takenBack: {
    from: ['Failed'],
    to: ['Waiting'],
    what: 'The credentials were another account’s: the orders wait for the right ones.',
  },
  found: {
    from: [null, 'Claimed', 'Charging', 'Retrying', 'Waiting'],
    to: ['Unknown'],
    what: 'A charge that lost commits had made was found at the gateway.',
  },
} as const satisfies Record<string, Transition>;

/** Every pair of states that a transition connects; from `null`: the states in which a cycle may begin. */
export function allowedChanges(): readonly { readonly from: CycleState | null; readonly to: CycleState }[] {
  const pairs = Object.values<Transition>(TRANSITIONS).flatMap(({ from, to }) =>
    from.flatMap((one) => to.map((other) => ({ from: one, to: other }))),
  );
  return [null, ...CYCLE_STATES].flatMap((from) =>
    CYCLE_STATES.filter((to) => pairs.some((pair) => pair.from === from && pair.to === to)).map((to) => ({ from, to })),
  );
}
