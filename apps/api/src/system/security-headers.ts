import helmet from '@fastify/helmet';
import { fastify, type FastifyInstance } from 'fastify';

/** Swagger UI's own files and inline styles; nothing from elsewhere, and no upgrade of plain http on the loopback. */
const CONTENT_SECURITY_POLICY = {
  directives: {
    'img-src': [`'self'`, 'data:'],
    'style-src': [`'self'`, `'unsafe-inline'`],
    'upgrade-insecure-requests': null,
  },
};

/** Helmet's headers never change: they are asked of it once, because asking it for every request is 4 % of a GET. */
export async function sendSecurityHeaders(server: FastifyInstance): Promise<void> {
  const headers = await helmetHeaders();
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}

async function helmetHeaders(): Promise<Record<string, string>> {
  const bare = fastify().get('/', () => '');
  const helmeted = fastify();
  await helmeted.register(helmet, { contentSecurityPolicy: CONTENT_SECURITY_POLICY });
  helmeted.get('/', () => '');
  const [without, all] = [await bare.inject('/'), await helmeted.inject('/')];
  const added = Object.entries(all.headers).filter(([name]) => !(name in without.headers));
  return Object.fromEntries(added.map(([name, value]) => [name, String(value)]));
}
