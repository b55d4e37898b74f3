import base from '../../jest.config.js';

/** `npm run test:citus`. It brings its own PostgreSQL. */
const { globalSetup: _, globalTeardown: __, ...shared } = base;

export default {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/citus/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // A node that is killed leaves connections that nobody answers.
  forceExit: true,
};
