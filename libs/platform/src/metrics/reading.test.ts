import { Reading } from './reading.js';

it('says whether it was read', async () => {
  expect(await new Reading(() => Promise.resolve()).now()).toBe(true);
  expect(await new Reading(() => Promise.reject(new Error('gone'))).now()).toBe(false);
});

it('waits no longer than it may, and begins no second read meanwhile', async () => {
  let [begun, end] = [0, () => {}];
  const reading = new Reading(() => {
    begun++;
    return new Promise((resolve) => (end = resolve));
  }, 20);
  expect([await reading.now(), await reading.now(), begun]).toEqual([false, false, 1]);
  const last = reading.now();
  end();
  expect([await last, begun]).toEqual([true, 1]);
  const next = reading.now();
  end();
  expect([await next, begun]).toEqual([true, 2]);
});
