const REMEMBERED_MS = 10_000;
const MOST_REMEMBERED = 1_000;

/** Texts that were added within the last ten seconds; at most the newest thousand. */
export class RecentlySeen {
  private readonly untilMs = new Map<string, number>();

  add(text: string): void {
    this.untilMs.delete(text); // so that it is the last, as the newest
    if (this.untilMs.size >= MOST_REMEMBERED) this.untilMs.delete(this.untilMs.keys().next().value!);
    this.untilMs.set(text, performance.now() + REMEMBERED_MS);
  }

  has(text: string): boolean {
    return (this.untilMs.get(text) ?? 0) > performance.now();
  }
}
