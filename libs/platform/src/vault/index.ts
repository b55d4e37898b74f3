export * from './encryption-keys.js';
export * from './errors.js';
export * from './places.js';
export * from './vault.js';
