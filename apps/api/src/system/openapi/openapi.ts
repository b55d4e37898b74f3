import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { packageRoot, productVersion } from '#libs/platform';
import { ADDITION, SECURITY_SCHEME, SESSION_SCHEME } from '../../http/route.js';
import { ABOUT, TAGS } from './about.js';
import { shareErrors } from './errors.js';
import { showExamples } from './examples.js';
import { describeHeaders } from './headers.js';
import { PROBLEM_SCHEMA } from './problem-schema.js';
import { separateBodies } from './resources.js';
import { addViewport, SWAGGER_UI } from './swagger-ui.js';
import { describeWebhooks } from './webhooks.js';

const METRICS = {
  get: {
    operationId: 'getMetrics',
    summary: 'Counts requests and the process’s resources, for Prometheus',
    description: `Needs no token. ${ADDITION}`,
    tags: ['Health'],
    responses: {
      200: { description: 'As asked.', content: { 'text/plain': { schema: { type: 'string' } } } },
      431: { $ref: '#/components/responses/RequestHeaderFieldsTooLarge' },
    },
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
          '`Basic ` followed by the TokenAuth of a login, or by the Value of an API key; here the TokenAuth or Value alone is enough. The description of an operation says who may call it; an API key with the Access `Read` calls only what changes nothing.',
      },
      SECURITY_SCHEME,
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'cookie',
        name: '__Host-scheduled-orders-session',
        description:
          'The cookie of `POST /api/Sessions`, for the pages that this API serves itself. Wherever an operation takes a Merchant token, it takes a session, too. It counts only together with the header `X-Requested-With: console`, in requests of this origin, and where there is no header `Authorization`. Over plain http its name is `scheduled-orders-session`.',
      },
      SESSION_SCHEME,
    );
  for (const [name, description, [page, what] = []] of TAGS) {
    builder.addTag(name, page === undefined ? description : `${description} More: [${what}](/docs/${page}).`);
  }
  // The address must be absolute here. Without PUBLIC_URL there are only the links in the descriptions.
  if (publicUrl !== '') builder.setExternalDoc('Guides', `${publicUrl}/docs/guides`);
  const built = builder.build();
  const contact = { name: 'The operator of this installation', ...(publicUrl === '' ? {} : { url: publicUrl }) };
  return { ...built, info: { ...built.info, contact } };
}

/** The served document: each error once, bodies separate from answers, every operation with its security. */
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
  describeWebhooks(document);
  return document;
}

/** Where its files are: the build has copied them. Before a build, its package has them. */
function swaggerUiFiles(): { customSwaggerUiPath?: string } {
  const folder = join(packageRoot(), 'dist/swagger-ui');
  return existsSync(folder) ? { customSwaggerUiPath: folder } : {};
}

/** Swagger UI at /docs with its own files, the document at /openapi.json. */
export function serveOpenApi(app: NestFastifyApplication, publicUrl: string, hasMetrics: boolean): void {
  addViewport(app.getHttpAdapter().getInstance());
  SwaggerModule.setup('docs', app, () => openApiDocument(app, publicUrl, hasMetrics), {
    ...SWAGGER_UI,
    ...swaggerUiFiles(),
    raw: ['json'],
    jsonDocumentUrl: 'openapi.json',
  });
}
