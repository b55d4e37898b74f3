import { Statement, type Transaction } from '#libs/database';
import type { Binding } from '#libs/vault';
import type { Credentials, EncryptedRow } from './credentials.js';

/** SQL: how the transaction is to encrypt what it writes. To its end that does not change. */
export const HOLD_BINDING = 'hold_sealing()';

const OF_ROW = Statement.of(`SELECT ${HOLD_BINDING} AS binding`);
const OF_NEW_ROW = Statement.of(`SELECT ${HOLD_BINDING} AS binding, nextval(pg_get_serial_sequence($1, 'id')) AS id`);

/** For encrypting credentials of a row that is there, or of a new one, whose id is taken before it is inserted. */
export async function holdBinding(tx: Transaction, { table }: Credentials, id: number | null): Promise<EncryptedRow> {
  const [row] = await (id === null
    ? tx.execute<{ binding: Binding; id: string }>(OF_NEW_ROW, [table])
    : tx.execute<{ binding: Binding }>(OF_ROW));
  return { id, ...row! } as EncryptedRow;
}
