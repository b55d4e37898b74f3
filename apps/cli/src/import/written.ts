import type { Transaction } from '#libs/platform';

/** Runs a statement that writes rows. @returns how many it wrote. */
export async function written(tx: Transaction, statement: string, values: unknown[]): Promise<number> {
  const [row] = await tx.execute<{ rows: number }>(
    `WITH written AS (${statement} RETURNING 1) SELECT count(*)::integer AS rows FROM written`,
    values,
  );
  return row!.rows;
}
