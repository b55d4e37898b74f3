import { Paging } from './paging.js';

const OK = 'page';
const unavailable = (retryAfterMs?: number) => ({
  kind: 'unavailable',
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

/** Reads pages: each is a list of faults that are met before it is read. */
async function reading(...pages: readonly { kind: string; retryAfterMs?: number }[][]) {
  const paused: number[] = [];
  let calls = 0;
  const read = new Paging(null, (ms) => Promise.resolve(paused.push(ms))).reader((error) => error as { kind: string });
  const results: unknown[] = [];
  for (const faults of pages) {
    const left = [...faults];
    const one = () => {
      calls += 1;
      const fault = left.shift();
      // What a fault is, the reading is told by `outcomeOf`.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      return fault ? Promise.reject(fault) : Promise.resolve(OK);
    };
    results.push(await read(one).catch((fault: { kind: string }) => fault.kind));
  }
  return { paused, calls, results };
}

describe('The reading of a page that meets faults', () => {
  it('pauses longer and longer, and gives up with the sixth fault', async () => {
    const five = Array.from({ length: 5 }, () => unavailable());
    const pauses = [1_000, 2_000, 4_000, 8_000, 10_000];
    expect(await reading([], five)).toEqual({ paused: pauses, calls: 7, results: [OK, OK] });
    expect(await reading([], [...five, unavailable()])).toEqual({
      paused: pauses,
      calls: 7,
      results: [OK, 'unavailable'],
    });
  });

  it('begins anew with each page', async () => {
    const { paused } = await reading([], [unavailable(), unavailable()], [], [unavailable()]);
    expect(paused).toEqual([1_000, 2_000, 1_000]);
  });

  it.each([
    [0, [1_000]],
    [3_000, [3_000]],
    [10_000, [10_000]],
  ])('pauses as long as the gateway asks for, at least a second: %d ms', async (askedMs, paused) => {
    expect(await reading([], [unavailable(askedMs)])).toEqual({ paused, calls: 3, results: [OK, OK] });
  });

  it('ends where the gateway asks for more than ten seconds', async () => {
    expect(await reading([], [unavailable(11_000)])).toEqual({ paused: [], calls: 2, results: [OK, 'unavailable'] });
  });

  it.each(['refused', 'unknown'])('ends with a fault that does not pass by: %s', async (kind) => {
    expect(await reading([], [{ kind }])).toEqual({ paused: [], calls: 2, results: [OK, kind] });
  });

  it('reads the first page once', async () => {
    expect(await reading([unavailable()])).toEqual({ paused: [], calls: 1, results: ['unavailable'] });
  });
});
