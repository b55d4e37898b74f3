import { Statement, type Transaction } from '#libs/platform';
import type { Credentials } from './credentials.js';

const NEXT_ID = Statement.of(`SELECT nextval(pg_get_serial_sequence($1, 'id')) AS id`);

/** The id of a row that will be inserted: its credentials are encrypted for it. */
export async function takeId(tx: Transaction, { table }: Credentials): Promise<number> {
  const [row] = await tx.execute<{ id: string }>(NEXT_ID, [table]);
  return Number(row!.id);
}
