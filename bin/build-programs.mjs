#!/usr/bin/env node
// The second half of a build: makes the programs in dist/ when the compiler has written new modules to build/, or npm
// has installed other packages.
import { fileURLToPath } from 'node:url';
import { whenChanged } from './when-changed.mjs';

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const SOURCES = ['build', 'node_modules/.package-lock.json', 'bin/bundle.mjs', 'bin/notices.mjs', 'bin/outside.mjs'];
/** The last is written last. */
const BUILT = [
  'dist/apps/api/src/main.js',
  'dist/apps/worker/src/main.js',
  'dist/apps/cli/src/main.js',
  'dist/swagger-ui/swagger-ui.css',
  'dist/THIRD-PARTY-NOTICES.txt',
];

await whenChanged(BUILT.map(inRoot), SOURCES.map(inRoot), async () => {
  process.stdout.write('Making the programs in dist.\n');
  await import('./bundle.mjs');
});
