import { Turns } from './turns.js';

const atOnce = <T>(work: () => Promise<T>) => work();

describe('The turns of a report', () => {
  it('pass to others after some milliseconds, and begin anew', async () => {
    const turns = new Turns(atOnce, new AbortController().signal);
    expect(turns.isDue()).toBe(false);
    const end = performance.now() + 6;
    while (performance.now() < end);
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
