export { AddressRule } from './address-rule.js';
export { excerptOf } from './excerpt.js';
export {
  type Outbound,
  OutboundClient,
  type OutboundAnswer,
  type OutboundOptions,
  type OutboundRequest,
} from './outbound-client.js';
export { type Resolve } from './lookup.js';
export { retryAfterMs } from './retry-after.js';
export { urlFault } from './url-fault.js';
