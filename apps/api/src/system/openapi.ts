import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { SECURITY_SCHEME } from '../http/route.js';
import { PROBLEM_SCHEMA } from './problem-schema.js';

const ABOUT = `An engine for scheduled (recurring) orders. Log in at **POST /api/AccessTokens/Login**, press *Authorize* and paste the \`TokenAuth\` of the answer.`;

/** Swagger UI runs this in the browser: whoever pastes a bare TokenAuth gets the scheme's name put before it. */
const addScheme = (request: { headers: Record<string, string> }) => {
  const sent = request.headers.Authorization;
  if (sent && !/^basic /i.test(sent)) request.headers.Authorization = `Basic ${sent}`;
  return request;
};

export function openApiDocument(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Scheduled Orders')
    .setDescription(ABOUT)
    .setVersion('1.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: '`Basic ` followed by the TokenAuth of a login. In Swagger UI the TokenAuth alone will do.',
      },
      SECURITY_SCHEME,
    )
    .build();
  const document = SwaggerModule.createDocument(app, config);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Problem: PROBLEM_SCHEMA },
  };
  return document;
}

/** Swagger UI at /docs with its own files, the document at /openapi.json. */
export function serveOpenApi(app: NestFastifyApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    raw: ['json'],
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Scheduled Orders',
    swaggerOptions: {
      persistAuthorization: true,
      displayOperationId: true,
      filter: true,
      tryItOutEnabled: true,
      requestInterceptor: addScheme,
    },
  });
}
