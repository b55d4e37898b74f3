import { type Fault, Rejected } from './errors.js';

type Results<Checks extends readonly (() => unknown)[]> = {
  -readonly [Index in keyof Checks]: Awaited<ReturnType<Checks[Index]>>;
};

/**
 * The results of checks that do not depend on each other; a caller learns of the faults of all of them at once (decisions.md §4).
 * @throws Rejected with every fault. Whatever else one of them throws, at once.
 */
export async function together<const Checks extends readonly (() => unknown)[]>(
  ...checks: Checks
): Promise<Results<Checks>> {
  const faults: Fault[] = [];
  const results: unknown[] = [];
  for (const check of checks) {
    try {
      results.push(await check());
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new Rejected(faults);
  return results as Results<Checks>;
}
