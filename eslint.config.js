import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import importSort from 'eslint-plugin-simple-import-sort';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const oldWords = ['of', 'asked', 'Asked', 'told', 'Told', 'said', 'Given'];

const unused = ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }];

export default tseslint.config(
  {
    ignores: [
      'build/',
      'docs/build/',
      'dist/',
      'coverage/',
      'reports/',
      '.data/',
      'bench/.build/',
      'integrations/vendure/build/',
      '**/*.d.ts',
    ],
  },
  {
    plugins: { 'import-sort': importSort },
    rules: {
      // Node's own modules, packages, our libs, our files: one block, what is further away first.
      'import-sort/imports': ['error', { groups: [['^\\u0000', '^node:', '^@?\\w', '^#libs/', '^\\.\\./', '^\\./']] }],
      // Code is wrapped by Prettier, which leaves texts as they are.
      'max-len': ['error', { code: 1000, comments: 120, ignoreUrls: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'TemplateElement[value.raw=/^(?= *--).{121}/m]',
          message: 'A comment in SQL has at most 120 columns, as every other one.',
        },
      ],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: ['apps/console/**'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': unused,
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx,js,mjs,cjs}'],
    rules: { 'id-denylist': ['error', ...oldWords] },
  },
  {
    files: ['apps/console/**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked, reactHooks.configs.flat['recommended-latest']],
    languageOptions: {
      parserOptions: { project: './apps/console/tsconfig.json', tsconfigRootDir: import.meta.dirname },
      globals: globals.browser,
    },
    rules: {
      '@typescript-eslint/only-throw-error': [
        'error',
        // The router takes redirects and missing pages as thrown values.
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: ['Redirect', 'NotFoundError'] }] },
      ],
      // A component is one piece of markup.
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [js.configs.recommended],
    languageOptions: { globals: globals.node },
    rules: { 'no-unused-vars': unused, 'prefer-const': 'error', 'no-var': 'error', eqeqeq: 'error' },
  },
  {
    files: ['**/*.cjs'],
    extends: [js.configs.recommended],
    languageOptions: { sourceType: 'commonjs', globals: globals.node },
  },
  {
    // A row of the benchmark is one measurement, told from its beginning to its end.
    files: ['bench/**'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  {
    // Programs of their own, which bring packages of their own: there are no types to lint them with.
    files: ['bench/**/*.ts', 'integrations/**/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    // A migration is one list of SQL statements, and is never edited.
    files: ['libs/entities/src/migrations/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['**/*.test.ts', 'test/**'],
    rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' },
  },
  {
    files: ['**/*.test.ts', 'test/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Use Random of test/support/random.ts: its seed repeats it.' },
      ],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
);
