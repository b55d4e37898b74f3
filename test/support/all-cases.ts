/** `npm run test:full` runs every case. `npm test` leaves out those that take long and are much like another one. */
export const ALL_CASES = process.env.ALL_CASES === 'true';

/** CI runs the tests of test/operate and test/browser with few cases; their own commands run all. */
export const FEW_CASES = process.env.FEW_CASES === 'true';
