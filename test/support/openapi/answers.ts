import { fastify, type FastifyInstance } from 'fastify';
import { type OpenApiDocument, resolved, type Route, type Schema } from './document.js';

type Validate = ((value: unknown) => boolean) & { errors?: unknown };

export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

/** Holds answers to the document: status, media type, and every field. JSON Schema as Fastify itself compiles it. */
export class Answers {
  private readonly compiled = new Map<string, Validate>();

  private constructor(
    private readonly document: OpenApiDocument,
    private readonly server: FastifyInstance,
  ) {}

  static async create(document: OpenApiDocument): Promise<Answers> {
    const customOptions = { strict: false, coerceTypes: false, removeAdditional: false, useDefaults: false } as const;
    const server = fastify({ ajv: { customOptions } });
    // A route with a schema makes Fastify build its compiler.
    server.post('/', { schema: { body: { type: 'object' } } }, () => null);
    await server.ready();
    return new Answers(document, server);
  }

  /** What is wrong with an answer to `route`; null when the document describes it. */
  fault(route: Route, { status, type, text }: Answer): string | null {
    const described = route.responses[status];
    if (described === undefined) return `${status} is not documented: ${text.slice(0, 300)}`;
    const { content } = resolved(this.document, described);
    if (content === undefined) return text === '' ? null : `${status} has a body: ${text.slice(0, 300)}`;
    const mediaType = type?.split(';')[0] ?? '';
    const schema = content[mediaType]?.schema;
    if (schema === undefined) return `${status} is ${mediaType}, not ${Object.keys(content).join()}`;
    if (!mediaType.endsWith('json')) return null;
    const fault = this.faultOf(schema, JSON.parse(text));
    return fault && `${status} is not as documented: ${fault}\n${text.slice(0, 1_000)}`;
  }

  /** What is wrong with a value by a schema of the document; null when nothing is. */
  faultOf(schema: Schema, value: unknown): string | null {
    const validate = this.validatorOf(schema);
    return validate(value) ? null : JSON.stringify(validate.errors);
  }

  /** Most answers share a few schemas. */
  private validatorOf(schema: Schema): Validate {
    const key = JSON.stringify(schema);
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    const whole = { ...schema, components: this.document.components };
    const compile = this.server.validatorCompiler!;
    const validate = compile({ schema: whole, method: 'POST', url: '/', httpPart: 'body' }) as unknown as Validate;
    this.compiled.set(key, validate);
    return validate;
  }
}
