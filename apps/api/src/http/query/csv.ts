import type { FastifyReply } from 'fastify';
import { csvLines } from '#libs/platform';
import type { Pieces, Position } from '#libs/records';

/** Some rows of a table, for `csvLines`, and where to go on; null after the last. */
interface CsvPage {
  readonly rows: readonly (readonly string[])[];
  readonly last: Position | null;
}

/** The rest of a table: `begin` is what was read already, up to `from`. */
export async function* csvPieces(begin: string, from: Position, read: (after: Position) => Promise<CsvPage>): Pieces {
  yield begin;
  for (let after: Position | null = from; after !== null;) {
    const { rows, last }: CsvPage = await read(after);
    if (rows.length > 0) yield csvLines(rows);
    after = last;
  }
}

/** The headers of a table that is saved under a name. */
export function describeTable(reply: FastifyReply, file: string): void {
  void reply.header('content-type', 'text/csv; charset=utf-8');
  void reply.header('content-disposition', `attachment; filename="${file}.csv"`);
}
