import type { Socket } from 'node:net';
import type pg from 'pg';

interface Reading {
  /** Called by pg when a connection begins to speak PostgreSQL's protocol, after TLS if there is any. */
  attachListeners(stream: Socket): void;
}

/**
 * The driver reads PostgreSQL's data in a listener of its socket. An error there (for example a text of more than 512
 * MB, the longest string) would end the process. With this it ends only the connection, and every statement on it fails
 * with that error.
 */
export function endWithFaults(client: pg.Client): void {
  const { connection } = client as unknown as { readonly connection: Reading };
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    const before = new Set(stream.listeners('data'));
    attach(stream);
    for (const listener of stream.listeners('data') as ((piece: Buffer) => void)[]) {
      if (before.has(listener)) continue;
      stream.off('data', listener);
      stream.on('data', (piece: Buffer) => {
        try {
          listener(piece);
        } catch (error) {
          stream.destroy(error as Error);
        }
      });
    }
  };
}
