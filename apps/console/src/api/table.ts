import { OF_THE_CONSOLE } from './client.ts';
import { problemOf, unreachable } from './problem.ts';

/**
 * Saves a list of the API as the CSV file that the API makes of it.
 * @param path with its query, e.g. `/api/ScheduledOrders?SiteId=1`
 * @param onProgress hears how many bytes have come.
 * @throws ApiProblem
 */
export async function saveTable(path: string, onProgress: (bytes: number) => void, signal: AbortSignal): Promise<void> {
  const headers = { ...OF_THE_CONSOLE, accept: 'text/csv' };
  const response = await fetch(path, { headers, credentials: 'same-origin', signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw unreachable();
  });
  if (!response.ok) throw problemOf(response, await response.json().catch(() => null));
  save(await read(response, onProgress), nameOf(response.headers.get('content-disposition')));
}

async function read(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  const parts: BlobPart[] = [];
  const reader = response.body!.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts, { type: 'text/csv' });
    parts.push(value);
    bytes += value.byteLength;
    onProgress(bytes);
  }
}

const nameOf = (disposition: string | null) => /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'table.csv';

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Not at once: the browser has not begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
