import type { Cycle, Database } from './state.js';

export const newest = ({ cycles }: Database): Cycle | undefined => cycles.at(-1);
export const openCycle = ({ cycles }: Database): Cycle | undefined => cycles.find(({ open }) => open);

export const newCycle = (db: Database, due: number, replaced: number | null): Cycle => ({
  cycle: (newest(db)?.cycle ?? 0) + 1,
  state: 'Claimed',
  open: true,
  due,
  replaced,
  attempt: 0,
  key: null,
  startedAt: null,
  worker: null,
  claim: 0,
  leaseUntil: null,
  nextAt: null,
  transaction: null,
  rescheduled: false,
  stoppedAt: null,
  retriesExhausted: false,
  madePending: false,
  known: false,
  replayedAt: null,
  paymentFailures: 0,
  technicalFailures: 0,
  lookUps: 0,
  past: [],
  resolution: null,
  endedAt: null,
});
