import { openApi, operationsOf } from './document.mjs';
import { operationPages, webhooksPage } from './operations.mjs';
import { resourcesPage } from './schemas.mjs';

const startPage = (document, pages) => `# API reference

Every operation of the API, made from its OpenAPI document, which a running API serves at \`/openapi.json\`. There, Swagger UI at \`/docs\` sends requests, too. What holds for
all operations is in [Calling the API](/api); the fields of bodies and answers are in [Resources](/reference/resources).

${pages
  .map(({ tag, name }) => {
    const rows = operationsOf(document)
      .filter(({ tags }) => tags.includes(name))
      .map(
        ({ verb, path, summary, operationId }) =>
          `| ${verb} | \`${path}\` | [${summary}](/reference/${tag}#${operationId.toLowerCase()}) |`,
      );
    return `## ${name}\n\n| Verb | Path | Does |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  })
  .join('\n')}`;

/** The pages of the API reference: address, name in the side bar, text. */
export function referencePages() {
  const document = openApi();
  const pages = operationPages(document);
  return [
    { tag: 'operations', name: 'All operations', text: startPage(document, pages) },
    ...pages,
    { tag: 'resources', name: 'Resources', text: resourcesPage(document) },
    { tag: 'messages', name: 'Webhook messages', text: webhooksPage(document) },
  ];
}
