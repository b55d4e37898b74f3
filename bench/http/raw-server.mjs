/**
 * Fastify and `pg`, nothing else: authenticates as the product does and executes the product's own SQL (tape.mjs),
 * every statement prepared. `node raw-server.mjs`, with DATABASE_URL, PORT and BENCH_TAPES (a file).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import pg from 'pg';

const POOL_SIZE = 20;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: POOL_SIZE });
const names = new Map();
const nameOf = (text) => names.get(text) ?? names.set(text, `s${names.size}`).get(text);
const tapes = Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(process.env.BENCH_TAPES, 'utf8'))).map(([route, [caller, ...statements]]) => [
    route,
    { caller, statements: statements.map((statement) => ({ ...statement, name: nameOf(statement.text) })) },
  ]),
);
const CALLER = { name: nameOf(tapes.get.caller.text), text: tapes.get.caller.text };

async function authenticate(request, reply) {
  const [tokenId, secret] = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
    .toString()
    .split(':');
  const { rows } = await pool.query({ ...CALLER, values: [tokenId] });
  if (rows.length === 1 && timingSafeEqual(createHash('sha256').update(secret).digest(), rows[0].secret_hash)) return;
  await reply.code(401).send();
}

const valuesOf = (statement, request, results) =>
  statement.values.map((value) => {
    switch (value.from) {
      case 'constant':
        return value.value;
      case 'id':
        return request.id;
      case 'text':
        return request.text;
      case 'made':
        return results.made;
      case 'row': {
        const found = results[value.step - 1][0][value.column];
        return value.key === undefined ? found : found[value.key];
      }
    }
  });

/** Executes what the product executes for this route; gives the JSON of the last row that has any. */
async function play({ statements }, request) {
  const client = statements.length === 1 ? pool : await pool.connect();
  try {
    const results = [];
    let json;
    for (const statement of statements) {
      const values = valuesOf(statement, request, results);
      const { rows } = await client.query(
        values.length === 0 ? statement.text : { name: statement.name, text: statement.text, values },
      );
      if (rows.length > 0 && results.made === undefined && statement.text.startsWith('INSERT INTO scheduled_orders '))
        results.made = rows[0].id;
      json = rows[0]?.json ?? json;
      results.push(rows);
    }
    return { json, made: results.made };
  } catch (error) {
    if (client !== pool) await client.query('ROLLBACK');
    throw error;
  } finally {
    if (client !== pool) client.release();
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const order = {
  type: 'object',
  properties: {
    CustomerId: { type: 'integer' },
    FrequencyType: { type: 'string' },
    Frequency: { type: 'integer' },
    PaymentMethodType: { type: 'string' },
    PaymentMethodCustomerId: { type: 'string', maxLength: 255 },
    PaymentMethodId: { type: 'string', maxLength: 255 },
    PaymentMethodDescription: { type: 'string', maxLength: 255 },
    ShippingStreet1: { type: 'string', maxLength: 255 },
    ScheduledOrderItems: {
      type: 'array',
      items: { type: 'object', properties: { ProductId: { type: 'integer' }, Quantity: { type: 'integer' } } },
    },
  },
};

const server = Fastify();
server.get('/health/ready', () => 'ready');
server.get('/api/ScheduledOrders/:id', { preHandler: authenticate }, async (request, reply) => {
  const { json } = await play(tapes.get, request.params);
  return reply.type(JSON_TYPE).send(json);
});
server.get('/api/ScheduledOrders', { preHandler: authenticate }, async (request, reply) => {
  const { json } = await play(tapes.page, {});
  return reply.type(JSON_TYPE).send(json);
});
server.post('/api/ScheduledOrders', { preHandler: authenticate, schema: { body: order } }, async (request, reply) => {
  const { json, made } = await play(tapes.create, { id: request.body.CustomerId });
  return reply.code(201).header('location', `/api/ScheduledOrders/${made}`).type(JSON_TYPE).send(json);
});
server.put(
  '/api/ScheduledOrders/:id',
  { preHandler: authenticate, schema: { body: order } },
  async (request, reply) => {
    const { json } = await play(tapes.update, { id: request.params.id, text: request.body.ShippingStreet1 });
    return reply.type(JSON_TYPE).send(json);
  },
);
await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));
