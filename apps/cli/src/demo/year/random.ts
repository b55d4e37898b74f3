const STEP = 0x6d2b79f5;
const TWO_TO_32 = 2 ** 32;

/** Numbers that look like chance and are the same every time (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0, below `count`. */
  below(count: number): number {
    this.state = (this.state + STEP) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32) * count);
  }

  oneOf<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
