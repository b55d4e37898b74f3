import { createHash } from 'node:crypto';
import { Gateways } from '#libs/gateways';
import type { Capture } from '../support/gateways/ledger.js';
import type { Random } from '../support/random.js';
import { repeatedly } from './actor.js';
import type { FirstState, Shop } from './shops.js';
import type { Tally } from './tally.js';
import type { StandIns } from './weather.js';

const TIMEOUT_MS = 1_500;
const NAMES = ['second', 'second-one'] as const;

export interface SecondParts {
  readonly gateways: StandIns;
  readonly shops: readonly Shop[];
  readonly first: ReadonlyMap<number, FirstState>;
  /** `deployment.key_prefix` of the installation that is tested. */
  readonly tested: string;
  readonly tally: Tally;
  readonly random: Random;
}

/**
 * Another installation on the shops' accounts, as a copy for trials is. It numbers sites and orders as this one does,
 * charges the same occurrences, and at times the same customers, over the gateways' real interfaces.
 */
export class SecondInstallation {
  private readonly name: string;
  /** Its name, and what GatewayTwo has room for. */
  private readonly names: readonly string[];
  private readonly sent = new Set<string>();

  constructor(private readonly parts: SecondParts) {
    this.name = NAMES.find((name) => hashOf(name) !== hashOf(parts.tested))!;
    this.names = [this.name, hashOf(this.name)];
  }

  async run(everyMs: number, signal: AbortSignal): Promise<void> {
    const { gateways, random } = this.parts;
    const ours = new Gateways({
      gatewayOneUrl: gateways.one.url,
      gatewayTwoUrl: gateways.two.url,
      timeoutMs: TIMEOUT_MS,
    });
    await repeatedly(
      signal,
      () => random.between(0.5, 1.5) * everyMs,
      () => this.charge(ours),
    );
    ours.close();
  }

  /** Whether it has sent this. A name alone would excuse what the tested installation sends under it. */
  readonly isOwn = (capture: Capture): boolean =>
    this.names.includes(capture.installation) && this.sent.has(occurrenceOf(capture));

  private async charge(ours: Gateways): Promise<void> {
    const { random, shops, first, gateways, tally } = this.parts;
    const shop = random.pick(shops);
    const { type, account, key, siteId } = shop;
    const { charges } = (type === 'GatewayOne' ? gateways.one : gateways.two).ledger;
    const [recent] = charges.slice(-50).filter((one) => one.account === account && !this.isOwn(one));
    const isSame = recent !== undefined && random.chance(0.7);
    const scheduledOrderId = isSame ? recent.scheduledOrderId : random.pick(shop.orderIds);
    const { customer, card, currencyIso, dueMs } = first.get(scheduledOrderId)!;
    const dueUtc = isSame ? new Date(recent.dueUtc) : new Date(random.pick([dueMs, Date.now()]));
    const isOurCustomer = random.chance(0.3);
    this.sent.add(occurrenceOf({ scheduledOrderId, dueUtc: dueUtc.toISOString(), attempt: 1 }));
    tally.add(isOurCustomer ? 'of a customer of ours' : 'of a customer of its own');
    await ours
      .for(siteId, {
        type,
        apiAccount: account,
        apiKey1: type === 'GatewayOne' ? account : key,
        apiKey2: null,
        testMode: true,
      })
      .charge({
        idempotencyKey: `${this.name}-${scheduledOrderId}-${dueUtc.getTime()}-1`,
        ...{ siteId, scheduledOrderId, dueUtc, currencyIso, installation: this.name, attempt: 1 },
        amount: isSame ? Math.round(Number(recent.amount) * 100) : 100 + random.below(30_000),
        gatewayCustomerId: isOurCustomer ? customer : type === 'GatewayOne' ? 'cus_second' : '99999999',
        gatewayPaymentId: card,
        startedUtc: new Date(),
      });
  }
}

const occurrenceOf = ({
  scheduledOrderId,
  dueUtc,
  attempt,
}: Pick<Capture, 'scheduledOrderId' | 'dueUtc' | 'attempt'>) =>
  `${scheduledOrderId}/${Math.floor(Date.parse(dueUtc) / 1_000)}/${attempt}`;

/** A name at GatewayTwo: 6 bytes of its SHA-256, as 3 characters of base 36. */
function hashOf(name: string): string {
  const number = createHash('sha256').update(name).digest().readUIntBE(0, 6);
  return (number % 36 ** 3).toString(36).padStart(3, '0');
}
