import { mayArriveForMs, withoutAnswer } from './late-arrivals.js';

const HOUR = 3_600_000;
const SENT = '2026-05-15T10:00:00.000Z';
type Past = Parameters<typeof mayArriveForMs>[0];
/** `LookUps`: how often outcomes of its cycle had been looked up by its end. */
const sentTo = (PaymentMethodType: Past['PaymentMethodType'], LookUps = 0): Past => ({
  PaymentMethodType,
  StartedUtc: SENT,
  LookUps,
});

describe('The attempts that may arrive late', () => {
  it.each<[what: string, attempts: Past[], places: number[]]>([
    ['none was sent', [], []],
    ['each was answered', [sentTo('GatewayTwo', 0), sentTo('GatewayTwo', 0)], []],
    ['the first was looked up', [sentTo('GatewayTwo', 1), sentTo('GatewayTwo', 1)], [0]],
    ['the second was looked up', [sentTo('GatewayTwo', 0), sentTo('GatewayTwo', 2)], [1]],
    ['both were looked up', [sentTo('GatewayTwo', 1), sentTo('GatewayTwo', 2)], [0, 1]],
    ['GatewayOne repeats its answers', [sentTo('GatewayOne', 1), sentTo('GatewayTwo', 2)], [1]],
    ['nothing was to be paid', [sentTo(null, 1)], []],
  ])('where %s', (_, attempts, places) => {
    expect(withoutAnswer(attempts)).toEqual(places.map((place) => attempts[place]));
  });

  it.each([
    [0, 16 * HOUR],
    [HOUR, 15 * HOUR],
    [16 * HOUR - 1, 1],
    [16 * HOUR, 0],
    [17 * HOUR, 0],
  ])('may do so for 16 hours: %d ms later for %d', (laterMs, forMs) => {
    expect(mayArriveForMs(sentTo('GatewayTwo'), new Date(Date.parse(SENT) + laterMs))).toBe(forMs);
  });
});
