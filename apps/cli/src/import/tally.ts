/** Counts by name, in the order in which the names first occur. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(name: string, count = 1): void {
    if (count > 0) this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }
}
