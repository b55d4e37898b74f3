export * from './given-push.js';
export * from './http-receiver-stand-in.js';
export * from './woocommerce-books.js';
export * from './woocommerce-stand-in.js';
