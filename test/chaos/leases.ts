import { repeatedly } from './actor.js';
import type { Cluster } from './cluster.js';

const LEASED = `SELECT jsonb_agg(jsonb_build_array(p.scheduled_order_id, p.cycle, p.lease_until_utc)) AS leased
  FROM order_pushes p WHERE p.lease_until_utc IS NOT NULL`;

/**
 * The lease of a push lasts for minutes, which nobody waits for here: those of workers that have died are over.
 * `deaths`: of all workers that live now.
 */
export async function leasesOfTheDead(
  cluster: Cluster,
  deaths: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  await repeatedly(
    signal,
    () => 1_000,
    async () => {
      const leased = (await cluster.server.ask(LEASED))?.leased as [number, number, string][] | null | undefined;
      if (leased) void deaths().then(() => cluster.server.ask(over(leased)));
    },
  );
}

/** What another worker has leased since has another time. */
const over = (leased: readonly [number, number, string][]): string =>
  `UPDATE order_pushes p SET lease_until_utc = p.updated_utc, next_attempt_utc = p.updated_utc
   FROM jsonb_array_elements('${JSON.stringify(leased)}') AS l
   WHERE p.scheduled_order_id = (l ->> 0)::bigint AND p.cycle = (l ->> 1)::bigint AND p.lease_until_utc = (l ->> 2)::timestamptz`;
