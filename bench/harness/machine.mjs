import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { PEER_NODE } from './product.mjs';

const versionOf = (command) => spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout?.trim() || null;

function systemName() {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))[1];
  } catch {
    return os.type();
  }
}

/** What the figures were measured on. */
export async function describeMachine(client) {
  const { rows } = await client.query(`SELECT current_setting('server_version') AS version`);
  return {
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.cpus().length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    system: `${systemName()}, Linux ${os.release()}`,
    node: process.version,
    peerNode: versionOf(PEER_NODE),
    postgres: rows[0].version,
    fsyncPerSecond: await fsyncRate(client),
  };
}

/** Commits per second of one connection with nothing to do but wait for the disk: tells one disk from another. */
async function fsyncRate(client) {
  await client.query('CREATE TABLE IF NOT EXISTS bench_fsync (at int)');
  const started = performance.now();
  let commits = 0;
  while (performance.now() - started < 500) {
    await client.query('INSERT INTO bench_fsync VALUES (1)');
    commits++;
  }
  await client.query('DROP TABLE bench_fsync');
  return Math.round((commits * 1_000) / (performance.now() - started));
}
