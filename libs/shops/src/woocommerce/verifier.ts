import { minorUnitExponent } from '#libs/rules';
import { compare, isOfNoUse, isSame } from '../differences.js';
import { comeAgain, notUnderstood } from '../shop-client.js';
import {
  AUTH_MODES,
  type AuthMode,
  type Finding,
  type NotDone,
  type Probe,
  type Push,
  type Sellable,
  type ShopReceiver,
  type Verification,
} from '../shop-receiver.js';
import { ShopReader, unsellableOf } from './shop-reader.js';
import { codeOf, done, mayWrite, type WooClient } from './woo-client.js';

/** `created_via` can be written and filtered by since this version. */
const FILTERS_SINCE = [9, 9] as const;
/** The namespace of the receiver in integrations/woocommerce. */
export const RECEIVER_NAMESPACE = 'wc-scheduled-orders/v1';

/** Of products that cannot be ordered. */
const MOST_SHOWN = 10;
/** So many are looked at between two looks at the clock. */
const PRODUCTS_AT_ONCE = 10;

const NOTHING_TO_TRY =
  'Nothing was tried: it needs a product of the shop with a price, a customer with an address, and a worker that has run.';

type State = Verification['state'];

const agrees = (check: string, message: string): Finding => ({ check, agrees: true, message });
const differs = (check: string, message: string): Finding => ({ check, agrees: false, message });

interface Root {
  readonly url?: string;
  readonly namespaces?: readonly string[];
}

interface SystemStatus {
  readonly environment?: { readonly version?: string; readonly wp_cron?: boolean };
  readonly settings?: {
    readonly currency?: string;
    readonly number_of_decimals?: number;
    readonly HPOS_enabled?: boolean;
  };
}

/** Looks at everything a push depends on, without an effect but the probe order, which it deletes again. */
export class Verifier {
  constructor(
    private readonly woo: WooClient,
    private readonly receiver: (mode: AuthMode) => ShopReceiver,
  ) {}

  async verify(probe: Probe): Promise<Verification> {
    const endsAt = performance.now() + probe.mostMs;
    const address = await this.address();
    if ('state' in address) return address;
    const { authMode, state, finding } = await this.keys(address.root);
    const ofAddress = [...address.findings, finding];
    if (authMode === null) return { authMode, state, findings: ofAddress };
    const woo = this.woo.as(authMode);
    const ofSettings = [...(await this.status(woo, probe)), await this.taxes(woo, probe)];
    const ofOrder = await this.probe(this.receiver(authMode), probe);
    // Last, since it may take long.
    const { finding: ofProducts, products } = await this.products(new ShopReader(woo), probe, endsAt);
    return { authMode, state, findings: [...ofAddress, ...ofSettings, ofProducts, ofOrder], products };
  }

  /** What the shop says of itself to anybody. */
  private async address(): Promise<{ root: Root; findings: Finding[] } | Verification> {
    const none = (state: State, message: string) => ({
      ...{ state, authMode: null },
      findings: [differs('Address', message)],
    });
    const reply = await this.woo.root();
    if (reply.kind !== 'replied') return none('Unreachable', reply.message);
    const busy = comeAgain(reply);
    if (busy !== null) return none('Unreachable', `The shop answered ${reply.status}: ${busy}.`);
    // Security plugins close it to guests; the keys open what is behind.
    if (reply.status === 401 || reply.status === 403) {
      const message = `The shop does not say to guests what it is (${reply.status}): the keys are tried.`;
      return { root: {}, findings: [agrees('Address', message)] };
    }
    const root = reply.json as Root | undefined;
    if (!Array.isArray(root?.namespaces))
      return none(
        'Refused',
        `${reply.status} instead of WordPress: the site's Url must be its address, with plain permalinks off.`,
      );
    const { namespaces } = root as { namespaces: readonly string[] };
    if (!namespaces.includes('wc/v3'))
      return none('Refused', 'WordPress answers, but WooCommerce is not active there.');
    const hasReceiver = namespaces.includes(RECEIVER_NAMESPACE);
    const message = hasReceiver
      ? 'The receiver for WooCommerce is installed: Receiver Http with it takes our totals to the cent.'
      : 'The receiver for WooCommerce is not installed: the shop computes its own taxes.';
    return { root, findings: [agrees('Address', 'WooCommerce answers.'), agrees('Receiver', message)] };
  }

  /**
   * An order with an id is refused for that id, but only to who may write. All other refusals look alike, so every mode
   * is tried: first the one that fits the scheme that WordPress believes in.
   */
  private async keys({ url }: Root): Promise<{ authMode: AuthMode | null; state: State; finding: Finding }> {
    const isSecure = url?.startsWith('https:') ?? true;
    const refusals: string[] = [];
    for (const mode of isSecure ? AUTH_MODES : [...AUTH_MODES].reverse()) {
      const reply = await this.woo.as(mode).tryToWrite();
      if (reply.kind !== 'replied') {
        const state = reply.kind === 'shopRefused' ? 'Refused' : 'Unreachable';
        return { authMode: null, state, finding: differs('Keys', reply.message) };
      }
      if (mayWrite(reply))
        return { authMode: mode, state: 'Ready', finding: agrees('Keys', `The keys may write (${mode}).`) };
      const busy = comeAgain(reply);
      if (busy !== null) {
        const finding = differs('Keys', `The shop answered ${reply.status}: ${busy}.`);
        return { authMode: null, state: 'Unreachable', finding };
      }
      const outcome = done(reply);
      if (reply.status !== 401 && reply.status !== 403) {
        const message =
          outcome.kind === 'done' ? `The shop answered ${reply.status} to an order with an id.` : outcome.message;
        return { authMode: null, state: 'Refused', finding: differs('Keys', message) };
      }
      refusals.push(codeOf(reply));
    }
    const reason = refusals.includes('woocommerce_rest_authentication_error')
      ? 'the secret is wrong, or the key may only read: make one with the permission Read/Write'
      : refusals.every((code) => !code.startsWith('woocommerce_rest_'))
        ? 'what refuses them is not WooCommerce, but a firewall or the host: it must let requests to /wp-json/wc/ in'
        : `the key is unknown, or its user was deleted or may not edit orders. If it is right, WordPress takes this for ${isSecure ? 'HTTPS' : 'HTTP'} when it is not (a proxy that it was not told of), or permalinks are plain`;
    const finding = differs('Keys', `No way of sending the keys works: ${reason}.`);
    return { authMode: null, state: 'Refused', finding };
  }

  private async status(woo: WooClient, { currencyIso }: Probe): Promise<Finding[]> {
    const query = { _fields: 'environment,settings' };
    const answer = await woo.call<SystemStatus | undefined>({ method: 'GET', path: 'wc/v3/system_status', query });
    if (answer.kind !== 'done') return [unread('Version', answer, 'version and settings')];
    const { version = '0', wp_cron: cron = true } = answer.json?.environment ?? {};
    const { currency, number_of_decimals: decimals, HPOS_enabled: isHpos } = answer.json?.settings ?? {};
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const isOld = major < FILTERS_SINCE[0] || (major === FILTERS_SINCE[0] && minor < FILTERS_SINCE[1]);
    const storage = isHpos === true ? 'high-performance storage' : 'posts storage';
    const wanted = minorUnitExponent(currencyIso);
    return [
      isOld
        ? differs(
            'Version',
            `WooCommerce ${version} cannot filter by created_via: pushes work, but look-ups read many orders. Update to 9.9.`,
          )
        : agrees('Version', `WooCommerce ${version}, ${storage}.`),
      currency === currencyIso
        ? agrees('Currency', `${currencyIso}.`)
        : differs(
            'Currency',
            `The shop has ${currency}, the site ${currencyIso}: every push would differ, and no prices are taken over.`,
          ),
      decimals === wanted
        ? agrees('Decimals', `${decimals}.`)
        : differs(
            'Decimals',
            `The shop rounds to ${decimals} decimals, ${currencyIso} has ${wanted}: totals would differ.`,
          ),
      cron
        ? agrees('Cron', 'WP-Cron runs, so hooks are delivered.')
        : differs('Cron', 'WP-Cron is off: hooks are delivered only where the server runs it.'),
    ];
  }

  private async taxes(woo: WooClient, { prices }: Probe): Promise<Finding> {
    const answer = await woo.call<unknown>({ method: 'GET', path: 'wc/v3/settings/tax' });
    if (answer.kind !== 'done') return unread('Taxes', answer, 'the tax settings');
    if (!Array.isArray(answer.json)) return unread('Taxes', notUnderstood(answer.reply), 'the tax settings');
    const settings = answer.json as readonly { id: string; value: unknown }[];
    const values = new Map(settings.map(({ id, value }) => [id, value]));
    const theirs = values.get('woocommerce_prices_include_tax') === 'yes' ? 'Gross' : 'Net';
    const rounded = values.get('woocommerce_tax_round_at_subtotal') === 'yes' ? 'at the subtotal' : 'per line';
    if (theirs === prices) return agrees('Taxes', `Prices are ${theirs}, taxes are rounded ${rounded}.`);
    const harm = theirs === 'Gross' ? 'customers would pay the tax on it once more' : 'the tax would be missing';
    const message = `Prices are ${theirs} in the shop and ${prices} in the site's Settings: of a price that is taken over from the shop ${harm}. Make them equal.`;
    return differs('Taxes', message);
  }

  private async products(reader: ShopReader, { products }: Probe, endsAt: number) {
    const read: Sellable[] = [];
    let looked = 0;
    for (; looked < products.length && (looked === 0 || performance.now() < endsAt); looked += PRODUCTS_AT_ONCE) {
      const page = await reader.sellable(products.slice(looked, looked + PRODUCTS_AT_ONCE));
      if (page.kind !== 'read') return { finding: differs('Products', page.message), products: read };
      read.push(...page.value);
    }
    const left = products.length - looked;
    const others = left > 0 ? ` The shop is slow: ${left} more were not looked at.` : '';
    const count = products.length - Math.max(left, 0);
    const unsellable = unsellableOf(read);
    if (unsellable.length === 0)
      return { finding: agrees('Products', `${count} products can be ordered.${others}`), products: read };
    const shown = unsellable.slice(0, MOST_SHOWN).join(' ');
    const message = `${unsellable.length} of ${count} products cannot be ordered. ${shown}${others}`;
    return { finding: differs('Products', message), products: read };
  }

  /** Makes a real order that nobody is told of, and deletes it; first, what an earlier Verify could not delete. */
  private async probe(receiver: ShopReceiver, { order }: Probe): Promise<Finding> {
    if (order === null) return differs('Probe', NOTHING_TO_TRY);
    const left = await receiver.lookUp(order);
    if (left.kind !== 'found') return differs('Probe', left.message);
    for (const { id } of left.orders) await receiver.remove(id);
    const created = await receiver.create(order, { pushAnyway: false });
    if (created.kind !== 'created') return differs('Probe', created.message);
    const removed = await receiver.remove(created.order.id);
    if (removed.kind !== 'removed')
      return differs('Probe', `The probe order ${created.order.id} could not be deleted: ${removed.message}`);
    return probed(order, created.order);
  }
}

/** The keys may write orders: what refuses them here is a right that they lack. */
function unread(check: string, { kind, message }: NotDone, what: string): Finding {
  return differs(check, kind === 'shopRefused' ? `The key may not read ${what}.` : `Not known: ${what}. ${message}`);
}

function probed(ours: Push, theirs: Parameters<typeof compare>[1]): Finding {
  if (isOfNoUse(ours, theirs))
    return differs('Probe', 'The shop made an order without lines, or without a total, of it.');
  const differences = compare(ours, theirs);
  const { currencyIso, total } = ours;
  if (isSame(differences)) return agrees('Probe', `The shop comes to the same total: ${total} ${currencyIso}.`);
  if (differences.lines.length > 0) return differs('Probe', 'The shop has other products or quantities in it.');
  const other = differences.isNetOther ? ' Not by tax alone: a plugin of the shop may add a fee or a discount.' : '';
  return differs(
    'Probe',
    `The shop comes to ${theirs.total} ${theirs.currencyIso} where ${total} ${currencyIso} would be charged (${differences.total} minor units more): import its tax rates and settings, fix the totals, or install the receiver.${other}`,
  );
}
