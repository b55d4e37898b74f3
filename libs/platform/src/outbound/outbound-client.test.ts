import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AddressRule } from './address-rule.js';
import { OutboundClient, type OutboundOptions } from './outbound-client.js';
import { retryAfterMs } from './retry-after.js';

const LOOPBACK = ['127.0.0.0/8', '::1'];
const REQUEST = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' } as const;

const servers: Server[] = [];
const sockets = new Set<net.Socket>();
/** The port of a server on the loopback. */
async function listening(server: Server): Promise<number> {
  servers.push(server.on('connection', (socket: net.Socket) => sockets.add(socket.on('error', () => undefined))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
const web = (answer: RequestListener) => listening(http.createServer(answer));
const raw = (answer: (socket: net.Socket) => void) =>
  listening(net.createServer((socket) => void socket.once('data', () => answer(socket))));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

const client = (allowed: readonly string[] = LOOPBACK, options: OutboundOptions = {}) =>
  new OutboundClient(new AddressRule(allowed), options);
const sendTo = (port: number, options: OutboundOptions = {}) =>
  client(LOOPBACK, options).send({ ...REQUEST, url: `http://127.0.0.1:${port}/` });

describe('A request', () => {
  it('carries its method, headers and body, and nothing of a proxy', async () => {
    const proxy = await web((_, reply) => void reply.end('from the proxy'));
    process.env.http_proxy = process.env.HTTP_PROXY = `http://127.0.0.1:${proxy}`;
    let seen: object = {};
    const port = await web((request, reply) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen = {
          method: request.method,
          type: request.headers['content-type'],
          body: Buffer.concat(chunks).toString(),
        };
        reply.writeHead(202).end('thanks');
      });
    });
    const answer = await sendTo(port);
    delete process.env.http_proxy;
    delete process.env.HTTP_PROXY;
    expect(seen).toEqual({ method: 'POST', type: 'application/json', body: '{"a":1}' });
    expect(answer).toMatchObject({ status: 202, excerpt: 'thanks', error: null });
  });

  it('goes over TLS to a name, whose certificate is checked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outbound-'));
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=shop.example', '-addext', 'subjectAltName=DNS:shop.example', '-days', '2'];
    const files = ['-keyout', keyFile, '-out', certFile];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], {
      stdio: 'ignore',
    });
    const [key, cert] = [readFileSync(keyFile), readFileSync(certFile, 'utf8')];
    rmSync(folder, { recursive: true });
    const port = await listening(https.createServer({ key, cert }, (_, reply) => void reply.end('safe')));
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const to = (name: string, ca?: string) =>
      client(LOOPBACK, { resolve, ...(ca === undefined ? {} : { ca }) }).send({
        ...REQUEST,
        url: `https://${name}:${port}/`,
      });
    expect(await to('shop.example', cert)).toMatchObject({ status: 200, excerpt: 'safe', error: null });
    expect(await to('shop.example')).toMatchObject({ status: null, error: 'The TLS certificate is self-signed.' });
    expect(await to('other.example', cert)).toMatchObject({ error: 'The TLS certificate is for another name.' });
  });
});

describe('A name that leads elsewhere when the request is sent', () => {
  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', 'fd00::1'])(
    'to %s gets no connection',
    async (address) => {
      let isConnected = false;
      const port = await listening(net.createServer(() => (isConnected = true)));
      const resolve = () => Promise.resolve([address]);
      const answer = await client([], { resolve }).send({ ...REQUEST, url: `https://shop.example:${port}/` });
      expect(answer).toMatchObject({
        status: null,
        error: 'The name shop.example leads to an address that is not allowed: it must be a public one.',
      });
      expect(isConnected).toBe(false);
    },
  );

  it('is refused when one of several addresses is not public', async () => {
    const resolve = () => Promise.resolve(['8.8.8.8', '127.0.0.1']);
    const answer = await client([], { resolve }).send({ ...REQUEST, url: `https://shop.example/` });
    expect(answer.error).toContain('not allowed');
  });

  it('is refused over http: also where private addresses are open, if it leads to a public one', async () => {
    const resolve = () => Promise.resolve(['8.8.8.8']);
    const answer = await client(LOOPBACK, { resolve }).send({ ...REQUEST, url: `http://shop.example/` });
    expect(answer.error).toContain('not allowed');
  });

  it('gets a connection where the setting opens the address', async () => {
    const port = await web((_, reply) => void reply.end('inside'));
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const answer = await client(LOOPBACK, { resolve }).send({ ...REQUEST, url: `http://shop.example:${port}/` });
    expect(answer).toMatchObject({ status: 200, excerpt: 'inside', error: null });
  });

  it('is told when DNS does not know it', async () => {
    const answer = await client([], { resolve: () => Promise.resolve([]) }).send({
      ...REQUEST,
      url: 'https://no.example/',
    });
    expect(answer.error).toBe('The name no.example is not known in DNS.');
  });
});

describe('An address in the URL itself', () => {
  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '10.0.0.1'])(
    '%s is refused',
    async (host) => {
      const answer = await client([]).send({ ...REQUEST, url: `https://${host}/` });
      expect(answer).toMatchObject({ status: null, error: expect.stringContaining('not a public address') });
    },
  );
});

describe('A reply', () => {
  it('that redirects is not followed', async () => {
    let isFollowed = false;
    const target = await web((_, reply) => {
      isFollowed = true;
      reply.end();
    });
    const port = await web((_, reply) => void reply.writeHead(302, { location: `http://127.0.0.1:${target}/` }).end());
    expect(await sendTo(port)).toMatchObject({ status: 302, error: null });
    expect(isFollowed).toBe(false);
  });

  it('is kept up to 1 KiB, and read up to 64 KiB', async () => {
    const port = await web((_, reply) => {
      const endless = () => reply.write('ä'.repeat(8_192), () => !reply.destroyed && setImmediate(endless));
      endless();
    });
    const answer = await sendTo(port);
    expect(answer).toMatchObject({ status: 200, error: null, excerpt: 'ä'.repeat(512) });
  });

  it('with bytes that are no text is kept readable', async () => {
    const port = await web((_, reply) => void reply.end(Buffer.from([0x61, 0x00, 0xff, 0x62])));
    expect((await sendTo(port)).excerpt).toBe('a\uFFFD\uFFFDb');
  });

  it('whose headers are too large is refused', async () => {
    const port = await raw((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`));
    expect(await sendTo(port)).toMatchObject({
      status: null,
      error: 'The headers of the reply are larger than 16 KiB.',
    });
  });

  it('that comes byte by byte is cut off after the whole time', async () => {
    const port = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      setInterval(() => socket.write('x'), 20).unref();
    });
    // So long that the headers come in time, however busy the machine is.
    expect(await sendTo(port, { wholeMs: 2_000 })).toMatchObject({
      status: 200,
      error: 'There was no whole reply within 2 seconds.',
    });
  });

  it('whose headers come byte by byte is cut off as well', async () => {
    const port = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      setInterval(() => socket.write('x'), 20).unref();
    });
    expect(await sendTo(port, { wholeMs: 300 })).toMatchObject({ status: null, error: expect.stringContaining('0.3') });
  });

  it('that ends in the middle of its body is no whole reply', async () => {
    const port = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'));
    expect(await sendTo(port)).toMatchObject({
      status: 200,
      excerpt: 'half',
      error: 'The connection was closed before the reply was complete.',
    });
  });

  it('that never begins is an error', async () => {
    const port = await raw((socket) => socket.destroy());
    expect(await sendTo(port)).toMatchObject({ status: null, excerpt: null, error: expect.stringContaining('closed') });
  });

  it('that is not HTTP is an error', async () => {
    const port = await raw((socket) => socket.end('220 mail.example ESMTP\r\n'));
    expect((await sendTo(port)).error).toMatch(/not HTTP\/1\.1/);
  });

  it('that switches to another protocol is an error', async () => {
    const port = await raw((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    );
    expect((await sendTo(port)).error).toBe('The reply asks for another protocol.');
  });
});

it('whether a request may have left is known, whatever became of it', async () => {
  const cut = await raw((socket) => socket.destroy());
  expect(await sendTo(cut)).toMatchObject({ isSent: true, status: null });
  const server = net.createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await sendTo(port)).toMatchObject({ isSent: false, status: null });
});

it('more of a reply is read where more is asked for', async () => {
  const port = await web((_, reply) => void reply.end('x'.repeat(100_000)));
  const url = `http://127.0.0.1:${port}/`;
  expect((await client().send({ ...REQUEST, url, mostReplyBytes: 200_000 })).reply).toHaveLength(100_000);
});

describe('A connection', () => {
  it('that nobody accepts is refused', async () => {
    const server = net.createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect((await sendTo(port)).error).toBe('The connection was refused.');
  });

  it('whose name is looked up for too long is given up', async () => {
    const resolve = () => new Promise<string[]>(() => undefined);
    const answer = await client([], { resolve, connectMs: 100 }).send({ ...REQUEST, url: 'https://slow.example/' });
    expect(answer.error).toBe('The connection was not made within 0.1 seconds.');
  });

  it('whose TLS handshake is not answered is given up', async () => {
    const port = await listening(net.createServer());
    const url = `https://127.0.0.1:${port}/`;
    expect((await client(LOOPBACK, { connectMs: 100 }).send({ ...REQUEST, url })).error).toContain(
      'within 0.1 seconds',
    );
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-31T09:00:00Z');
  it.each([
    ['120', undefined, 120_000],
    ['Sat, 31 Jan 2026 09:01:00 GMT', undefined, 60_000],
    ['Sat, 31 Jan 2026 09:01:00 GMT', 'Sat, 31 Jan 2026 09:00:30 GMT', 30_000],
    ['Sat, 31 Jan 2026 08:00:00 GMT', undefined, 0],
    ['-5', undefined, null],
    ['soon', undefined, null],
    [undefined, undefined, null],
  ])('%s with the Date %s is %s ms', (header, date, expected) => {
    expect(retryAfterMs(header, date, now)).toBe(expected);
  });
});
