import { databaseError } from './database-errors.js';
import { type Fault, Rejected } from './errors.js';

type Results<Works extends readonly (() => unknown)[]> = {
  -readonly [Index in keyof Works]: Awaited<ReturnType<Works[Index]>>;
};

/** PostgreSQL's answer to whatever comes after a statement that failed. */
const TRANSACTION_ABORTED = '25P02';

/**
 * The results of checks, or of statements, that do not depend on each other. All begin at once, in order, so that their
 * statements share a round trip; a caller learns of the faults of all of them at once (decisions.md §4). It waits for
 * every one, also when one fails, because nothing may be sent any more once the transaction is rolled back.
 * @throws Rejected with every fault; or else whatever the first of the others threw.
 */
export async function together<const Works extends readonly (() => unknown)[]>(
  ...works: Works
): Promise<Results<Works>> {
  const settled = await Promise.allSettled(works.map(async (work) => await work()));
  const thrown = settled.filter((one) => one.status === 'rejected').map(({ reason }): unknown => reason);
  const others = thrown.filter((error) => !(error instanceof Rejected));
  if (others.length > 0) throw others.find((error) => databaseError(error)?.code !== TRANSACTION_ABORTED) ?? others[0];
  const faults = thrown.flatMap((error): readonly Fault[] => (error as Rejected).faults);
  if (faults.length > 0) throw new Rejected(faults);
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as Results<Works>;
}
