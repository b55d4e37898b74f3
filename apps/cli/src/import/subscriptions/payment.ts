import { type Cells, RowFault, textCell } from '../cells.js';

interface Gateway {
  readonly type: 'GatewayOne' | 'GatewayTwo';
  readonly methods: readonly string[];
  /** Names under which the shop's plugins keep the gateway's ids. */
  readonly customer: readonly string[];
  readonly card: readonly string[];
}

const GATEWAYS: readonly Gateway[] = [
  {
    type: 'GatewayOne',
    methods: ['stripe', 'stripe_cc'],
    customer: ['_stripe_customer_id', '_wc_stripe_customer'],
    card: ['_stripe_source_id', '_stripe_card_id', '_payment_method_token'],
  },
  {
    type: 'GatewayTwo',
    methods: ['authorize_net_cim_credit_card', 'authorize_net_cim'],
    customer: ['_wc_authorize_net_cim_credit_card_customer_id', '_wc_authorize_net_cim_customer_profile_id'],
    card: ['_wc_authorize_net_cim_credit_card_payment_token', '_wc_authorize_net_cim_payment_profile_id'],
  },
];

/** How the shop collects the payments of a subscription. */
export interface Payment {
  readonly type: Gateway['type'] | null;
  readonly customerId: string | null;
  readonly cardId: string | null;
  readonly description: string | null;
  /** Why nobody can be charged with it; null when it can. */
  readonly problem: string | null;
}

/** Meta data as the export packs it: `key:value|key:value`. */
function unpacked(cell: string): Map<string, string> {
  const pairs = cell.split('|').map((pair): [string, string] => {
    const colon = pair.indexOf(':');
    return [pair.slice(0, Math.max(0, colon)).trim(), pair.slice(colon + 1).trim()];
  });
  return new Map(pairs.filter(([key, value]) => key !== '' && value !== ''));
}

/**
 * @param isManual the customer pays by hand, whatever is stored.
 * @throws RowFault for an id that is too long, and where the export was made without the gateway's ids.
 */
export function paymentOf(cells: Cells, isManual: boolean): Payment {
  const method = cells('payment_method') ?? '';
  const description = textCell('payment_method_title', cells('payment_method_title') ?? '', 2_000);
  const gateway = GATEWAYS.find(({ methods }) => methods.includes(method));
  if (gateway === undefined) {
    const problem =
      method === '' || method === 'manual'
        ? 'the customer pays by hand'
        : `payment_method "${method}" is none of ${GATEWAYS.flatMap(({ methods }) => methods).join(', ')}`;
    return { type: null, customerId: null, cardId: null, description, problem };
  }
  const packed = ['payment_method_user_meta', 'payment_method_post_meta'].map((column) => cells(column) ?? '');
  if (!isManual && packed.every((cell) => cell === '')) {
    throw new RowFault('payment_method_post_meta is empty: export again with "Payment Method Tokens"');
  }
  const meta = new Map(packed.flatMap((cell) => [...unpacked(cell)]));
  const first = (keys: readonly string[]) => {
    const key = keys.find((name) => meta.has(name));
    return key === undefined ? null : textCell(key, meta.get(key)!);
  };
  const [customerId, cardId] = [first(gateway.customer), first(gateway.card)];
  const missing = [customerId === null && gateway.customer[0], cardId === null && gateway.card[0]].filter(Boolean);
  const problem = missing.length === 0 ? null : `payment_method_post_meta has no ${missing.join(' and no ')}`;
  return { type: gateway.type, customerId, cardId, description, problem };
}
