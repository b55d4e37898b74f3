/**
 * Runs a few tasks at once. Waiting tasks begin in turn by owner: an owner with many waiting tasks delays another by
 * one task at most.
 */
export class FairTurns {
  private running = 0;
  /** In the order of their next turn. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private readonly most: number) {}

  async take<T>(subject: string, work: () => Promise<T>): Promise<T> {
    await this.enter(subject);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Waits for a turn, which `leave` ends. */
  async enter(subject: string): Promise<void> {
    if (this.running < this.most) this.running++;
    else await new Promise<void>((begin) => this.wait(subject, begin));
  }

  private wait(subject: string, begin: () => void): void {
    const others = this.waiting.get(subject);
    if (others === undefined) this.waiting.set(subject, [begin]);
    else others.push(begin);
  }

  /** Gives the place to the next task, or frees it. */
  leave(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.running--;
      return;
    }
    const [subject, begins] = next;
    const begin = begins.shift()!;
    this.waiting.delete(subject);
    if (begins.length > 0) this.waiting.set(subject, begins);
    begin();
  }
}
