/** As much of an OpenAPI document as the tests read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly readOnly?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly maxLength?: number;
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly object[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

/** What `#/components/…` stands for. */
export function resolved<T extends { readonly $ref?: string }>(document: OpenApiDocument, value: T): T {
  if (value.$ref === undefined) return value;
  const [, ...steps] = value.$ref.split('/');
  return steps.reduce<unknown>((here, step) => (here as Record<string, unknown>)[step], document) as T;
}

export interface Route extends Operation {
  readonly method: string;
  readonly path: string;
}

export const routesOf = ({ paths }: OpenApiDocument): Route[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

/** It takes the cookie of a session, and no token. */
export const isOfSession = ({ security = [] }: Operation) => security.some((one) => 'Session' in one);

/** A route's path with the documented examples of its ids, and of the parameters that it requires. */
export function examplePath({ path, parameters = [] }: Route): string {
  const required = parameters.filter(({ required, in: place }) => place === 'query' && required === true);
  const query = required.map(({ name, schema }) => `${name}=${encodeURIComponent(String(schema.example))}`).join('&');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find((parameter) => parameter.name === name)!.schema.example),
  );
  return query === '' ? filled : `${filled}?${query}`;
}
