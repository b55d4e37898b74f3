import type { OpenAPIObject } from '@nestjs/swagger';
import { NULL_IS_SENT_ONLY, SOMETIMES_ANSWERED } from '../../http/fields/field.js';

/** The parts of a schema that this file uses. */
interface Schema {
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  $ref?: string;
  allOf?: Schema[];
  readOnly?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  [NULL_IS_SENT_ONLY]?: boolean;
  [SOMETIMES_ANSWERED]?: boolean;
}

type Schemas = Record<string, Schema>;

const PLACE = '#/components/schemas/';
const nameOf = (ref: string) => ref.slice(PLACE.length);

/**
 * A resource is one class in code, but has two schemas: the body of a request, with every field optional, and the
 * answer, with every field present. `Customer` is the answer, `CustomerBody` the body. Neither has other fields.
 */
export function separateBodies(document: OpenAPIObject): void {
  const schemas = document.components!.schemas as Schemas;
  const bodies = bodiesOf(document);
  const answered = namesReachedFrom(schemas, answersOf(document));
  const sent: Schemas = {};
  for (const body of bodies) body.$ref = PLACE + writeBody(schemas, sent, answered, nameOf(body.$ref!));
  for (const [name, schema] of Object.entries(schemas)) {
    if (answered.has(name)) schemas[name] = asAnswered(schema);
    else delete schemas[name];
  }
  Object.assign(schemas, sent);
  document.components!.schemas = sorted(schemas);
}

/** Adds the body of a resource, and of those inside it, to `sent`. @returns its name. */
function writeBody(schemas: Schemas, sent: Schemas, answered: ReadonlySet<string>, name: string): string {
  const own = answered.has(name) ? `${name}Body` : name;
  if (sent[own] !== undefined) return own;
  const { properties = {}, ...schema } = schemas[name]!;
  sent[own] = {
    ...schema,
    additionalProperties: false,
    properties: mapped(properties, ({ [NULL_IS_SENT_ONLY]: _, ...property }, field) => {
      const ref = refOf(property);
      if (property.readOnly || ref === undefined) return property;
      const $ref = PLACE + writeBody(schemas, sent, answered, nameOf(ref));
      const { allOf: _allOf, ...rest } = property;
      if (property.items === undefined) return { ...rest, $ref };
      const isRequired = schema.required?.includes(field) === true;
      return { ...property, type: isRequired ? 'array' : ['array', 'null'], items: { $ref } };
    }),
  };
  return own;
}

/** The resource that a field holds, or that its elements are. */
const refOf = ({ $ref, allOf, items }: Schema): string | undefined => $ref ?? allOf?.[0]?.$ref ?? items?.$ref;

function asAnswered({ properties = {}, ...schema }: Schema): Schema {
  if (schema.type !== 'object') return schema;
  const present = mapped(properties, ({ [NULL_IS_SENT_ONLY]: sentOnly, [SOMETIMES_ANSWERED]: _, ...property }) =>
    sentOnly === true ? withoutNull(property) : property,
  );
  const required = Object.keys(present).filter((name) => properties[name]![SOMETIMES_ANSWERED] !== true);
  return { ...schema, additionalProperties: false, required, properties: present };
}

function withoutNull({ type: types, ...property }: Schema): Schema {
  const type = Array.isArray(types) ? types.find((one) => one !== 'null') : types;
  return {
    ...property,
    ...(type === undefined ? {} : { type }),
    ...(property.enum === undefined ? {} : { enum: property.enum.filter((value) => value !== null) }),
  };
}

const mapped = (properties: Schemas, change: (property: Schema, name: string) => Schema): Schemas =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, change(property, name)]));

const sorted = (schemas: Schemas): Schemas =>
  Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1)));

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const operationsOf = (document: OpenAPIObject): Operation[] =>
  Object.values(document.paths).flatMap((item) => Object.values(item) as Operation[]);

const bodiesOf = (document: OpenAPIObject): Schema[] =>
  operationsOf(document).flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}).map((c) => c.schema));

const answersOf = (document: OpenAPIObject): Schema[] =>
  operationsOf(document).flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => schema)),
  );

/** Every resource in an answer, at any depth. */
function namesReachedFrom(schemas: Schemas, start: readonly Schema[]): Set<string> {
  const names = new Set<string>();
  const queue: unknown[] = [...start];
  while (queue.length > 0) {
    const value = queue.pop();
    if (typeof value !== 'object' || value === null) continue;
    const ref = '$ref' in value && typeof value.$ref === 'string' ? nameOf(value.$ref) : undefined;
    if (ref !== undefined && !names.has(ref)) {
      names.add(ref);
      queue.push(schemas[ref]);
    }
    for (const part of Object.values(value) as unknown[]) queue.push(part);
  }
  return names;
}
