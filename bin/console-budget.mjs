#!/usr/bin/env node
// `npm run console:budget`: what a browser loads before it shows the first page, and what charts add, both compressed by gzip.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const FIRST_LOAD_KB = 220;
const CHARTS_KB = 125;
/** Of every class in a chart. */
const OF_CHARTS = 'recharts-';

const folder = process.argv[2] ?? fileURLToPath(new URL('../dist/console', import.meta.url));
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));

/** The chunk, all that it imports, and their styles. */
function filesOf(name, found = new Set()) {
  const { file, imports = [], css = [] } = manifest[name];
  if (found.has(file)) return found;
  for (const one of [file, ...css]) found.add(one);
  for (const imported of imports) filesOf(imported, found);
  return found;
}

const bytesOf = (file) => readFileSync(join(folder, file));
const sizeOf = (files) => files.reduce((sum, file) => sum + gzipSync(bytesOf(file), { level: 9 }).length, 0) / 1000;

const names = Object.keys(manifest);
const first = filesOf(names.find((name) => manifest[name].isEntry));
const isLater = (file) => !first.has(file);
const all = [...new Set(names.flatMap((name) => [...filesOf(name)]))];
const charts = all.filter((file) => file.endsWith('.js') && bytesOf(file).includes(OF_CHARTS));

/** @returns whether it is within its bound. */
function check(what, kilobytes, bound) {
  const isWithin = kilobytes <= bound;
  const words = `${what}: ${kilobytes.toFixed(1)} kB, at most ${bound} kB`;
  process[isWithin ? 'stdout' : 'stderr'].write(isWithin ? `${words}\n` : `${words}: too large.\n`);
  return isWithin;
}

const checked = [
  check('First load', sizeOf([...first]), FIRST_LOAD_KB),
  check('Charts, more', sizeOf(charts.filter(isLater)), CHARTS_KB),
];
process.exitCode = checked.includes(false) ? 1 : 0;
