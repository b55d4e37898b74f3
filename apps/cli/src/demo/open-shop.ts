import { join } from 'node:path';
import { ApiSession } from './api-session.js';
import { DEMO_EMAIL, DEMO_PASSWORD } from './demo-account.js';
import { ORDERS_PATH, PackingShop } from './packing-shop.js';

interface Site {
  readonly Id: number;
  readonly Url: string | null;
}

interface Shop {
  readonly Receiver: string | null;
  readonly Path: string | null;
}

/**
 * Opens the shop that the demo's first site pushes to, and tells the API where it is today. A site that somebody has
 * connected to another shop is left alone.
 * @param folder where it keeps its orders.
 * @param isNew the site has no shop yet.
 * @returns undefined for a site with another shop.
 */
export async function openShop(apiUrl: string, folder: string, isNew: boolean): Promise<PackingShop | undefined> {
  const session = await ApiSession.login(apiUrl, DEMO_EMAIL, DEMO_PASSWORD);
  const [site] = await session.list<Site>('/api/Sites');
  const path = `/api/Site/${site!.Id}/Shop`;
  if (isNew) await session.put(path, { Receiver: 'Http', Path: ORDERS_PATH, Push: 'On' });
  else if (!isOurs(await session.get<Shop>(path))) return undefined;
  const { Secret } = await session.get<{ readonly Secret: string }>(`${path}/Secret`);
  const shop = await PackingShop.open(join(folder, 'packed-orders.jsonl'), Secret);
  if (site!.Url !== shop.url) await session.put(`/api/Site/${site!.Id}`, { Url: shop.url });
  await session.post(`${path}/Verify`, {});
  return shop;
}

/** Nobody else has such a path. */
const isOurs = ({ Receiver, Path }: Shop) => Receiver === 'Http' && Path === ORDERS_PATH;
