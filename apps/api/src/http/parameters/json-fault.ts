const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;
const SPACE = /[ \t\n\r]*/y;

/** JSON allows no control characters in a text, not even a line break. */
const FIRST_PRINTABLE = 0x20;
const BYTE_ORDER_MARK = '\ufeff';

/** The position of the first error in a JSON text, and what is expected there. */
class NoJson extends Error {
  constructor(
    readonly at: number,
    readonly expected: string,
  ) {
    super(expected);
  }
}

/**
 * Parses a text only to find the position of the error. It is recursive; the caller has limited the number of levels.
 */
class Reader {
  private at: number;

  constructor(private readonly json: string) {
    this.at = json.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  }

  document(): void {
    this.value();
    if (this.next() !== undefined) throw this.fault('the end');
  }

  private value(): void {
    const next = this.next();
    if (next === '{') this.list('}', () => this.member());
    else if (next === '[') this.list(']', () => this.value());
    else if (next === '"') this.text();
    else if (!this.skip(LITERAL)) throw this.fault('a value');
  }

  private list(closing: string, element: () => void): void {
    this.at++;
    if (this.next() === closing) {
      this.at++;
      return;
    }
    for (;;) {
      element();
      const next = this.next();
      if (next !== ',' && next !== closing) throw this.fault(`a comma or ${closing}`);
      this.at++;
      if (next === closing) return;
    }
  }

  private member(): void {
    if (this.next() !== '"') throw this.fault('a name in double quotes');
    this.text();
    if (this.next() !== ':') throw this.fault('a colon');
    this.at++;
    this.value();
  }

  /** Reads from an opening quote to after the closing one. */
  private text(): void {
    this.at++;
    while (this.json[this.at] !== '"') {
      const isControl = !(this.json.charCodeAt(this.at) >= FIRST_PRINTABLE); // also after the end
      if (isControl) throw this.fault('a closing quote');
      if (this.json[this.at] !== '\\') this.at++;
      else if (!this.skip(ESCAPE)) throw this.fault('a valid escape, such as \\n or \\"');
    }
    this.at++;
  }

  /** The next character that is not white space; undefined at the end. */
  private next(): string | undefined {
    this.skip(SPACE);
    return this.json[this.at];
  }

  private skip(form: RegExp): boolean {
    form.lastIndex = this.at;
    if (!form.test(this.json)) return false;
    this.at = form.lastIndex;
    return true;
  }

  private fault(expected: string): NoJson {
    return new NoJson(this.at, expected);
  }
}

/**
 * A sentence about the first JSON error in a body; null when it is JSON. It quotes nothing, because a body may have
 * credentials. V8's own messages quote the text and often have no position.
 */
export function jsonFault(json: string): string | null {
  try {
    new Reader(json).document();
    return null;
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    const before = json.slice(0, error.at).split('\n');
    const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    const ending = error.at >= json.length ? ', where the body ends' : '';
    return `The JSON is wrong at ${place}${ending}: expected ${error.expected}.`;
  }
}
