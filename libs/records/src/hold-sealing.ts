import type { EntityManager } from 'typeorm';
import { Statement } from '#libs/database';
import type { Binding } from '#libs/vault';
import type { Credentials, SealedRow } from './credentials.js';
import { execute } from './statement.js';

/** SQL: reads how the transaction must encrypt its values, and locks it: it does not change before the transaction ends. */
export const HOLD_SEALING = 'hold_sealing()';

const OF_ROW = Statement.of(`SELECT ${HOLD_SEALING} AS binding`);
const OF_NEW_ROW = Statement.of(`SELECT ${HOLD_SEALING} AS binding, nextval(pg_get_serial_sequence($1, 'id')) AS id`);

/** For encrypting credentials of an existing row, or of a new one, whose id is taken before the insert. */
export async function holdSealing(tx: EntityManager, { table }: Credentials, id: number | null): Promise<SealedRow> {
  const [row] = await (id === null
    ? execute<{ binding: Binding; id: string }>(tx, OF_NEW_ROW, [table])
    : execute<{ binding: Binding }>(tx, OF_ROW, []));
  return { id, ...row! } as SealedRow;
}
