export * from './payment-gateway.js';
