export { inCurrency } from './amounts.js';
export { judgeBesides, judgeFound, type Judgement } from './found-orders.js';
export { parsePushName, probeName, pushName } from './push-name.js';
export * from './shop-receiver.js';
export { shopReceiver } from './shop-receivers.js';
export { hintOf, isSignedHook, repairHooks, type ShopHint } from './woocommerce/hooks.js';
export {
  type ChangeList,
  type Changes,
  type ChangesPlace,
  MOST_HINTS,
  type PushedOrder,
  ShopChanges,
} from './woocommerce/shop-changes.js';
export { NOT_SOLD, type ShopProduct } from './woocommerce/woo-product.js';
