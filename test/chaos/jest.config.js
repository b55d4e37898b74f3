import base from '../../jest.config.js';

/** The large run: `npm run test:chaos`. It brings its own PostgreSQL. */
const { globalSetup: _, globalTeardown: __, ...shared } = base;

export default {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/chaos/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 3_600_000,
  // A connection that was cut off or swallowed on purpose must not keep the run from ending.
  forceExit: true,
};
