import type { OpenAPIObject } from '@nestjs/swagger';

const header = (description: string) => ({ description, schema: { type: 'string' } });

const LOCATION = header('The path of the new record.');
const REPLAYED = header('`true` when the answer was given before, to the same Idempotency-Key.');
const LINK = header(
  'First, previous and next page (RFC 8288), if a page was requested; with a cursor the next one only.',
);

interface Operation {
  parameters?: { name: string; in: string }[];
  responses: Record<string, { headers?: object }>;
}

/** Headers of successful answers that a client may want to read. */
export function describeHeaders(document: OpenAPIObject): void {
  for (const item of Object.values(document.paths)) {
    for (const { parameters = [], responses } of Object.values(item) as Operation[]) {
      const has = (name: string) => parameters.some((parameter) => parameter.name === name);
      const success = Object.entries(responses).find(([status]) => Number(status) < 300);
      if (success === undefined) continue;
      const [status, response] = success;
      const headers = {
        ...(status === '201' ? { Location: LOCATION } : {}),
        ...(has('Idempotency-Key') ? { 'Idempotent-Replayed': REPLAYED } : {}),
        ...(has('page') || has('cursor') ? { Link: LINK } : {}),
      };
      if (Object.keys(headers).length > 0) response.headers = headers;
    }
  }
}
