import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Clock } from './queries.ts';

const movingOf = (clocks: readonly Clock[] | undefined) =>
  (clocks ?? []).filter(({ State }) => State === 'Advancing').map(({ SiteId }) => SiteId);

/** When a clock has come where it was to go, everything of its shop is another: all that was read before is old. */
export function useReadAfterMoves(clocks: readonly Clock[] | undefined): void {
  const client = useQueryClient();
  const before = useRef<readonly number[]>([]);
  useEffect(() => {
    const moving = movingOf(clocks);
    const hasArrived = before.current.some((siteId) => !moving.includes(siteId));
    before.current = moving;
    if (hasArrived) void client.invalidateQueries();
  }, [client, clocks]);
}
