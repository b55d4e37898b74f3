import type { ConnectionPool, Transaction } from '#libs/platform';

const ROLLED_BACK = new Error('A dry run was rolled back.');

/** Does all of an import, or all of it and then nothing: a dry run meets what the real one would meet. */
export async function importing<R extends object>(
  database: ConnectionPool,
  dryRun: boolean,
  work: (tx: Transaction) => Promise<R>,
): Promise<R & { readonly DryRun?: true }> {
  if (!dryRun) return database.transaction(work);
  let result: R | undefined;
  try {
    await database.transaction(async (tx) => {
      result = await work(tx);
      throw ROLLED_BACK;
    });
  } catch (error) {
    if (error !== ROLLED_BACK) throw error;
  }
  return { DryRun: true, ...result! };
}
