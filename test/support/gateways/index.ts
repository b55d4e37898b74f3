export * from './authorize-net-stand-in.js';
export * from './faults.js';
export * from './ledger.js';
export * from './stripe-stand-in.js';
