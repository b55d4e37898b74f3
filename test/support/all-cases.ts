/**
 * `npm run test:full` runs every case. `npm test` leaves out those that take long and are much like another one, and
 * those that measure, attack, or need very much data: what is left has a case for each kind of fault that it can find.
 */
export const ALL_CASES = process.env.ALL_CASES === 'true';

/** The commands that measure (`test/support/bounds.ts`) do not leave them out either. */
const LEAVES_OUT = !ALL_CASES && process.env.EXACT_TIMES !== 'true';
export const itInAllCases: jest.It = LEAVES_OUT ? it.skip : it;
export const describeInAllCases: jest.Describe = LEAVES_OUT ? describe.skip : describe;

/** CI runs the tests of test/operate and test/browser with few cases; their own commands run all. */
export const FEW_CASES = process.env.FEW_CASES === 'true';
