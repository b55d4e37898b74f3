import { remark } from '../../output.js';
import { liveThroughYear, type YearFigures } from './live.js';

const over = (siteId: number, { customers, scheduledOrders, orders }: YearFigures) =>
  `The simulated shop (site ${siteId}) has a year behind it now: ${customers} customers, ${scheduledOrders} scheduled orders, ${orders} Orders.`;

/**
 * Lets the year of the simulated shop happen while everything else goes on, and says when it is over.
 * @returns ends it. The next start goes on with it.
 */
export function liveInBackground(apiUrl: string, siteId: number): () => Promise<void> {
  const ending = new AbortController();
  const lived = liveThroughYear(apiUrl, siteId, ending.signal).then(
    (figures) => remark(over(siteId, figures)),
    (error: unknown) => {
      if (ending.signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      remark(`The year of the simulated shop (site ${siteId}) has stopped; the next start goes on with it. ${reason}`);
    },
  );
  return () => {
    ending.abort();
    return lived;
  };
}
