import { join } from 'node:path';
import { remark } from '../output.js';
import { ApiRefusal, ApiSession } from './api-session.js';
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
  const path = `/api/Site/${site!.Id}`;
  if (isNew) await session.put(`${path}/Shop`, { Receiver: 'Http', Path: ORDERS_PATH });
  else if (!isOurs(await session.get<Shop>(`${path}/Shop`))) return undefined;
  const { Secret } = await session.get<{ readonly Secret: string }>(`${path}/Shop/Secret`);
  const shop = await PackingShop.open(join(folder, 'packed-orders.jsonl'), Secret);
  try {
    if (site!.Url !== shop.url) await session.put(path, { Url: shop.url });
    if (isNew) await session.put(`${path}/Shop`, { Push: 'On' });
    await session.post(`${path}/Shop/Verify`, {});
  } catch (error) {
    // With an OUTBOUND_ALLOWED_ADDRESSES of the user's own, this machine may be out of reach.
    if (!(error instanceof ApiRefusal)) throw error;
    remark(`Nothing is pushed into the demo's shop. ${error.message}`);
  }
  return shop;
}

/** Nobody else has such a path. */
const isOurs = ({ Receiver, Path }: Shop) => Receiver === 'Http' && Path === ORDERS_PATH;
