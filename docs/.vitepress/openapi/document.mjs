import { readFileSync } from 'node:fs';

/** The OpenAPI document of the API (npm run client writes it). */
export const openApi = () => JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));

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
