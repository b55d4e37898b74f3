export { amountRefusal } from './amount-refusal.js';
export { credentialsFingerprint } from './fingerprint.js';
export { Gateways } from './gateways.js';
export { faultOnSimulated, keyFault } from './key-fault.js';
export type { GatewayOptions } from './options.js';
export { Paging } from './paging.js';
export * from './payment-gateway.js';
export { isSandbox } from './sandbox-gateway.js';
export { CALL_OUTCOMES, type CallOutcome } from './throttle/call-outcome.js';
