import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Settings } from '#libs/platform';
import { Answer, type Database, LargeRecord } from '#libs/records';
import { LargeRecords } from './lists/large-records.js';

const asItIs = (json: unknown) => json as string;

/** Sends the JSON that PostgreSQL built, unchanged, and in pieces when it is large. */
export function sendAnswers(server: FastifyInstance, database: Database, settings: Settings): void {
  const large = new LargeRecords(database, settings);
  server.addHook('preSerialization', (_request, reply, payload, done) => {
    if (!(payload instanceof Answer || payload instanceof LargeRecord)) return done(null, payload);
    const json = payload instanceof Answer ? answered(reply, payload) : payload;
    void reply.serializer(asItIs);
    if (!(json instanceof LargeRecord)) return done(null, json);
    try {
      done(null, large.send(json, reply));
    } catch (error) {
      done(error as Error);
    }
  });
}

function answered(reply: FastifyReply, { json, location, replayed }: Answer): Answer['json'] {
  if (location !== null) void reply.header('location', location);
  if (replayed) void reply.header('idempotent-replayed', 'true');
  return json;
}
