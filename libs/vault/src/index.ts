export * from './encryption-keys.js';
export * from './errors.js';
export * from './vault.js';
