import { addressOf, cell, operationsOf, text } from './document.mjs';
import { aboutOf, fieldsOf, typeOf } from './schemas.mjs';

const shown = (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;

function parametersOf({ parameters = [] }, all) {
  if (parameters.length === 0) return '';
  const rows = parameters.map((one) => {
    const type = cell(typeOf(one.schema, all)) + (one.required ? ', required' : '');
    return `| \`${one.name}\` | ${one.in} | ${type} | ${aboutOf({ ...one.schema, description: one.description })} |`;
  });
  return `${['| Parameter | In | Type | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')}\n`;
}

function bodyOf({ requestBody }, all) {
  const json = requestBody?.content['application/json'];
  if (json === undefined) return '';
  const example = json.example ?? Object.values(json.examples ?? {})[0]?.value;
  const fields = json.schema.properties === undefined ? '' : `${fieldsOf(json.schema, all)}\n\n`;
  const type = fields === '' ? `: ${typeOf(json.schema, all)}` : '';
  return `**Body**${type}\n\n${fields}${example === undefined ? '' : shown(example)}`;
}

function answersOf({ responses }, all) {
  const good = Object.entries(responses).filter(([status]) => status < 400);
  const lines = good.map(([status, { description, content = {} }]) => {
    const [media] = Object.values(content);
    return `- **${status}** ${text(description)}${media ? ` ${typeOf(media.schema, all)}` : ''}`;
  });
  const errors = Object.entries(responses).filter(([status]) => status >= 400);
  const named = errors.map(
    ([status, { $ref, description }]) => `[${status}](/errors${anchorOf($ref)} "${titleOf($ref, description)}")`,
  );
  return [...lines, ...(named.length === 0 ? [] : [`- Errors: ${named.join(' · ')}`])].join('\n');
}

const wordsOf = (reference) =>
  reference
    .split('/')
    .at(-1)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
const titleOf = (reference, description) =>
  (reference ? wordsOf(reference) : description.split('.')[0]).replaceAll('"', '');
const anchorOf = (reference) => (reference ? `#${wordsOf(reference).toLowerCase().replaceAll(' ', '-')}` : '');

function section(operation, all) {
  const { summary, description, operationId, verb, path } = operation;
  return `## ${summary} {#${operationId.toLowerCase()}}

\`\`\`text
${verb} ${path}
\`\`\`

${text(description)}

${parametersOf(operation, all)}
${bodyOf(operation, all)}

${answersOf(operation, all)}
`;
}

/** One page for each tag. */
export function operationPages(document) {
  const all = document.components.schemas;
  return document.tags.map(({ name, description }) => {
    const own = operationsOf(document).filter(({ tags }) => tags.includes(name));
    const sections = own.map((operation) => section(operation, all));
    return { tag: addressOf(name), name, text: `# ${name}\n\n${text(description)}\n\n${sections.join('\n')}` };
  });
}

/** The events that go out. They all have one form. */
export function webhooksPage({ webhooks, components: { schemas } }) {
  const all = Object.values(webhooks).map(({ post }) => post);
  const bodies = all.map(({ requestBody }) => requestBody.content['application/json'].schema);
  const rows = bodies.map(
    ({ properties: { type } }, index) => `| \`${type.const}\` | ${cell(all[index].description)} |`,
  );
  return `# Webhook messages

What is sent to a [webhook](/events#webhooks) endpoint: a type, a time, and facts that never change. All types have the same fields.

| Type | Means |
| --- | --- |
${rows.join('\n')}

## The body

${fieldsOf({ properties: { ...bodies[0].properties, type: { type: 'string', description: 'One of the types above.' } } }, schemas)}
`;
}
