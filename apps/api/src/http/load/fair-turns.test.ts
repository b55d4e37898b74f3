import { FairTurns } from './fair-turns.js';

describe('Fair turns', () => {
  it('let one work run for each subject in turn, however many one of them has', async () => {
    const turns = new FairTurns(1);
    const begun: string[] = [];
    const take = (subject: string, name: string) =>
      turns.take(subject, async () => {
        begun.push(name);
        await Promise.resolve();
      });
    await Promise.all([
      ...[1, 2, 3, 4, 5].map((n) => take('many', `many ${n}`)),
      take('one', 'one'),
      ...[1, 2].map((n) => take('two', `two ${n}`)),
    ]);
    expect(begun).toEqual(['many 1', 'many 2', 'one', 'two 1', 'many 3', 'two 2', 'many 4', 'many 5']);
  });

  it('let so many run at once, and go on after one that fails', async () => {
    const turns = new FairTurns(3);
    let [running, most] = [0, 0];
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        turns.take('one', async () => {
          most = Math.max(most, ++running);
          await new Promise(setImmediate);
          running--;
          if (index % 3 === 0) throw new Error('lost');
        }),
      ),
    );
    expect(most).toBe(3);
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(7);
  });
});
