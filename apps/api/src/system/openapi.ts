import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { productVersion } from '#libs/config';
import { SECURITY_SCHEME } from '../http/route.js';
import { ABOUT, TAGS } from './openapi-about.js';
import { shareErrors } from './openapi-errors.js';
import { showExamples } from './openapi-examples.js';
import { describeHeaders } from './openapi-headers.js';
import { separateBodies } from './openapi-resources.js';
import { PROBLEM_SCHEMA } from './problem-schema.js';

/** Swagger UI runs this in the browser: whoever pastes a bare TokenAuth gets the scheme's name put before it. */
const addScheme = (request: { headers: Record<string, string> }) => {
  const sent = request.headers.Authorization;
  if (sent && !/^basic /i.test(sent)) request.headers.Authorization = `Basic ${sent}`;
  return request;
};

const METRICS = {
  get: {
    operationId: 'getMetrics',
    summary: 'Counts requests and the process’s resources, for Prometheus',
    description: 'Needs no token.',
    tags: ['Health', 'Additions'],
    responses: { 200: { description: 'As asked.', content: { 'text/plain': { schema: { type: 'string' } } } } },
  },
};

function describeApi(publicUrl: string): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Scheduled Orders')
    .setDescription(ABOUT)
    .setVersion(productVersion())
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(publicUrl === '' ? '/' : publicUrl)
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description:
          '`Basic ` followed by the TokenAuth of a login; here the TokenAuth alone will do. Operations name the access scopes that may call them.',
      },
      SECURITY_SCHEME,
    );
  for (const [name, description] of TAGS) builder.addTag(name, description);
  return builder.build();
}

/** The document, as it is served: one place for each error, bodies apart from answers, every operation with its security. */
export function openApiDocument(app: NestFastifyApplication, publicUrl = '', hasMetrics = true): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, describeApi(publicUrl));
  if (hasMetrics) document.paths['/metrics'] = METRICS;
  separateBodies(document);
  Object.assign(document.components!.schemas!, { Problem: PROBLEM_SCHEMA });
  showExamples(document);
  describeHeaders(document);
  shareErrors(document);
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as { security?: object[] }[]) operation.security ??= [];
  }
  return document;
}

/** Swagger UI at /docs with its own files, the document at /openapi.json. */
export function serveOpenApi(app: NestFastifyApplication, publicUrl: string, hasMetrics: boolean): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app, publicUrl, hasMetrics), {
    raw: ['json'],
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Scheduled Orders',
    swaggerOptions: {
      // The token stays in the page's memory: in localStorage any later visitor of this browser would find it.
      persistAuthorization: false,
      displayOperationId: true,
      filter: true,
      tryItOutEnabled: true,
      requestInterceptor: addScheme,
    },
  });
}
