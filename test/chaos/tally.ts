/** Counts by name. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(name: string, times = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + times);
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries([...this.counts].sort(([a], [b]) => a.localeCompare(b)));
  }
}

/** Everything that is counted of a run. */
export type Tallies = Readonly<Record<(typeof COUNTED)[number], Tally>>;

const COUNTED = [
  'kills',
  'freezes',
  'clocks',
  'terminations',
  'databaseCrashes',
  'restores',
  'promotions',
  'found',
  'fullDisks',
  'locks',
  'schemaChanges',
  'keyRotations',
  'routes',
  'skews',
  'databaseClocks',
  'cuts',
  'requests',
  'integrations',
  'resolutions',
  'webhooks',
  'foreignPayments',
  'secondInstallation',
  'givenBack',
  'lateLists',
] as const;

export function newTallies(): Tallies {
  return Object.fromEntries(COUNTED.map((name) => [name, new Tally()])) as Tallies;
}
