export * from './answer.js';
export * from './query/index.js';
export {
  type NewApiKey,
  apiKeyIdOf,
  API_KEY_PREFIX,
  apiKeyValue,
  createApiKey,
  MOST_API_KEYS,
} from './access/api-keys.js';
export * from './access/caller.js';
export {
  type CredentialViews,
  decryptCredentials,
  encryptCredentials,
  ENDPOINT_SECRETS,
  INTEGRATION_CREDENTIALS,
  SHOP_SECRETS,
  SITE_CREDENTIALS,
  takeId,
  viewsFor,
} from './access/credentials.js';
export { Database } from './database.js';
export * from './errors.js';
export { allowGatewayCustomer, type NamedGatewayCustomer } from './access/gateway-customers.js';
export { eachInTurn, type InTurn, type Pieces } from './lists/in-turn.js';
export { type Keys, keysOf, keysOfCustomer, keysOfSites, type OwnedBy } from './lists/keys.js';
export { Listing, PAGE_SIZE, type Page } from './lists/listing.js';
export * from './access/passwords.js';
export * from './access/reach.js';
export { eachSite, isOfList, isReached, type Reach, reachOfSite } from './access/reach-sql.js';
export { inBrackets, type Piece, RecordReader } from './lists/record-reader.js';
export { LargeRecord, recordJson, type RecordJson, recordPieces } from './lists/record-pieces.js';
export { type PricedItem, type PricedItemRow, pricedItems, pricedItemsSql } from './priced-items.js';
export * from './access/references.js';
export { type Reads, Replica, type ReplicaFault } from './replica.js';
export * from './rows.js';
export { assertEncryptionKeys } from './access/assert-encryption-keys.js';
export { awaitDatabase } from './access/await-database.js';
export * from './shares.js';
export * from './shipping-country.js';
export * from './site-scoped.service.js';
export * from './access/token-secret.js';
export { collectFaults } from './collect-faults.js';
export * from './views/address.js';
export * from './views/resources.js';
export * from './views/view.js';
export * from './rates/index.js';
