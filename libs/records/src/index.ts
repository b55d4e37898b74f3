export * from './answer.js';
export * from './caller.js';
export {
  decryptCredentials,
  decryptingView,
  encryptCredentials,
  ENDPOINT_SECRETS,
  INTEGRATION_CREDENTIALS,
  SITE_CREDENTIALS,
} from './credentials.js';
export { Database } from './database.js';
export * from './errors.js';
export { allowGatewayCustomer, type NamedGatewayCustomer } from './gateway-customers.js';
export { holdBinding } from './hold-binding.js';
export {
  keysOfCustomer,
  keysOfSites,
  Listing,
  PAGE_SIZE,
  type Keys,
  type OwnedBy,
  type Page,
  type Pieces,
} from './listing.js';
export * from './passwords.js';
export * from './reach.js';
export { LargeRecord, recordJson, type RecordJson, recordPieces } from './record-pieces.js';
export * from './references.js';
export * from './rows.js';
export { assertEncryptionKeys } from './assert-encryption-keys.js';
export * from './shipping-country.js';
export * from './site-scoped.service.js';
export { together } from './together.js';
export * from './views/address.js';
export * from './views/resources.js';
export * from './views/view.js';
export { requireVersion } from './require-version.js';
