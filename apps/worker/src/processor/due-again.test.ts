import type { Completion, FailedAttempt, Recorded } from './cycle/recorded.js';
import { dueAgainInMs } from './due-again.js';

const now = new Date('2026-05-15T10:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const completion = (values: Partial<Completion>) =>
  ({ rescheduledMeanwhile: false, nextUtc: null, ...values }) as Completion;
const failedAttempt = (values: Partial<FailedAttempt>) =>
  ({ nextAttemptUtc: null, nextOccurrenceUtc: null, ...values }) as FailedAttempt;
const NOTHING: Recorded = { completed: [], failed: [], confirmed: [], lost: [], hasPushes: false };

describe('What was recorded is looked at again', () => {
  it.each([
    ['never, if nothing is left to be done', [completion({})], [failedAttempt({})], Infinity],
    ['when the first falls due again', [completion({ nextUtc: later(9) }), completion({ nextUtc: later(5) })], [], 5],
    [
      'at once, if a request rescheduled it in the meantime',
      [completion({ rescheduledMeanwhile: true, nextUtc: later(9) })],
      [],
      0,
    ],
    [
      'at the next try, not at the next occurrence',
      [],
      [failedAttempt({ nextAttemptUtc: later(7), nextOccurrenceUtc: later(3) })],
      7,
    ],
    ['at the next occurrence, if the cycle has ended', [], [failedAttempt({ nextOccurrenceUtc: later(3) })], 3],
    ['at once, if it keeps the date that a request gave it', [], [failedAttempt({ nextOccurrenceUtc: undefined })], 0],
    [
      'at once, if its time has passed',
      [completion({ nextUtc: later(-5) })],
      [failedAttempt({ nextAttemptUtc: later(7) })],
      0,
    ],
  ])('%s', (_, completed, failed, ms) => {
    expect(dueAgainInMs({ ...NOTHING, completed, failed }, now)).toBe(ms);
  });

  it.each(['confirmed', 'lost'] as const)('at once, if somebody else may have written it: what is %s', (what) => {
    expect(dueAgainInMs({ ...NOTHING, [what]: [{}] }, now)).toBe(0);
  });
});
