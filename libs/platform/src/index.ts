export * from './config/index.js';
export * from './csv/index.js';
export * from './database/index.js';
export * from './metrics/index.js';
export * from './outbound/index.js';
export * from './process/index.js';
export * from './tracing/index.js';
export * from './vault/index.js';
