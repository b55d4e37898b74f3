import type { ShopState } from '#libs/entities';
import { countPushes } from '#libs/ledger';
import { Statement } from '#libs/platform';
import { type Database, MOST_COUNTED } from '#libs/records';

/** Null: nothing is pushed. pk_site_shops. $1 site. */
const STATE = Statement.named(`SELECT x.state FROM site_shops x WHERE x.site_id = $1 AND x.push`);

const FIGURES = {
  PushesThatDiffer: 'Differs',
  PushesFailed: 'Failed',
  PushesUnknown: 'Unknown',
  PushesWaiting: 'Waiting',
} as const;

/** What of a site's pushes somebody has to look at. `more`: what is larger than what is counted. */
export async function pushFigures(database: Database, siteId: number) {
  const [shop] = await database.read<{ state: ShopState }>(STATE, [siteId]);
  const figures: Record<string, number | string | null> = {};
  const links: Record<string, string> = {};
  const more: string[] = [];
  for (const [name, state] of Object.entries(FIGURES)) {
    const count = await countPushes(database, { siteId, state });
    figures[name] = Math.min(count, MOST_COUNTED);
    links[name] = `/api/Site/${siteId}/Pushes?State=${state}`;
    if (count > MOST_COUNTED) more.push(name);
  }
  return { figures: { ...figures, ShopState: shop?.state ?? null }, links, more };
}
