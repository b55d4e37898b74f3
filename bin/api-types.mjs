#!/usr/bin/env node
// Makes the types that console and tests call the API with, when openapi.json is newer than they are, or npm has
// installed other packages.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { whenChanged } from './when-changed.mjs';

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const [document, types] = ['openapi.json', 'apps/console/src/api/schema.d.ts'].map(inRoot);

if (!existsSync(document)) {
  process.stderr.write(
    'There is no openapi.json. Get it back (git checkout openapi.json), or make it: npm run client.\n',
  );
  process.exit(1);
}
await whenChanged([types], [document, inRoot('node_modules/.package-lock.json')], () => {
  // A program that reads them at the same time finds them whole.
  const made = `${types}.${process.pid}`;
  const generator = inRoot('node_modules/openapi-typescript/bin/cli.js');
  const { status } = spawnSync(process.execPath, [generator, document, '--output', made], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  renameSync(made, types);
});
