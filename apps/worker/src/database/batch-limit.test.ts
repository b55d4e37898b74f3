import { BatchLimit } from './batch-limit.js';

const limitAfter = (...probes: readonly { lateMs: number; isApiActive?: boolean; times?: number }[]): number => {
  const limit = new BatchLimit();
  for (const { lateMs, isApiActive = true, times = 20 } of probes)
    for (let time = 0; time < times; time++) limit.add({ lateMs, isApiActive });
  return limit.batches;
};

describe('How many batches a worker processes at once', () => {
  it('is four before anything was measured', () => {
    expect(new BatchLimit().batches).toBe(4);
  });

  it('is two while an API answers requests and the processors of the database are busy', () => {
    expect(limitAfter({ lateMs: 0.6 })).toBe(2);
  });

  it('stays four on a database with processors to spare', () => {
    expect(limitAfter({ lateMs: 0.12 })).toBe(4);
  });

  it('stays four without requests, however busy the database is', () => {
    expect(limitAfter({ lateMs: 5, isApiActive: false })).toBe(4);
  });

  it('follows the mean of twenty probes, not single ones', () => {
    expect(limitAfter({ lateMs: 5, times: 19 })).toBe(4);
    expect(limitAfter({ lateMs: 0.1 }, { lateMs: 4, times: 1 })).toBe(4);
    expect(limitAfter({ lateMs: 0.1 }, { lateMs: 4, times: 2 })).toBe(2);
  });

  it('stays as it is between the two marks, so that it does not go to and fro', () => {
    expect(limitAfter({ lateMs: 0.6 }, { lateMs: 0.25 })).toBe(2);
    expect(limitAfter({ lateMs: 0.1 }, { lateMs: 0.25 })).toBe(4);
  });

  it('is four again when the processors are free again', () => {
    expect(limitAfter({ lateMs: 0.6 }, { lateMs: 0.1 })).toBe(4);
  });

  it('is four again at once when the API has nothing to do', () => {
    expect(limitAfter({ lateMs: 0.6 }, { lateMs: 0.6, isApiActive: false, times: 1 })).toBe(4);
  });

  it('stays as it is on each of the marks', () => {
    expect(limitAfter({ lateMs: 0, times: 19 }, { lateMs: 6, times: 1 })).toBe(4);
    expect(limitAfter({ lateMs: 0, times: 19 }, { lateMs: 6.1, times: 1 })).toBe(2);
    expect(limitAfter({ lateMs: 0.6 }, { lateMs: 4, times: 1 }, { lateMs: 0, times: 19 })).toBe(2);
    expect(limitAfter({ lateMs: 0.6 }, { lateMs: 3.9, times: 1 }, { lateMs: 0, times: 19 })).toBe(4);
  });
});
