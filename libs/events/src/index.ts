export * from './audit-log/index.js';
export * from './outbox/index.js';
export * from './webhooks/index.js';
