#!/usr/bin/env node
// Makes the types that console and tests call the API with, when openapi.json is newer than they are.
import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { whenChanged } from './when-changed.mjs';

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const [document, types] = ['openapi.json', 'apps/console/src/api/schema.d.ts'].map(inRoot);

await whenChanged([types], [document], () => {
  // A program that reads it at the same time finds it whole.
  const made = `${types}.${process.pid}`;
  execFileSync(process.execPath, [inRoot('node_modules/openapi-typescript/bin/cli.js'), document, '--output', made]);
  renameSync(made, types);
});
