export * from './errors.js';
export * from './views/address.js';
export * from './views/resources.js';
export * from './views/view.js';
export { hashPassword, verifyPassword } from './passwords.js';
