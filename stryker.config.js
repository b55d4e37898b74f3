/**
 * Mutation testing of what is pure: the rules, and the decisions of worker and ledger (`PART`), by their tables of
 * examples alone. No database takes part, and nothing random, so that the score is the same in every run. The
 * properties and PostgreSQL's oracle stand beside it; test/planted is the same for statements.
 */
const PARTS = {
  rules: {
    roots: ['libs/rules'],
    mutate: ['libs/rules/src/**/*.ts', '!**/*.test.ts', '!libs/rules/src/testing/**', '!libs/rules/src/index.ts'],
  },
  decisions: {
    roots: ['libs/ledger/src', 'apps/worker/src/processor', 'apps/worker/src/database'],
    mutate: [
      'libs/ledger/src/**/{retries,transitions}.ts',
      'apps/worker/src/processor/**/{decide,retry-policy,failure-descriptions,completion,due-again}.ts',
      'apps/worker/src/processor/**/{late-arrivals,gateway-memory,differences-of,placement,outcome,streak}.ts',
      'apps/worker/src/**/{site-windows,batch-limit,due-floor}.ts',
    ],
  },
};
const name = process.env.PART ?? 'decisions';
if (!Object.hasOwn(PARTS, name))
  throw new Error(`PART is ${name}: it must be one of ${Object.keys(PARTS).join(', ')}.`);
const { roots, mutate } = PARTS[name];
const kept = ['/libs', '/apps', '/test', '/jest.config.js', '/package.json', '/tsconfig.json'];

export default {
  mutate,
  // The build is not there: an index would give the rules without their mutants (test/support/jest/runtime.cjs).
  ignorePatterns: ['/*', ...kept.map((one) => `!${one}`), '/apps/console', '/test/*', '!/test/support'],
  testRunner: 'jest',
  jest: {
    config: {
      roots: roots.map((folder) => `<rootDir>/${folder}`),
      // Stryker knows no <rootDir>.
      testEnvironment: './test/support/jest/environment.cjs',
      testPathIgnorePatterns: ['[.]properties[.]test[.]ts$', '/frozen-json[.]test[.]ts$'],
      globalSetup: null,
      globalTeardown: null,
      testSequencer: '@jest/test-sequencer',
    },
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['clear-text', 'progress', 'json', 'html'],
  jsonReporter: { fileName: `reports/mutation-${name}.json` },
  htmlReporter: { fileName: `reports/mutation-${name}.html` },
  tempDirName: 'reports/stryker',
};
