/** `npm run test:full` runs every case. `npm test` leaves out those that take long and are much like another one. */
export const ALL_CASES = process.env.ALL_CASES === 'true';
