import type { OutboundClient } from '#libs/platform';
import { type Finding, repairHooks, type Shop, type Verification } from '#libs/shops';
import { hooksPath } from './woocommerce-hooks.js';

const UNKNOWN_ADDRESS: Finding = {
  check: 'Hooks',
  agrees: false,
  message:
    'PUBLIC_URL is not set, so the shop cannot be told where to send its hooks: its changes are read every 15 minutes.',
};

/** Of a WooCommerce that takes Orders: makes its hooks, and repairs them. */
export async function repairedHooks(
  client: OutboundClient,
  shop: Shop,
  { state, authMode }: Verification,
  { siteId, publicUrl }: { readonly siteId: number; readonly publicUrl: string | undefined },
): Promise<Finding[]> {
  if (shop.receiver !== 'WooCommerceRest' || state !== 'Ready' || authMode === null) return [];
  if (publicUrl === undefined) return [UNKNOWN_ADDRESS];
  const hooks = { url: publicUrl + hooksPath(siteId), secret: shop.secrets[0]! };
  return [await repairHooks(client, { ...shop, authMode }, hooks)];
}
