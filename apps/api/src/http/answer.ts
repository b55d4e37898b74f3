import type { FastifyInstance } from 'fastify';
import { Answer } from '#libs/records';

/** PostgreSQL built the JSON: an Answer's goes out as it is. */
export function sendAnswers(server: FastifyInstance): void {
  server.addHook('preSerialization', (_request, reply, payload, done) => {
    if (!(payload instanceof Answer)) return done(null, payload);
    if (payload.location !== null) void reply.header('location', payload.location);
    if (payload.replayed) void reply.header('idempotent-replayed', 'true');
    void reply.serializer((json: unknown) => json as string);
    done(null, payload.json);
  });
}
