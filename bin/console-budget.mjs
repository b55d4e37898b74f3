#!/usr/bin/env node
// `npm run console:budget`: what a browser loads for any first page, and what charts add, both compressed by gzip.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const FIRST_LOAD_KB = 220;
const CHARTS_KB = 125;
/** Not of the first script, but loaded with every page at once (src/main.tsx). */
const LOADED_AT_ONCE = ['src/shell/notifications.tsx'];
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
const unionOf = (entries) => new Set(entries.flatMap((name) => [...filesOf(name)]));
const hasChart = (file) => file.endsWith('.js') && bytesOf(file).includes(OF_CHARTS);

const entry = names.find((name) => manifest[name].isEntry);
const unknown = LOADED_AT_ONCE.filter((name) => !names.includes(name));
if (unknown.length > 0) fail(`The build has no ${unknown.join(', ')}: say in this script what is loaded at once now.`);
const first = unionOf([entry, ...LOADED_AT_ONCE]);

/**
 * Pairs of what loads a chart by `import(…)`, and what it loads: what the former has loaded itself, the chart does not
 * add.
 */
const chartLoads = names.flatMap((loader) =>
  (manifest[loader].dynamicImports ?? [])
    .filter((loaded) => !first.has(manifest[loaded].file) && [...filesOf(loaded)].some(hasChart))
    .map((loaded) => ({ loader, loaded })),
);
const isNewOf = (loader) => (file) => !first.has(file) && !filesOf(loader).has(file);
const charts = chartLoads.map(({ loader, loaded }) => sizeOf([...filesOf(loaded)].filter(isNewOf(loader))));
if (charts.length === 0)
  fail(`No chart is loaded by itself: nothing that is loaded later has the mark ${OF_CHARTS} in it.`);

function fail(words) {
  process.stderr.write(`${words}\n`);
  process.exit(1);
}

/** @returns whether it is within its bound. */
function check(what, kilobytes, bound) {
  const isWithin = kilobytes <= bound;
  const words = `${what}: ${kilobytes.toFixed(1)} kB, at most ${bound} kB`;
  process[isWithin ? 'stdout' : 'stderr'].write(isWithin ? `${words}\n` : `${words}: too large.\n`);
  return isWithin;
}

const checked = [
  check('First load', sizeOf([...first]), FIRST_LOAD_KB),
  check('Charts, more', Math.max(...charts), CHARTS_KB),
];
process.exitCode = checked.includes(false) ? 1 : 0;
