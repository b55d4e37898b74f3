import { OF_THE_CONSOLE } from './client.ts';
import { problemOf, unreachable } from './problem.ts';

/**
 * Saves the CSV form of a list. A plain link could not: the session counts only with the console's header.
 * @param path of the API, with its filters: `/api/Customers?SiteId=1`.
 * @param name of the file: `customers.csv`.
 */
export async function downloadCsv(path: string, name: string): Promise<void> {
  const headers = { ...OF_THE_CONSOLE, Accept: 'text/csv' };
  const answer = await fetch(path, { headers, credentials: 'same-origin' }).catch(() => {
    throw unreachable();
  });
  if (!answer.ok) throw problemOf(answer, await answer.json().catch(() => null));
  const address = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
