import { Statement } from './statement.js';

const statements = new Map<string, Statement>();

/**
 * The statement of a text that is put together on the way, such as one that names every column of a resource: hashed
 * once. The key finds it without hashing; the text is compared, because two texts under one key would run one instead
 * of the other.
 * @throws Error when the key stands for another text.
 */
export function prepared(key: string, text: () => string): Statement {
  const known = statements.get(key);
  const wanted = text();
  if (known?.text === wanted) return known;
  if (known !== undefined) throw new Error(`Two statements have the key "${key}": give one of them another.`);
  const made = Statement.of(wanted);
  statements.set(key, made);
  return made;
}

/** More shapes than that are no habit of any client; each costs every connection some memory. */
const MOST_SHAPES = 200;
const shapes = new Map<string, Statement>();

/** A statement whose text depends on what a request sends, prepared as long as there are few of its kind. */
export function shaped(text: string): Statement | string {
  const known = shapes.get(text);
  if (known !== undefined) return known;
  if (shapes.size === MOST_SHAPES) return text;
  const made = Statement.of(text);
  shapes.set(text, made);
  return made;
}
