/**
 * Mutation testing of the pure rules, by their tables of examples alone: no database takes part, and nothing random, so
 * that the score is the same in every run. The properties and PostgreSQL's oracle stand beside it.
 */
export default {
  mutate: ['libs/rules/src/**/*.ts', '!**/*.test.ts', '!libs/rules/src/testing/**', '!libs/rules/src/index.ts'],
  ignorePatterns: ['/*', '!/libs', '!/jest.config.js', '!/package.json', '!/tsconfig.json'],
  testRunner: 'jest',
  jest: {
    config: {
      roots: ['<rootDir>/libs/rules'],
      testPathIgnorePatterns: ['[.]properties[.]test[.]ts$'],
      globalSetup: null,
      globalTeardown: null,
      runtime: 'jest-runtime',
      testSequencer: '@jest/test-sequencer',
    },
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['clear-text', 'progress', 'json', 'html'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  htmlReporter: { fileName: 'reports/mutation.html' },
  tempDirName: 'reports/stryker',
};
