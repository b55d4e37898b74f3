import pg from 'pg';

/** Statements on one connection of their own; gives the last one's rows. */
export async function execute<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const result = (await client.query(sql)) as unknown as pg.QueryResult<Row> | pg.QueryResult<Row>[];
    return (Array.isArray(result) ? result.at(-1)! : result).rows;
  } finally {
    await client.end();
  }
}

/** One after the other, as psql sends them: some are in no transaction. */
export async function executeEach(url: string, statements: string): Promise<void> {
  for (const statement of statements.split(/;\n/)) if (statement.trim() !== '') await execute(url, statement);
}
