import { LineAllowance } from './refusal-log.js';

it('lets so many lines of a second pass, and tells the next one how many were left out', () => {
  const allowance = new LineAllowance(2);
  const taken = [0, 1, 2, 999, 1_000, 1_001, 1_002, 5_000].map((nowMs) => allowance.take(nowMs));
  expect(taken).toEqual([0, 0, null, null, 2, 0, null, 1]);
});
