import { Turns } from './turns.js';

const atOnce = <T>(work: () => Promise<T>) => work();

describe('The turns of a report', () => {
  afterEach(() => jest.restoreAllMocks());

  it('pass to others after some milliseconds, and begin anew', async () => {
    // A busy machine may stand still for milliseconds.
    let nowMs = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const turns = new Turns(atOnce, new AbortController().signal);
    expect(turns.isDue()).toBe(false);
    nowMs += 6;
    expect(turns.isDue()).toBe(true);
    let hadTurn = false;
    setImmediate(() => (hadTurn = true));
    await turns.pass();
    expect([hadTurn, turns.isDue()]).toEqual([true, false]);
  });

  it('end when the client has gone: nothing more is read or calculated', async () => {
    const gone = new AbortController();
    const turns = new Turns(atOnce, gone.signal);
    expect(await turns.read(() => Promise.resolve(1))).toBe(1);
    gone.abort(new Error('gone'));
    let reads = 0;
    const read = () => turns.read(() => Promise.resolve(++reads));
    expect(read).toThrow('gone');
    await expect(turns.pass()).rejects.toThrow('gone');
    expect(reads).toBe(0);
  });
});
