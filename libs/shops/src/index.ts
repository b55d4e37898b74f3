export { exactNet } from './amounts.js';
export { judgeFound, type Judgement } from './found-orders.js';
export { parsePushName, probeName, pushName } from './push-name.js';
export * from './shop-receiver.js';
export { shopReceiver } from './shop-receivers.js';
