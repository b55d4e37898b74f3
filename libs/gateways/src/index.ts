export { amountRefusal } from './amount-refusal.js';
export * from './fingerprint.js';
export * from './gateways.js';
export * from './options.js';
export * from './payment-gateway.js';
export { isSandbox } from './sandbox-gateway.js';
