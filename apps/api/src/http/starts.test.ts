import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { fastify } from 'fastify';
import { beginInTurn } from './starts.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

it('A crowd of requests begins 8 in a round of the event loop, in turn by address', async () => {
  const server = fastify();
  beginInTurn(server);
  let round = 0;
  const next = () => {
    round++;
    rounds = setImmediate(next);
  };
  let rounds = setImmediate(next);
  const begun: { ip: string; round: number }[] = [];
  server.get('/', ({ ip }, reply) => {
    begun.push({ ip, round });
    return reply.send('');
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const clients = ['127.0.0.1', '127.0.0.2'].flatMap((localAddress, n) =>
    Array.from({ length: n === 0 ? 60 : 2 }, () => connect({ port, host: '127.0.0.1', localAddress })),
  );
  const asked = async () => {
    const answers = clients.map((client) => once(client, 'data'));
    for (const client of clients) client.write(GET);
    await Promise.all(answers);
  };
  // The second time all are connected, and arrive together.
  await asked();
  begun.length = 0;
  await asked();
  clearImmediate(rounds);
  for (const client of clients) client.destroy();
  await server.close();

  expect(begun).toHaveLength(62);
  const counts = new Map<number, number>();
  for (const one of begun) counts.set(one.round, (counts.get(one.round) ?? 0) + 1);
  expect(Math.max(...counts.values())).toBe(8);
  const others = begun.flatMap(({ ip }, place) => (ip === '127.0.0.2' ? [place] : []));
  // Of the 60 that came before: 8 began at once, and then one for one.
  expect(others[1]).toBeLessThan(16);
});
