const DAY = 86_400_000;

/** Clocks are asked for these years alone: before and after them they go on as at their ends. */
const FIRST = Date.UTC(1800, 0, 1);
const LAST = Date.UTC(10_000, 11, 31);

/** More days than reports look ahead. */
const MOST_DAYS = 4_000;

const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/**
 * The clocks of a place. Instants and civil times are milliseconds since 1970: an instant in UTC, a civil time as the
 * clocks there show it.
 */
export interface Zone {
  readonly civilAt: (instant: number) => number;
  /**
   * When the clocks show a civil time. One that a change of clocks leaves out is the first instant after it, one that
   * comes twice is its first.
   */
  readonly instantAt: (civil: number) => number;
}

export const UTC: Zone = { civilAt: (instant) => instant, instantAt: (civil) => civil };

/** Whether it is a name of IANA's database, such as `Europe/Berlin`, in any case. */
export function isTimeZone(name: string): boolean {
  // Newer versions of JavaScript know offsets, too: those are no places.
  if (!/^[a-z]/i.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const zones = new Map<string, Zone>();

/** @throws RangeError where `isTimeZone` says no. */
export function zoneOf(name: string): Zone {
  const clock = clockOf(name);
  const { timeZone } = clock.resolvedOptions();
  let zone = zones.get(timeZone);
  if (zone === undefined) {
    zone = timeZone === 'UTC' ? UTC : zoneWith(offsets(clock));
    zones.set(timeZone, zone);
  }
  return zone;
}

const clockOf = (timeZone: string) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });

function zoneWith(offsetAt: (instant: number) => number): Zone {
  const civilAt = (instant: number) => instant + offsetAt(instant);
  return {
    civilAt,
    instantAt: (civil) => {
      // By the offset before a change of clocks that may be near, then by the one after it.
      const early = civil - offsetAt(civil - DAY);
      if (civilAt(early) === civil) return early;
      const late = civil - offsetAt(civil + DAY);
      if (civilAt(late) === civil) return late;
      return firstBetween(late, early, (instant) => civilAt(instant) >= civil);
    },
  };
}

/** The first whole second after `from`, and up to `to`, from which on it `isSo`. */
function firstBetween(from: number, to: number, isSo: (instant: number) => boolean): number {
  let [before, since] = [from, to];
  while (since - before > 1_000) {
    const middle = before + Math.floor((since - before) / 2_000) * 1_000;
    if (isSo(middle)) since = middle;
    else before = middle;
  }
  return since;
}

/** How far the clocks are ahead of UTC, in milliseconds. Days on which they do not change are kept. */
function offsets(clock: Intl.DateTimeFormat): (instant: number) => number {
  const read = (instant: number) => offsetIn(clock.formatToParts(instant));
  const known = new Map<number, number | null>();
  return (instant) => {
    const within = Math.min(Math.max(instant, FIRST), LAST);
    const day = Math.floor(within / DAY);
    let offset = known.get(day);
    if (offset === undefined) {
      if (known.size >= MOST_DAYS) known.clear();
      const [begin, end] = [read(day * DAY), read((day + 1) * DAY)];
      offset = begin === end ? begin : null;
      known.set(day, offset);
    }
    return offset ?? read(within);
  };
}

function offsetIn(parts: readonly Intl.DateTimeFormatPart[]): number {
  const text = parts.find(({ type }) => type === 'timeZoneName')!.value;
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(text)!;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -ms : ms;
}
