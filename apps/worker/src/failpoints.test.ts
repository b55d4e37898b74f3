import { parse } from './failpoints.js';

describe('FAILPOINTS', () => {
  it('names steps, what happens there, and at which time', () => {
    expect([...parse('after-charge:kill,after-freeze:stop@3')]).toEqual([
      ['after-charge', { signal: 'SIGKILL', passes: 1 }],
      ['after-freeze', { signal: 'SIGSTOP', passes: 3 }],
    ]);
    expect(parse('').size).toBe(0);
  });

  it.each([
    'after-lunch:kill',
    'after-charge:explode',
    'after-charge:constructor',
    'after-charge',
    'after-charge:kill@soon',
    'after-charge:kill@0',
  ])('refuses %s', (text) => {
    expect(() => parse(text)).toThrow(
      `FAILPOINTS has "${text}", which is not STEP:ACTION or STEP:ACTION@TIME: steps are after-claim, `,
    );
  });
});
