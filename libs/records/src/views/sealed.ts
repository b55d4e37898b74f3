import { columnOf } from '#libs/entities';
import { BINDING } from '#libs/vault';
import { wireName } from './view.js';

/** An encrypted column as the database returns it: the text with everything that decrypting needs, `<binding> <row id> <sealed>`. */
export const sealed = (property: string) => ({
  name: wireName(property),
  sql: (alias: string) => `${BINDING} || ' ' || ${alias}.id || ' ' || ${alias}.${columnOf(property)}`,
});

/** Finds such texts of these properties in a resource's JSON: the key with its colon, its name, binding, row id, encrypted text. */
export const sealedTexts = (properties: readonly string[]): RegExp =>
  // It includes the key with its colon. Inside a text every quote has a backslash before it, so no stored text can look like this.
  new RegExp(`("(${properties.map(wireName).join('|')})":)"(\\w+) (\\d+) ([^"]*)"`, 'g');
