export * from './answer.js';
export * from './asked/index.js';
export { type NewApiKey, apiKeyIdOf, API_KEY_PREFIX, apiKeyValue, createApiKey, MOST_API_KEYS } from './api-keys.js';
export * from './caller.js';
export {
  type CredentialViews,
  decryptCredentials,
  encryptCredentials,
  ENDPOINT_SECRETS,
  INTEGRATION_CREDENTIALS,
  SITE_CREDENTIALS,
  takeId,
  viewsFor,
} from './credentials.js';
export { Database } from './database.js';
export * from './errors.js';
export { allowGatewayCustomer, type NamedGatewayCustomer } from './gateway-customers.js';
export { eachInTurn, type InTurn, type Pieces } from './in-turn.js';
export { type Keys, keysOf, keysOfCustomer, keysOfSites, type OwnedBy } from './keys.js';
export { Listing, PAGE_SIZE, type Page } from './listing.js';
export * from './passwords.js';
export * from './reach.js';
export { eachSite, isOfList, isReached, type Reach, reachOfSite } from './reach-sql.js';
export { inBrackets, type Piece, RecordReader } from './record-reader.js';
export { LargeRecord, recordJson, type RecordJson, recordPieces } from './record-pieces.js';
export * from './references.js';
export { type Reads, Replica, type ReplicaFault } from './replica.js';
export * from './rows.js';
export { assertEncryptionKeys } from './assert-encryption-keys.js';
export * from './shares.js';
export * from './shipping-country.js';
export * from './site-scoped.service.js';
export * from './token-secret.js';
export { together } from './together.js';
export * from './views/address.js';
export * from './views/resources.js';
export * from './views/view.js';
export * from './rates/index.js';
