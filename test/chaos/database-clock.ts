import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../support/random.js';
import { repeatedly, waitUnlessOver } from './actor.js';
import type { Tally } from './tally.js';

const LIBRARIES = '/usr/lib';
const HOUR_MS = 3_600_000;

/** The database's clock was wrong between two instants of the true clock. */
interface Spell {
  readonly fromMs: number;
  toMs: number;
  readonly aheadMs: number;
}

/**
 * Every PostgreSQL of a run has this one clock, where libfaketime is installed (Debian: `libfaketime`): a file says how
 * far it is from the true one.
 */
export class DatabaseClock {
  /** Of each server's process; empty where the clock cannot be moved. */
  readonly env: Readonly<Record<string, string>>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'chaos-clock-'));
  private readonly file = join(this.folder, 'clock');
  private readonly spells: Spell[] = [];

  constructor() {
    const library = faketimeLibrary();
    this.env =
      library === undefined
        ? {}
        : {
            LD_PRELOAD: library,
            FAKETIME_TIMESTAMP_FILE: this.file,
            // All of its processes see a change at once.
            FAKETIME_NO_CACHE: '1',
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
            NO_FAKE_STAT: '1',
          };
    this.write(0);
  }

  get canMove(): boolean {
    return 'LD_PRELOAD' in this.env;
  }

  /** Moves it for a while, and puts it right. */
  async move(aheadMs: number, ms: number, signal: AbortSignal): Promise<void> {
    const spell: Spell = { fromMs: Date.now(), toMs: Infinity, aheadMs };
    this.spells.push(spell);
    this.write(aheadMs);
    await waitUnlessOver(ms, signal);
    this.write(0);
    spell.toMs = Date.now();
  }

  /** By how much it was off between two instants: one number for each time that it was moved, and 0. */
  readonly aheadMs = (fromMs: number, toMs: number): readonly number[] => [
    0,
    ...this.spells.filter((one) => one.fromMs <= toMs && fromMs <= one.toMs).map((one) => one.aheadMs),
  ];

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** In one step: a server may read it at any moment, as a user of its own. */
  private write(aheadMs: number): void {
    writeFileSync(`${this.file}.new`, `${aheadMs < 0 ? '-' : '+'}${Math.abs(Math.round(aheadMs / 1_000))}s\n`);
    renameSync(`${this.file}.new`, this.file);
  }
}

/** The one for programs without threads. */
function faketimeLibrary(): string | undefined {
  const folders = existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : [];
  return folders.map((name) => join(LIBRARIES, name, 'faketime/libfaketime.so.1')).find((file) => existsSync(file));
}

export interface MovedClockOptions {
  /** So far at most, both ways. */
  readonly clockHours: number;
  readonly everyMs: number;
}

/** Somebody sets the clock of the database's machine wrong, and right again some seconds later. */
export async function movedClock(
  clock: DatabaseClock,
  { clockHours, everyMs }: MovedClockOptions,
  tally: Tally,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  if (!clock.canMove) {
    tally.add('left out: libfaketime is not installed', 0);
    return;
  }
  await repeatedly(
    signal,
    () => random.between(0.5, 1.5) * everyMs,
    async () => {
      const hours = random.between(0.25, 1) * clockHours * (random.chance(0.5) ? 1 : -1);
      tally.add(hours < 0 ? 'hours behind' : 'hours ahead');
      await clock.move(hours * HOUR_MS, random.between(1_000, 6_000), signal);
    },
  );
}
