import { queryOptions } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, ask, type Resource } from './api/client.ts';
import { ApiProblem } from './api/problem.ts';

/** A shop that one can choose. */
export interface KnownSite {
  readonly id: number;
  readonly name: string;
  readonly currency: string;
  /** It has a test clock in place of real time. */
  readonly isSimulated: boolean;
}

const nameOf = (id: number, name: string | null) => (name === null || name === '' ? `Shop ${id}` : name);

/** Null when it was deleted with its clock a moment ago. */
async function siteOf(siteId: number): Promise<Resource<'Site'> | null> {
  try {
    return await ask(api.GET('/api/Site/{siteId}', { params: { path: { siteId } } }));
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
}

/** The real sites of the account, and then the simulated ones, which are reached by their test clocks. */
async function readSites(): Promise<readonly KnownSite[]> {
  const [sites, clocks] = await Promise.all([ask(api.GET('/api/Sites')), ask(api.GET('/api/TestClocks'))]);
  const simulatedIds = new Set(clocks.map(({ SiteId }) => SiteId));
  const simulated = (await Promise.all(clocks.map(({ SiteId }) => siteOf(SiteId)))).filter((site) => site !== null);
  const real = sites.filter(({ Id }) => !simulatedIds.has(Id));
  return [...real, ...simulated].map(({ Id, Name, CurrencyIso }) => ({
    id: Id,
    name: nameOf(Id, Name),
    currency: CurrencyIso,
    isSimulated: simulatedIds.has(Id),
  }));
}

export const sitesQuery = queryOptions({ queryKey: ['sites'], queryFn: readSites, staleTime: 60_000 });

const siteRoute = getRouteApi('/s/$siteId');

/** The chosen site, which is in the address. */
export const useSite = (): KnownSite => siteRoute.useLoaderData();
