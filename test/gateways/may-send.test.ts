import net from 'node:net';
import { type GatewayOptions, Gateways, type MaySend } from '#libs/gateways';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { gatewayOneCredentials, gatewayTwoCredentials, givenCharge } from './given-charge.js';

let one: StripeStandIn;
let two: AuthorizeNetStandIn;

beforeEach(async () => {
  one = await StripeStandIn.start();
  two = await AuthorizeNetStandIn.start();
});
afterEach(() => Promise.all([one.stop(), two.stop()]));

const gateways = (options: GatewayOptions = {}) =>
  new Gateways({ gatewayOneUrl: one.url, gatewayTwoUrl: two.url, timeoutMs: 2_000, ...options });
const charges = () => givenCharge({ gatewayCustomerId: '40025205', gatewayPaymentId: '40027471' });
const later = <T>(answer: T) => new Promise<T>((resolve) => setImmediate(() => resolve(answer)));

const NOT_SENT = { kind: 'postponed', retryAfterMs: 0 };

/** Answers in turn, and counts. */
function answering(...answers: (() => boolean | Promise<boolean>)[]) {
  const maySend = jest.fn<ReturnType<MaySend>, []>(() => answers.shift()!());
  return maySend;
}

/** Takes connections and counts the bytes that come in. */
async function listening() {
  let bytes = 0;
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => {
    sockets.push(socket);
    socket.on('data', (data) => (bytes += data.length)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    sockets,
    bytes: () => bytes,
    stop: () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

describe.each([
  ['GatewayOne', (options?: GatewayOptions) => gateways(options).for(1, gatewayOneCredentials()), () => one],
  ['GatewayTwo', (options?: GatewayOptions) => gateways(options).for(1, gatewayTwoCredentials()), () => two],
] as const)('A charge through %s', (_, gatewayOf, standInOf) => {
  it('is sent when both answers are yes, at once or later, over a fresh and over an idle connection', async () => {
    const gateway = gatewayOf();
    for (const yes of [() => true, () => Promise.resolve(true), () => later(true)]) {
      const maySend = answering(yes, yes);
      expect(await gateway.charge(charges(), maySend)).toMatchObject({ kind: 'succeeded' });
      expect(maySend).toHaveBeenCalledTimes(2);
    }
    expect(standInOf().served.charge).toBe(3);
  });

  it.each([
    ['at once', (): boolean => false],
    ['later', () => later(false)],
    ['by failing', () => Promise.reject(new Error('the database is gone'))],
    [
      'by throwing',
      (): boolean => {
        throw new Error('the database is gone');
      },
    ],
  ] as const)('is not sent when the answer is no, %s', async (_how, no) => {
    const gateway = gatewayOf();
    expect(await gateway.charge(charges(), answering(no))).toMatchObject(NOT_SENT);
    expect(
      await gateway.charge(
        charges(),
        answering(() => later(true), no),
      ),
    ).toMatchObject(NOT_SENT);
    await gateway.charge(charges());
    // Over the connection that lies idle now.
    expect(
      await gateway.charge(
        charges(),
        answering(() => true, no),
      ),
    ).toMatchObject(NOT_SENT);
    expect(standInOf().served.charge).toBe(1);
    expect(standInOf().ledger.charges).toHaveLength(1);
    expect(await gateway.charge(charges())).toMatchObject({ kind: 'succeeded' });
  });

  it('is not sent when it is settled by sending it, and the answer is no', async () => {
    const attempt = { ageMs: 3_600_000, mayRepeat: true, quietMs: null, isKnownToGateway: false };
    const maySend = answering(
      () => true,
      () => later(false),
    );
    expect(await gatewayOf().resolve(charges(), attempt, maySend)).toMatchObject(NOT_SENT);
    expect(standInOf().served.charge).toBe(0);
  });

  it('opens no breaker when it is called off', async () => {
    const states: string[] = [];
    const gateway = gatewayOf({ breakerThreshold: 2, onBreaker: (_id, state) => states.push(state) });
    for (let time = 0; time < 5; time += 1) {
      const maySend = answering(
        () => true,
        () => false,
      );
      expect(await gateway.charge(charges(), maySend)).toMatchObject(NOT_SENT);
    }
    expect(await gateway.charge(charges())).toMatchObject({ kind: 'succeeded' });
    expect(states).toEqual([]);
  });

  it('closes no breaker when it is called off as its probe', async () => {
    const states: string[] = [];
    const gateway = gatewayOf({ breakerThreshold: 1, breakerOpenMs: 1, onBreaker: (_id, state) => states.push(state) });
    await gateway.charge(charges());
    standInOf().faults.next('unavailable');
    await gateway.charge(charges());
    const consulted = jest.fn();
    do {
      const maySend = answering(
        () => true,
        () => {
          consulted();
          return false;
        },
      );
      await gateway.charge(charges(), maySend);
    } while (consulted.mock.calls.length === 0);
    expect(states).toEqual(['open']);
  });
});

describe('Before the caller has said that a charge may be sent', () => {
  it('not a byte of it is written, and a connection that is lost then is no lost answer', async () => {
    const gateway = await listening();
    try {
      const consulted = jest.fn();
      const charging = gateways({ gatewayTwoUrl: gateway.url })
        .for(1, gatewayTwoCredentials())
        .charge(
          charges(),
          answering(
            () => true,
            () => {
              consulted();
              return new Promise<boolean>(() => undefined);
            },
          ),
        );
      while (consulted.mock.calls.length === 0 || gateway.sockets.length === 0) await later(undefined);
      expect(gateway.bytes()).toBe(0);
      gateway.sockets.forEach((socket) => socket.resetAndDestroy());
      expect(await charging).toMatchObject({ kind: 'unavailable' });
      expect(gateway.bytes()).toBe(0);
    } finally {
      gateway.stop();
    }
  });

  it('the place in the line is given up when nobody says so in time', async () => {
    const gateway = gateways({ timeoutMs: 50, concurrency: 1 }).for(1, gatewayOneCredentials());
    const silent = () => new Promise<boolean>(() => undefined);
    expect(await gateway.charge(charges(), answering(silent))).toMatchObject(NOT_SENT);
    expect(one.served.charge).toBe(0);
  });

  it('nothing is written when the answer comes after the time is up', async () => {
    const gateway = await listening();
    try {
      let answer: (may: boolean) => void = () => undefined;
      const maySend = answering(
        () => true,
        () => new Promise<boolean>((resolve) => (answer = resolve)),
      );
      const states: string[] = [];
      const two = gateways({
        gatewayTwoUrl: gateway.url,
        breakerThreshold: 1,
        onBreaker: (_id, state) => states.push(state),
      }).for(1, gatewayTwoCredentials());
      expect(await two.charge(charges(), maySend)).toMatchObject(NOT_SENT);
      answer(true);
      await later(undefined);
      await later(undefined);
      expect(gateway.bytes()).toBe(0);
      // It was not the gateway that was slow.
      expect(states).toEqual([]);
    } finally {
      gateway.stop();
    }
  });
});
