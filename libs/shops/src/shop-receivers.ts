import type { Outbound } from '#libs/platform';
import { HttpReceiver } from './http/http-receiver.js';
import type { Shop, ShopReceiver } from './shop-receiver.js';
import { WooCommerceReceiver } from './woocommerce/woocommerce-receiver.js';

/** The adapter for a site's shop. It is cheap: make one for every claim. */
export function shopReceiver(outbound: Outbound, shop: Shop): ShopReceiver {
  switch (shop.receiver) {
    case 'WooCommerceRest':
      return new WooCommerceReceiver(outbound, shop);
    case 'Http':
      return new HttpReceiver(outbound, shop);
  }
}
