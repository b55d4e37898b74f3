import type { ConnectionPool } from '#libs/platform';

/**
 * Connections of workers that have ended, for the next ones: in a new connection PostgreSQL reads the catalogue and
 * makes every plan anew, which takes it a tenth of a second. Only for databases that are opened here, for nobody may be
 * connected to one that is copied or renamed.
 */
const kept = new Map<string, ConnectionPool[]>();

export const keepPools = (url: string): void => void kept.set(url, []);

export const takePool = (url: string): ConnectionPool | undefined => kept.get(url)?.pop();

/** Keeps it, or ends it where something still waits for it. */
export async function givePool(url: string, pool: ConnectionPool): Promise<void> {
  const { used, waiting } = pool.connections;
  const pools = used + waiting === 0 ? kept.get(url) : undefined;
  if (pools) pools.push(pool);
  else await pool.end();
}

export async function endPools(url: string): Promise<void> {
  await Promise.all((kept.get(url) ?? []).splice(0).map((pool) => pool.end()));
}
