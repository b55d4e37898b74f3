import { type Json, nextLink, type TestApi } from '../api.js';

export const idsOf = (body: Json): number[] => (body as { Id: number }[]).map(({ Id }) => Id);

/** A caller that reads tables. */
export const csv = (token: string | undefined) => ({ token, headers: { accept: 'text/csv' } });

/** The ids of a table, whose first column they are. */
export const lineIds = (table: string): number[] =>
  table
    .split('\r\n')
    .slice(1, -1)
    .map((line) => Number(line.split(',')[0]));

/** The ids of every page, from the first on: as long as a page names the one that follows. */
export async function allPages(api: Pick<TestApi, 'request'>, token: string, path: string): Promise<number[][]> {
  const pages: number[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { status, headers, body } = await api.request('GET', next, { token });
    expect([next, status, status === 200 ? null : body]).toEqual([next, 200, null]);
    pages.push(idsOf(body));
    next = nextLink(headers);
  }
  return pages;
}
