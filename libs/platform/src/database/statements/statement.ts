import { createHash } from 'node:crypto';

/** Hexadecimal digits of the hash. With the prefix, the name is far below PostgreSQL's limit of 63 characters. */
const DIGITS = 32;

/**
 * A statement that a connection plans once, under a name. The name is made only from the text: behind a pooler,
 * processes and versions share connections, and one name must never mean two texts. There is no other way to make one.
 */
export class Statement {
  readonly #isHashed = true;

  private constructor(
    readonly name: string,
    readonly text: string,
  ) {}

  /** Hashes the text. Make a statement once per text and keep it; do not make one per request. */
  static named(text: string): Statement {
    return new Statement(`s_${createHash('sha256').update(text).digest('hex').slice(0, DIGITS)}`, text);
  }

  static isStatement(value: object): value is Statement {
    return #isHashed in value;
  }
}

/**
 * Runs statements and returns their rows: `due_utc` is the property `dueUtc`, bigint is a number, numeric stays text.
 * A pool runs each statement in its own transaction, a `Transaction` all of them in one. A `Statement` is planned once
 * per connection, a bare text every time.
 */
export interface SqlExecutor {
  execute<Row extends object>(statement: Statement | string, values?: unknown[]): Promise<Row[]>;
}

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
  const made = Statement.named(wanted);
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
  const made = Statement.named(text);
  shapes.set(text, made);
  return made;
}
