import { type Fault, Rejected } from './errors.js';

type Results<Works extends readonly (() => unknown)[]> = {
  -readonly [Index in keyof Works]: Awaited<ReturnType<Works[Index]>>;
};

/**
 * The results of checks that do not depend on each other. All begin at once, in order, so that their statements share a
 * round trip, and a caller learns all faults together (decisions.md §4). It waits for all of them even when one fails,
 * because nothing may be sent after the transaction is rolled back. (`Promise.all` will do where nothing is checked.)
 * @throws Rejected with every fault; otherwise the first other error.
 */
export async function collectFaults<const Works extends readonly (() => unknown)[]>(
  ...works: Works
): Promise<Results<Works>> {
  const begun = works.map(async (work) => await work());
  try {
    return (await Promise.all(begun)) as Results<Works>;
  } catch {
    throw await whatFailed(begun);
  }
}

async function whatFailed(begun: readonly Promise<unknown>[]): Promise<unknown> {
  const settled = await Promise.allSettled(begun);
  const thrown = settled.filter((one) => one.status === 'rejected').map(({ reason }): unknown => reason);
  const others = thrown.filter((error) => !(error instanceof Rejected));
  if (others.length > 0) return others[0];
  return new Rejected(thrown.flatMap((error): readonly Fault[] => (error as Rejected).faults));
}
