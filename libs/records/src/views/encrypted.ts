import { columnOf } from '#libs/entities';
import { wireName } from './view.js';

/**
 * An encrypted column as it leaves the database: the text with all that decrypting it needs, `<row id> <encrypted>`.
 */
export const encrypted = (property: string) => ({
  name: wireName(property),
  sql: (alias: string) => `${alias}.id || ' ' || ${alias}.${columnOf(property)}`,
});

/**
 * Finds such texts of these properties in a resource's JSON: the key with its colon, its name, row id, encrypted text.
 */
export const encryptedTexts = (properties: readonly string[]): RegExp =>
  // It includes the key with its colon. Inside a text every quote has a backslash before it, so no stored text can look
  // like this.
  new RegExp(`("(${properties.map(wireName).join('|')})":)"(\\d+) ([^"]*)"`, 'g');
