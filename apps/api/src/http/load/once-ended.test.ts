import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { until } from '../../../../../test/support/until.js';
import { onceEnded } from './once-ended.js';

it('tells once that a connection is lost, though response and connection both say so', async () => {
  let begun = 0;
  let ends = 0;
  const server = createServer((request, response) => {
    begun++;
    // What makes places for lists be given back: twice, and an account has more than its share.
    onceEnded(response, request.socket, () => ends++);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => begun === 1);
  client.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await until(() => ends > 0);
  expect(ends).toBe(1);
});
