import { cell } from './document.mjs';

/** The name of a schema that is referred to; a body's is that of its resource, whose read-only fields it ignores. */
const nameOf = (reference, all) => {
  const name = reference.split('/').at(-1);
  const resource = name.replace(/Body$/, '');
  return resource in all ? resource : name;
};

const linked = (name) => `[${name}](/reference/resources#${name.toLowerCase()})`;

/** The type of a value in words, with links to resources. */
export function typeOf(schema, all) {
  if (schema.$ref) return linked(nameOf(schema.$ref, all));
  if (schema.allOf?.length === 1) return typeOf(schema.allOf[0], all);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, all)))].join(' or ');
  const types = [schema.type ?? 'any'].flat();
  const words = types.map((type) => (type === 'array' ? `list of ${typeOf(schema.items ?? {}, all)}` : type));
  return words.join(' or ');
}

const quoted = (value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** The bounds of a value: its form, the least and the most, the values that there are. */
function boundsOf(schema) {
  const { format, minimum, maximum, minLength, maxLength, maxItems, pattern } = schema;
  const values = schema.const === undefined ? schema.enum : [schema.const];
  const isId = maximum === Number.MAX_SAFE_INTEGER;
  return [
    ...(format && format !== 'int64' ? [format] : []),
    ...(minimum === undefined || isId
      ? []
      : [maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`]),
    ...(maxLength === undefined ? [] : [`${minLength > 0 ? `${minLength} to` : 'at most'} ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(pattern === undefined ? [] : [`form ${quoted(pattern)}`]),
    ...(values === undefined ? [] : [`one of ${values.map(quoted).join(', ')}`]),
  ].join('; ');
}

/** Meaning of a value, then its bounds, unless the meaning lists the values already. */
export function aboutOf(schema) {
  const { description = '' } = schema;
  const bounds = description.includes('\n* `') ? '' : boundsOf(schema);
  return cell([description, bounds === '' ? '' : `_${bounds}_`].filter((part) => part !== '').join(' '));
}

/** The fields of an object; those of an object in it, which has no name of its own, stand below it. */
function rowsOf(schema, all, prefix = '') {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const type = typeOf(field, all) + (field.readOnly ? ', read only' : '');
    const row = `| \`${prefix}${name}\` | ${cell(type)} | ${aboutOf(field)} |`;
    return [row, ...rowsOf(field, all, `${prefix}${name}.`)];
  });
}

export const fieldsOf = (schema, all) =>
  ['| Field | Type | Meaning |', '| --- | --- | --- |', ...rowsOf(schema, all)].join('\n');

/** All resources with their fields. Bodies have those of their resources. */
export function resourcesPage({ components: { schemas } }) {
  const own = Object.entries(schemas).filter(([name]) => nameOf(name, schemas) === name);
  const sections = own.map(([name, schema]) => {
    const about = schema.description === undefined ? '' : `${schema.description}\n\n`;
    return `## ${name}\n\n${about}${fieldsOf(schema, schemas)}\n`;
  });
  return `# Resources

Every field of every body and answer, made from the [OpenAPI document](https://spec.openapis.org/oas/v3.1.0) of the API. What a body leaves out stays as it is, or gets its
default; fields that are read only are accepted and ignored, so that a client can send back what it has read.

${sections.sort().join('\n')}`;
}
