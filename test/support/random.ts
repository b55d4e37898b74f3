import * as fc from 'fast-check';

/**
 * The one seed of everything that tests leave to chance: the same in every run of `npm test`; `SEED=random` draws one
 * (draw-seed.mjs). Jest loads this file before each test file, so that fast-check has it as well.
 */
export const SEED = Number(process.env.SEED);
fc.configureGlobal({ seed: SEED });

/** A small generator that a seed repeats; every actor has its own, so that none disturbs another's sequence. */
export class Random {
  private state: number;

  constructor(seed: number, actor = '') {
    this.state = [...actor].reduce((state, letter) => Math.imul(state ^ letter.charCodeAt(0), 0x01000193), seed) >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /** One of the names, by weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let at = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      if (at < weight) return name;
      at -= weight;
    }
    return entries[0]![0];
  }
}
