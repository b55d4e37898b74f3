import pg from 'pg';

/** What is sent: prepared once per connection if it has a name. */
interface Asked {
  readonly name?: string | undefined;
  readonly text: string;
}

/**
 * The rows of a statement. Given its parts, `client.query` would copy them by their property descriptors, which takes
 * 2.3 of the 2.4 µs before it is sent; a query that is made already it takes as it is, with the name that it has when it is sent.
 */
export async function ask<Row extends object>(
  client: pg.PoolClient,
  { name, text }: Asked,
  values: unknown[],
): Promise<Row[]> {
  try {
    return await new Promise<Row[]>((resolve, reject) => {
      const query = new pg.Query<Row>(text, values, (error, result) => (error ? reject(error) : resolve(result.rows)));
      client.query(Object.assign(query, { name }));
    });
  } catch (error) {
    // From where it was asked; the error's own stack begins at the socket.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}
