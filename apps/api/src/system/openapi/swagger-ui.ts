import type { SwaggerCustomOptions } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { VIEWPORT } from '../pages/page.js';

// Functions of this file are sent to the browser as text. They must not use anything outside themselves.

/** Puts the scheme's name before a TokenAuth. */
const addScheme = (request: { headers: Record<string, string> }) => {
  const sent = request.headers.Authorization;
  if (sent && !/^basic /i.test(sent)) request.headers.Authorization = `Basic ${sent}`;
  return request;
};

/** The parts of Swagger UI's Immutable.js and React that the search needs. */
interface Tree {
  get(name: string): Tree & string;
  getIn(path: string[]): string | undefined;
  set(name: string, value: Tree): Tree;
  map(change: (one: Tree, name: string) => Tree): Tree;
  filter(keep: (one: Tree) => boolean): Tree;
  readonly size: number;
}
interface Page {
  React: { createElement(type: unknown, properties: object | null, ...children: unknown[]): unknown };
}
interface FilterProperties {
  layoutSelectors: { currentFilter(): unknown };
  layoutActions: { updateFilter(text: string): void };
}

interface Webhook {
  readonly method: string;
  readonly path: string;
  readonly operation: Tree;
}
interface WebhooksProperties {
  specSelectors: { selectWebhooksOperations(): Record<string, Webhook[]> };
}
interface WebhookSearch {
  layoutSelectors: FilterProperties['layoutSelectors'];
  fn: { isFound(phrase: string, webhook: Webhook, tag: string): boolean };
}

/** Swagger UI's own filter only searches names of tags. This one finds operations by all typed words. */
const searchOperations = () => {
  const isFound = (phrase: string, { method, path, operation }: Webhook, tag: string) => {
    const about = ['operationId', 'summary', 'description'].map((name) => operation.getIn(['operation', name]));
    const text = [tag, method, path, ...about].join(' ').toLowerCase();
    return phrase
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  };
  const described = (one: Tree) => ({ method: one.get('method'), path: one.get('path'), operation: one });
  const opsFilter = (tags: Tree, phrase: string) =>
    tags
      .map((tag, name) =>
        tag.set(
          'operations',
          tag.get('operations').filter((one) => isFound(phrase, described(one), name)),
        ),
      )
      .filter((tag) => tag.get('operations').size > 0);
  return { fn: { isFound, opsFilter } };
};

/** Webhooks, which Swagger UI's filter leaves as they are, are found in the same way. */
const searchWebhooks = ({ React }: Page) => ({
  wrapComponents: {
    Webhooks: (shown: unknown, system: WebhookSearch) => (properties: WebhooksProperties) => {
      const typed = system.layoutSelectors.currentFilter();
      const isFound = (one: Webhook) => typeof typed !== 'string' || system.fn.isFound(typed, one, 'webhooks');
      const found = Object.entries(properties.specSelectors.selectWebhooksOperations())
        .map(([name, some]) => [name, some.filter(isFound)] as const)
        .filter(([, some]) => some.length > 0);
      const selectWebhooksOperations = () => Object.fromEntries(found);
      const specSelectors = { ...properties.specSelectors, selectWebhooksOperations };
      return React.createElement(shown, { ...properties, specSelectors });
    },
  },
});

/** The field for these words. */
const searchField = ({ React }: Page) => ({
  components: {
    FilterContainer: ({ layoutSelectors, layoutActions }: FilterProperties) => {
      const typed = layoutSelectors.currentFilter();
      const input = React.createElement('input', {
        className: 'operation-filter-input',
        type: 'search',
        placeholder: 'Search operations: words of a path, a name or a description',
        'aria-label': 'Search operations',
        value: typeof typed === 'string' ? typed : '',
        onChange: (event: { target: { value: string } }) => layoutActions.updateFilter(event.target.value),
      });
      const row = React.createElement('section', { className: 'filter wrapper' }, input);
      return React.createElement('div', { className: 'filter-container' }, row);
    },
  },
});

/** All errors have the same form. The page shows the meaning of each, and /docs/errors shows an example. */
const ERRORS_BRIEFLY = ['4', '5']
  .flatMap((digit) => ['.response-controls', '.model-example'].map((part) => [digit, part] as const))
  .map(([digit, part]) => `.swagger-ui .response[data-code^="${digit}"] ${part}`)
  .join(', ');

export const SWAGGER_UI: SwaggerCustomOptions = {
  customSiteTitle: 'Scheduled Orders',
  customCss: `${ERRORS_BRIEFLY} { display: none }`,
  swaggerOptions: {
    // The token stays in the page's memory: in localStorage any later visitor of this browser would find it.
    persistAuthorization: false,
    displayOperationId: true,
    filter: true,
    tryItOutEnabled: true,
    requestInterceptor: addScheme,
    plugins: [searchOperations, searchWebhooks, searchField],
  },
};

const PAGES = ['/docs', '/docs/', '/docs/index.html'];
const CHARSET = '<meta charset="UTF-8">';

/** Nest's page has no viewport, so a phone would show it as small as on a wide screen. */
export function addViewport(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (!PAGES.includes(route.url)) return;
    route.onSend = (_request, _reply, payload, done) =>
      done(null, typeof payload === 'string' ? payload.replace(CHARSET, CHARSET + VIEWPORT) : payload);
  });
}
