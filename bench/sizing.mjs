#!/usr/bin/env node
/**
 * `npm run bench:sizing [-- --part NAME] [--rounds N] [--bin FOLDER] [--smoke]`: what an installation needs
 * (docs/growing.md). Writes what it has measured to sizing.json, in the place of what the same part has measured
 * before, and shows it. `--bin`: the programs of another PostgreSQL.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Databases, withClient } from './harness/database.mjs';
import { describeMachine } from './harness/machine.mjs';
import { startPostgres, startPostgresOf } from './harness/postgres.mjs';
import { BENCH, commitOfProduct, requireBuilt } from './harness/product.mjs';
import { median, spread } from './harness/rounds.mjs';
import { measureCpu } from './sizing/cpu.mjs';
import { measureLog } from './sizing/log.mjs';
import { measureProcesses } from './sizing/processes.mjs';
import { measureStored } from './sizing/stored.mjs';

/** Each gives `[what, values, unit]`. */
const PARTS = { stored: measureStored, cpu: measureCpu, processes: measureProcesses, log: measureLog };
const FILE = join(BENCH, 'sizing.json');

const options = readOptions();
const unknown = options.part.filter((name) => !(name in PARTS));
const rounds = Number(options.rounds);
if (unknown.length > 0) refuse(`--part ${unknown.join(', ')}: there are ${Object.keys(PARTS).join(', ')}.`);
if (!(Number.isInteger(rounds) && rounds > 0))
  refuse(`--rounds ${options.rounds}: it must be a whole number from 1 on.`);
if (options.bin !== undefined && !existsSync(join(options.bin, 'initdb')))
  refuse(
    `--bin ${options.bin}: there is no initdb. It must be the folder of PostgreSQL's programs, such as /usr/lib/postgresql/15/bin.`,
  );
requireBuilt();

const server = options.bin === undefined ? await startPostgres() : await startPostgresOf(options.bin);
try {
  const machine = await withClient(server.url, describeMachine);
  const sizing = {
    server,
    databases: new Databases(server.url),
    rounds,
    pick: ({ usual, smoke }) => (options.smoke ? smoke : usual),
    say,
  };
  for (const name of options.part) {
    say(`${name}, PostgreSQL ${machine.postgres}:`);
    const found = (await PARTS[name](sizing)).map(([what, values, unit]) => ({
      what,
      value: rounded(median(values)),
      spread: spread(values).map(rounded),
      unit,
    }));
    for (const {
      what,
      value,
      spread: [least, most],
      unit,
    } of found)
      say(`  ${what}: ${value} ${unit} [${least} … ${most}]`);
    if (!options.smoke)
      keep({ part: name, postgres: machine.postgres, machine, commit: commitOfProduct(), rounds, found });
  }
} finally {
  await server.stop();
}

function readOptions() {
  const options = {
    part: { type: 'string', multiple: true, default: Object.keys(PARTS) },
    rounds: { type: 'string', default: '3' },
    bin: { type: 'string' },
    smoke: { type: 'boolean', default: false },
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(error.message);
  }
}

/** A part is measured once with each version of PostgreSQL. */
function keep(measured) {
  const all = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [];
  const isOther = ({ part, postgres }) => part !== measured.part || postgres !== measured.postgres;
  const parts = [...all.filter(isOther), { ...measured, measuredUtc: new Date().toISOString() }];
  writeFileSync(FILE, `${JSON.stringify(parts, null, 2)}\n`);
}

function rounded(value) {
  return Number(value.toPrecision(4));
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}
