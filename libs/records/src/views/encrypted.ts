import { columnOf } from '#libs/entities';
import { BINDING } from '#libs/vault';
import { wireName } from './view.js';

/** An encrypted column as it leaves the database: the text with all that decrypting it needs, `<binding> <row id> <encrypted>`. */
export const encrypted = (property: string) => ({
  name: wireName(property),
  sql: (alias: string) => `${BINDING} || ' ' || ${alias}.id || ' ' || ${alias}.${columnOf(property)}`,
});

/** Finds such texts of these properties in a resource's JSON: the key with its colon, its name, binding, row id, encrypted text. */
export const encryptedTexts = (properties: readonly string[]): RegExp =>
  // It includes the key with its colon. Inside a text every quote has a backslash before it, so no stored text can look like this.
  new RegExp(`("(${properties.map(wireName).join('|')})":)"(\\w+) (\\d+) ([^"]*)"`, 'g');
