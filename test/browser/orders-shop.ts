import { until } from '../support/until.js';
import type { Account, Console } from './console.js';

/** A Friday. Orders of every day fall due on Saturday, Sunday and Monday morning. */
const FRIDAY = '2026-11-20T09:00:00.000Z';

interface Cycle {
  readonly Cycle: number;
  readonly State: string;
  readonly Attempts: number;
}

export interface Order {
  readonly Id: number;
  readonly Status: string;
  readonly NextOccurrenceUtc: string;
  readonly PaymentMethodId: string;
  readonly ScheduledOrderItems: readonly { readonly Id: number; readonly Quantity: number }[];
}

/** A simulated shop on a Monday morning, after a weekend on which some cards were declined. */
export interface OrdersShop {
  readonly account: Account;
  readonly siteId: number;
  readonly coffee: number;
  readonly tea: number;
  /** By what is the matter with them. */
  readonly orders: Readonly<Record<'good' | 'declined' | 'lost' | 'empty' | 'paused' | 'cancelled', number>>;
  call<T>(method: string, path: string, body?: object): Promise<T>;
  cycles(orderId: number): Promise<readonly Cycle[]>;
  order(orderId: number): Promise<Order>;
}

export async function mondayShop(tested: Console): Promise<OrdersShop> {
  const account = await tested.account({ name: 'Real Shop' });
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${tested.url}/api/${path}`, {
      method,
      headers: { authorization: `Basic ${account.tokenAuth}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  const made = async (path: string, body: object) => (await call<{ Id: number }>('POST', path, body)).Id;

  const { SiteId: siteId } = await call<{ SiteId: number }>('POST', 'TestClocks', {
    Name: 'Monday Coffee',
    NowUtc: FRIDAY,
  });
  await made('PaymentIntegrations', {
    SiteId: siteId,
    PaymentMethodType: 'GatewayOne',
    ApiKey1: 'sandbox',
    TestMode: true,
  });
  const coffee = await made('Products', { SiteId: siteId, Title: 'Espresso', Sku: 'ESP-1', Price: 12.5 });
  const tea = await made('Products', { SiteId: siteId, Title: 'Assam', Sku: 'TEA-1', Price: 8 });

  const ordered = async (firstName: string, card: string, more: object = {}) => {
    const Email = `${firstName.toLowerCase()}@mail.example`;
    const person = { SiteId: siteId, Email, FirstName: firstName, LastName: 'Byron' };
    const CustomerId = await made('Customers', person);
    return made('ScheduledOrders', {
      CustomerId,
      FrequencyType: 'Days',
      Frequency: 1,
      PaymentMethodType: 'GatewayOne',
      PaymentMethodCustomerId: `cus_${firstName}`,
      PaymentMethodId: card,
      PaymentMethodDescription: `Visa of ${firstName}`,
      ScheduledOrderItems: [{ ProductId: coffee }],
      ...more,
    });
  };
  const orders = {
    good: await ordered('Ada', 'pm_ada'),
    declined: await ordered('Grace', 'pm_grace_declined', { FrequencyType: 'Weeks', Frequency: 1 }),
    lost: await ordered('Mary', 'pm_mary_declined_hard'),
    empty: await ordered('Rosa', 'pm_rosa', { ScheduledOrderItems: [] }),
    paused: await ordered('Lise', 'pm_lise'),
    cancelled: await ordered('Emmy', 'pm_emmy'),
  };
  await call('PUT', `ScheduledOrders/${orders.declined}/NextOccurrenceUtc`, {
    NextOccurrenceUtc: '2026-11-22T09:00:00.000Z',
  });
  await call('PUT', `ScheduledOrders/${orders.paused}`, { Status: 'Paused' });
  await call('PUT', `ScheduledOrders/${orders.cancelled}`, { Status: 'Paused' });
  await call('POST', `TestClock/${siteId}/Advance`, { By: 'P3D' });
  const clock = () => call<{ State: string }>('GET', `TestClock/${siteId}`);
  await until(async () => (await clock()).State === 'Ready');
  return {
    account,
    siteId,
    coffee,
    tea,
    orders,
    call,
    cycles: (id) => call('GET', `ScheduledOrders/${id}/Cycles`),
    order: (id) => call('GET', `ScheduledOrders/${id}`),
  };
}
