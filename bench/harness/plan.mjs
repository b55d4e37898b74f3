/**
 * The parts of the suite, in the order in which they run, with about how many minutes they take on two quiet cores: in
 * the usual run, and in the long one (`--long`), which has what cannot be short: millions of rows, an hour of ticks;
 * and in the smoke run, which only shows that every part begins and ends. README.md shows what the latest run took.
 */
const MINUTES = {
  throughput: { usual: 5, smoke: 0.6 },
  share: { usual: 3, smoke: 0.15 },
  gateway: { usual: 4, smoke: 0.3 },
  adversity: { usual: 10, smoke: 0.4 },
  workers: { usual: 10, smoke: 0.5 },
  beside: { usual: 4, smoke: 0.15 },
  sites: { usual: 4, smoke: 0.25 },
  endpoint: { usual: 3, smoke: 0.25 },
  pushes: { usual: 6, smoke: 0.5 },
  size: { usual: 2, smoke: 0.1 },
  http: { usual: 15, smoke: 0.6 },
  bodies: { usual: 1, smoke: 0.1 },
  forecast: { usual: 3, long: 8, smoke: 0.1 },
  start: { usual: 2, smoke: 0.4 },
  list: { usual: 3, long: 35, smoke: 0.2 },
  stored: { long: 18, smoke: 0.4 },
  soak: { long: 65, smoke: 0.15 },
  monday: { long: 8, smoke: 0.15 },
};

export const PARTS = Object.keys(MINUTES);

/**
 * 1 to 15 are of the issues about speed; 16 is of the one about attacks, 17 of the one about webhooks, 18 of the one
 * about insight, 19 of the one about orders in shops.
 */
export const ALL_ROWS = Array.from({ length: 19 }, (_, index) => String(index + 1));

/**
 * What a run measures. Rows or parts that are selected by name, and have no usual form, are measured in their long
 * one.
 * @param {{ rows?: string[], parts?: string[], isLong?: boolean, isSmoke?: boolean }} selection none of rows or parts:
 * all of the run's form
 * @returns {Promise<{ name: string, form: 'usual' | 'long' | 'smoke', minutes: number, part: object }[]>} `part`: the
 * module
 */
export async function planOf({ rows = [], parts = [], isLong = false, isSmoke = false }) {
  const modules = await modulesOfParts();
  const selected = PARTS.filter(
    (name) =>
      (parts.length === 0 || parts.includes(name)) &&
      (rows.length === 0 || modules[name].rows.some((row) => rows.includes(row))),
  );
  const byName = parts.length > 0 || rows.length > 0;
  return selected.flatMap((name) => {
    const usual = isLong || (byName && !('usual' in MINUTES[name])) ? 'long' : 'usual';
    const form = isSmoke ? 'smoke' : usual;
    const minutes = MINUTES[name][form];
    return minutes === undefined ? [] : [{ name, form, minutes, part: modules[name] }];
  });
}

/** All of them, before anything is measured: one that cannot be loaded is found at once, not after an hour. */
export async function modulesOfParts() {
  const modules = PARTS.map(async (name) => [name, await import(`../rows/${name}.mjs`)]);
  return Object.fromEntries(await Promise.all(modules));
}
