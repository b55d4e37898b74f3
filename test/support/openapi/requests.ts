import * as fc from 'fast-check';
import { type OpenApiDocument, type Parameter, resolved, type Route, type Schema } from './document.js';

/** Values that mean something, by the name that a path or a body gives them (`CustomerId`, `CurrencyIso`). */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

type Headers = Readonly<Record<string, string>>;

export interface FuzzedRequest {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 2 ** 53, 1e300, '', ' ', '\u0000', '\ud800', 'x'.repeat(300), [], {}, [[]]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Made once: preparing this unit takes a second. */
const graphemes = fc.string({ unit: 'grapheme', maxLength: 20 });
const text = fc.oneof(fc.string({ maxLength: 20 }), graphemes);

/** One segment of a path: none, or dots alone, would lead elsewhere. */
const segments = graphemes.map((value) => (/^\.{0,2}$/.test(value) ? 'dots' : encodeURIComponent(value)));

const formatted: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'date-time': fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  email: fc.emailAddress(),
  uri: fc.tuple(fc.domain(), text).map(([domain, path]) => `https://${domain}/${encodeURIComponent(path)}`),
};

const decimals = fc.integer({ min: 0, max: 10 ** 9 }).map((cents) => cents / 100);

const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** Requests to one route, made from the document: mostly what it asks for, with junk in any place. */
export class Requests {
  constructor(
    private readonly document: OpenApiDocument,
    private readonly known: KnownValues,
  ) {}

  forRoute(route: Route): fc.Arbitrary<FuzzedRequest> {
    const { parameters = [], requestBody } = route;
    const placed = (place: string) => parameters.filter((parameter) => parameter.in === place);
    const schema = requestBody?.content?.['application/json']?.schema;
    const body = schema === undefined ? fc.constant(undefined) : this.body(schema);
    return fc
      .tuple(this.path(route.path, placed('path')), this.query(placed('query')), this.headers(placed('header')), body)
      .map(([path, query, headers, sent]) => ({
        path: path + query,
        headers: sent === undefined ? headers : { 'content-type': 'application/json', ...headers },
        body: sent,
      }));
  }

  private path(template: string, parameters: readonly Parameter[]): fc.Arbitrary<string> {
    const values = parameters.map(({ name }) =>
      fc.oneof(
        { weight: 5, arbitrary: this.knownOr(pascal(name), fc.nat()).map(String) },
        {
          weight: 1,
          arbitrary: fc.oneof(
            fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
            fc.constantFrom('0', '%00', '%ff', '%zz', '9007199254740992', '9223372036854775808', '1e3', '%2F'),
            segments,
          ),
        },
      ),
    );
    return fc
      .tuple(...values)
      .map((filled) =>
        parameters.reduce((path, { name }, index) => path.replace(`{${name}}`, () => filled[index]!), template),
      );
  }

  private query(parameters: readonly Parameter[]): fc.Arbitrary<string> {
    const values = parameters.map(({ name, schema }) => {
      const value = fc.oneof({ weight: 3, arbitrary: this.value(name, schema).map(String) }, text);
      return fc.array(value, { maxLength: 1 }).map((given) => given.map((one): [string, string] => [name, one]));
    });
    const other = seldom(fc.tuple(text, text)).map((pair) => (pair ? [pair] : []));
    return fc.tuple(...values, other).map((pairs) => {
      const search = new URLSearchParams(pairs.flat()).toString();
      return search === '' ? '' : `?${search}`;
    });
  }

  private headers(parameters: readonly Parameter[]): fc.Arbitrary<Headers> {
    const names = [...parameters.map(({ name }) => name.toLowerCase()), 'x-request-id', 'accept', 'if-none-match'];
    const value = fc.oneof(
      fc.string({ maxLength: 300 }).map((given) => given.trim()),
      fc.constantFrom('a', 'b', 'é', '*/*', 'x'.repeat(256)),
    );
    const known = fc.record<Headers>(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
    const contentType = seldom(fc.constantFrom('text/plain', 'application/json; charset=x', 'a/b; c', 'x'));
    return fc
      .tuple(known, contentType)
      .map(([headers, type]) => (type === undefined ? headers : { ...headers, 'content-type': type }));
  }

  private body(schema: Schema): fc.Arbitrary<string> {
    return fc.oneof(
      { weight: 6, arbitrary: this.value('', schema).map((value) => JSON.stringify(value)) },
      { weight: 4, arbitrary: this.spoilt(schema).map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: junk.map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.oneof(text, fc.constantFrom('', '{', '[]', '{"a":1,}', '\ufeff{}', 'NaN')) },
    );
  }

  /** What a schema asks for. */
  private value(name: string, unresolved: Schema): fc.Arbitrary<unknown> {
    const schema = resolved(this.document, unresolved);
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const value = this.knownOr(name, this.typed(name, schema, types.find((type) => type !== 'null') ?? 'any'));
    return types.includes('null') ? fc.option(value, { freq: 6 }) : value;
  }

  private knownOr(name: string, otherwise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
    const known = this.known[name];
    if (known === undefined) return otherwise;
    return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: otherwise });
  }

  private typed(name: string, schema: Schema, type: string): fc.Arbitrary<unknown> {
    switch (type) {
      case 'object':
        return this.object(schema);
      case 'array':
        return fc.array(this.value(name, schema.items!), { maxLength: 3 });
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return integers(schema);
      case 'number':
        return decimals;
      case 'string':
        return formatted[schema.format ?? ''] ?? text;
      default:
        return junk;
    }
  }

  /** Some of the fields; those that the service sets with whatever, for they are ignored. */
  private object({ properties = {} }: Schema): fc.Arbitrary<object> {
    const fields = Object.entries(properties).map(([name, property]) => [
      name,
      property.readOnly ? junk : this.value(name, property),
    ]);
    return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: [],
      noNullPrototype: true,
    });
  }

  /** The same with junk in one of its fields, or with one more that there is none of. */
  private spoilt(unresolved: Schema): fc.Arbitrary<object> {
    const schema = resolved(this.document, unresolved);
    const name = fc.oneof(fc.constantFrom(...Object.keys(schema.properties!)), text);
    return fc.tuple(this.object(schema), name, junk).map(([sent, field, value]) => ({ ...sent, [field]: value }));
  }
}

const integers = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema) =>
  fc.oneof(fc.integer({ min: minimum, max: Math.min(maximum, minimum + 40) }), fc.maxSafeNat());
