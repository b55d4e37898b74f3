import { setImmediate as turn } from 'node:timers/promises';
import { TooManyRequests, Unavailable } from '../../http/problems/errors.js';
import { LoginQueue } from './login-queue.js';

const login = (account: string, address: string) => ({ account: `account:${account}`, address: `address:${address}` });

/** A work that begins when its turn has come, and ends when it is told to. */
function held() {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = { isRunning: false, end, run: () => ((work.isRunning = true), ended) };
  return work;
}

const heldWorks = (count: number) => Array.from({ length: count }, held);
const running = (works: readonly { isRunning: boolean }[]) => works.filter(({ isRunning }) => isRunning).length;

describe('The queue of logins', () => {
  it.each([
    ['of an account, wherever they come from', (index: number) => login('a', String(index))],
    ['from an address, whatever the account', (index: number) => login(String(index), 'x')],
  ])('lets 5 run at once %s; the others follow in order', async (_, subjects) => {
    const queue = new LoginQueue(100);
    const works = heldWorks(8);
    const done = works.map((work, index) => queue.run(subjects(index), work.run));
    expect(running(works)).toBe(5);
    works[3]!.end();
    await done[3];
    await turn();
    expect(works.map(({ isRunning }) => isRunning)).toEqual([true, true, true, true, true, true, false, false]);
    for (const work of works) work.end();
    await Promise.all(done);
    expect(running(works)).toBe(8);
  });

  it('lets nobody wait for those of another account and address', async () => {
    const queue = new LoginQueue(100);
    const works = heldWorks(20);
    const done = works.map((work) => queue.run(login('a', 'x'), work.run));
    expect(await queue.run(login('b', 'y'), () => Promise.resolve('at once'))).toBe('at once');
    for (const work of works) work.end();
    await Promise.all(done);
  });

  it('goes on after one that fails', async () => {
    const queue = new LoginQueue(100);
    const all = Array.from({ length: 12 }, (_, index) =>
      queue.run(login('a', 'x'), () => (index % 2 === 0 ? Promise.reject(new Error('lost')) : Promise.resolve(index))),
    );
    const settled = await Promise.allSettled(all);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
  });

  it('is bounded, of one address to half of it; those beyond are told to come back', async () => {
    const queue = new LoginQueue(10);
    const works = heldWorks(40);
    const first = works.slice(0, 10).map((work) => queue.run(login('a', 'x'), work.run));
    await expect(queue.run(login('a', 'x'), works[10]!.run)).rejects.toBeInstanceOf(TooManyRequests);
    const second = works.slice(11, 21).map((work) => queue.run(login('b', 'y'), work.run));
    await expect(queue.run(login('a', 'z'), works[21]!.run)).rejects.toBeInstanceOf(Unavailable);
    expect(await queue.run(login('c', 'z'), () => Promise.resolve('free'))).toBe('free');
    for (const work of works) work.end();
    await Promise.all([...first, ...second]);
  });

  it('lets nobody wait for ever', async () => {
    const queue = new LoginQueue(100, 20);
    const works = heldWorks(6);
    const done = works.slice(0, 5).map((work) => queue.run(login('a', 'x'), work.run));
    await expect(queue.run(login('a', 'x'), works[5]!.run)).rejects.toMatchObject({ retryAfterSeconds: 5 });
    for (const work of works) work.end();
    await Promise.all(done);
    expect(works[5]!.isRunning).toBe(false);
  });
});
