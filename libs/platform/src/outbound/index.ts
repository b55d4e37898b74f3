export { AddressRule } from './address-rule.js';
export { excerptOf } from './excerpt.js';
export { OutboundClient, type OutboundAnswer, type OutboundOptions } from './outbound-client.js';
export { type Resolve } from './lookup.js';
export { retryAfterMs } from './retry-after.js';
export { urlFault } from './url-fault.js';
