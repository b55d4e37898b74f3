import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What `node bin/openapi.mjs` wrote (npm run docs). */
const FILE = fileURLToPath(new URL('../../../build/openapi.json', import.meta.url));

/** The OpenAPI document of the built API. */
export function openApi() {
  if (!existsSync(FILE)) throw new Error(`There is no ${FILE}: build the site with npm run docs, in the folder above.`);
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** `Scheduled orders` → `scheduled-orders`. */
export const addressOf = (tag) => tag.toLowerCase().replaceAll(' ', '-');

const VERBS = ['get', 'post', 'put', 'delete'];

/** Every operation with its path and verb; those of a tag stand together, in the document's order. */
export const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, item]) =>
    VERBS.filter((verb) => verb in item).map((verb) => ({ path, verb: verb.toUpperCase(), ...item[verb] })),
  );

/** Links to the pages that the API serves lead to the same pages of the site. */
export const text = (words = '') => words.replaceAll('](/docs/guides)', '](/)').replaceAll('](/docs/', '](/');

/** A text in a cell of a table. */
export const cell = (words) =>
  text(words)
    .replace(/\n+\* /g, '<br>• ')
    .replace(/\n+/g, ' ')
    .replaceAll('|', '\\|');
