import helmet from '@fastify/helmet';
import { fastify, type FastifyInstance } from 'fastify';

/**
 * Allows Swagger UI's own files and inline styles, nothing from other hosts, and no upgrade of plain http on the
 * loopback.
 */
const CONTENT_SECURITY_POLICY = {
  directives: {
    'img-src': [`'self'`, 'data:'],
    'style-src': [`'self'`, `'unsafe-inline'`],
    'upgrade-insecure-requests': null,
  },
};

/** Upper and lower case are equal, as in the router. */
const OF_THE_API = /^\/api(?:[/?]|$)/i;

/**
 * Helmet's headers never change, so they are read once: reading them for every request takes 4 % of a GET. No cache of
 * a browser or a proxy may store the API's answers, which have tokens and one caller's records.
 */
export async function sendSecurityHeaders(server: FastifyInstance): Promise<void> {
  const headers = await helmetHeaders();
  const ofTheApi = { ...headers, 'cache-control': 'no-store' };
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(OF_THE_API.test(request.url) ? ofTheApi : headers);
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
