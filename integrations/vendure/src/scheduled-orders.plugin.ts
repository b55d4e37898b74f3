import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, HttpException, Param, Post, Req, Res } from '@nestjs/common';
import {
  Ctx,
  Customer,
  CustomerService,
  EntityNotFoundError,
  I18nError,
  isGraphQlErrorResult,
  Order,
  type OrderItemPriceCalculationStrategy,
  OrderService,
  PluginCommonModule,
  RequestContext,
  type RuntimeVendureConfig,
  TransactionalConnection,
  VendurePlugin,
} from '@vendure/core';

declare module '@vendure/core/dist/entity/custom-entity-fields' {
  interface CustomOrderFields {
    pushName: string | null;
  }
  interface CustomOrderLineFields {
    chargedUnitPrice: number | null;
  }
}

interface Sent {
  readonly Total: string;
  readonly GatewayTransactionId: string | null;
  readonly Customer: { readonly ExternalId: string | null; readonly Email: string | null };
  readonly OrderItems: readonly {
    ProductExternalId: string | null;
    Name: string;
    Quantity: number;
    Total: string | null;
  }[];
  readonly [address: `${'Billing' | 'Shipping'}${string}`]: string | null;
}
type Signed = IncomingMessage & { body: string };
interface Reply {
  status(code: number): { json(body: object): void };
}

const refuse = (message: string): never => {
  throw new HttpException(message, 422);
};
/** Vendure keeps every currency with two places. */
const minorUnits = (amount: string): number => {
  const [whole = '', fraction = ''] = amount.split('.');
  return Number(whole + fraction.padEnd(2, '0'));
};
const done = <T>(result: T) =>
  isGraphQlErrorResult(result as never)
    ? refuse((result as { message: string }).message)
    : (result as Exclude<T, { errorCode: unknown }>);

/** What was charged for a unit is its price in the order, whatever the shop would take today. */
class ChargedPrice implements OrderItemPriceCalculationStrategy {
  calculateUnitPrice: OrderItemPriceCalculationStrategy['calculateUnitPrice'] = (
    _,
    variant,
    { chargedUnitPrice: charged },
  ) => {
    if (charged === null || charged === undefined)
      return { price: variant.listPrice, priceIncludesTax: variant.listPriceIncludesTax };
    return { price: charged as number, priceIncludesTax: false };
  };
}

@Controller('scheduled-orders/orders')
export class OrderReceiver {
  constructor(
    private readonly connection: TransactionalConnection,
    private readonly orders: OrderService,
    private readonly customers: CustomerService,
  ) {}

  @Get(':name')
  async lookUp(@Ctx() ctx: RequestContext, @Param('name') name: string, @Req() request: Signed, @Res() reply: Reply) {
    if (nameOf(request) !== name) throw new HttpException('The signature is of another order.', 401);
    const order = (await this.received(ctx, name)) ?? null;
    if (order === null) throw new HttpException('There is no such order.', 404);
    reply.status(200).json(answerOf(order));
  }

  /** The unique name lets one of several requests through to its end; the others wait for it at the database. */
  @Post()
  async receive(@Ctx() ctx: RequestContext, @Req() request: Signed, @Res() reply: Reply) {
    const name = nameOf(request);
    const sent = JSON.parse(request.body) as Sent;
    const known = await this.received(ctx, name);
    if (known !== null && known.totalWithTax !== minorUnits(sent.Total))
      refuse('Another total was received under this key.');
    const order =
      known ?? (await this.connection.withTransaction(ctx, (tx) => this.create(tx, name, sent)).catch(explained));
    reply.status(known === null ? 201 : 200).json(answerOf(order));
  }

  private received(ctx: RequestContext, pushName: string): Promise<Order | null> {
    return this.connection
      .getRepository(ctx, Order)
      .findOne({ where: { customFields: { pushName } }, relations: ['lines', 'surcharges', 'shippingLines'] });
  }

  /** Our lines at our prices, our total: what taxes and shipping of the shop come to otherwise is a line of its own. */
  private async create(ctx: RequestContext, pushName: string, sent: Sent): Promise<Order> {
    if (sent.OrderItems.length === 0) refuse('The order has no items.');
    const { id } = await this.orders.createDraft(ctx);
    await this.orders.updateCustomFields(ctx, id, { pushName });
    await this.orders.addCustomerToOrder(ctx, id, await this.customer(ctx, sent));
    for (const { ProductExternalId, Name, Quantity, Total } of sent.OrderItems) {
      if (ProductExternalId === null || Total === null) refuse(`"${Name}" has no product, or no amount.`);
      const chargedUnitPrice = Math.floor(minorUnits(Total!) / Quantity);
      done(await this.orders.addItemToOrder(ctx, id, ProductExternalId!, Quantity, { chargedUnitPrice }));
    }
    await this.orders.setShippingAddress(ctx, id, addressOf(sent, 'Shipping'));
    await this.orders.setBillingAddress(ctx, id, addressOf(sent, 'Billing'));
    const [method] = await this.orders.getEligibleShippingMethods(ctx, id);
    if (method === undefined) refuse('No shipping method of the shop takes the order.');
    const priced = done(await this.orders.setShippingMethod(ctx, id, [method!.id])) as Order;
    const difference = minorUnits(sent.Total) - priced.totalWithTax;
    const surcharge = {
      description: 'Difference to what was charged',
      listPrice: difference,
      listPriceIncludesTax: true,
    };
    if (difference !== 0) await this.orders.addSurchargeToOrder(ctx, id, surcharge);
    done(await this.orders.transitionToState(ctx, id, 'ArrangingPayment'));
    const payment = {
      orderId: id,
      method: 'scheduled-order',
      transactionId: sent.GatewayTransactionId ?? '',
      metadata: {},
    };
    return done(await this.orders.addManualPaymentToOrder(ctx, payment)) as Order;
  }

  private async customer(ctx: RequestContext, { Customer: customer, ...sent }: Sent) {
    const known = customer.ExternalId === null ? undefined : await this.customers.findOne(ctx, customer.ExternalId);
    if (known) return known;
    const emailAddress = customer.Email ?? refuse('A customer whom the shop does not know needs an e-mail address.');
    // Whoever is known by it keeps the name: a customer's account is nobody's to change from here.
    const sameAddress = { where: { emailAddress: emailAddress.trim().toLowerCase() } };
    const alike = await this.connection.getRepository(ctx, Customer).find(sameAddress);
    const living = alike.find(({ deletedAt }) => deletedAt === null);
    if (living) return living;
    const names = { firstName: sent.BillingFirstName ?? '', lastName: sent.BillingLastName ?? '' };
    return done(await this.customers.createOrUpdate(ctx, { emailAddress, ...names }));
  }
}

const answerOf = ({ id, code, totalWithTax }: Order) => {
  const digits = String(totalWithTax).padStart(3, '0');
  return { ExternalId: String(id), OrderNumber: code, Total: `${digits.slice(0, -2)}.${digits.slice(-2)}` };
};

const addressOf = (sent: Sent, kind: 'Billing' | 'Shipping') => ({
  fullName: `${sent[`${kind}FirstName`] ?? ''} ${sent[`${kind}LastName`] ?? ''}`.trim(),
  streetLine1: sent[`${kind}Street1`] ?? '',
  streetLine2: sent[`${kind}Street2`] ?? '',
  city: sent[`${kind}City`] ?? '',
  province: sent[`${kind}State`] ?? '',
  postalCode: sent[`${kind}Postcode`] ?? '',
  countryCode: sent[`${kind}Country`] ?? '',
});

/** Nothing is left of what failed: a name that is taken is being received, what Vendure does not know will not be. */
function explained(error: Error & { code?: string }): never {
  if (error.code === '23505') throw new HttpException('The order is being received.', 409);
  if (error instanceof EntityNotFoundError || (error instanceof I18nError && error.code === 'USER_INPUT_ERROR'))
    refuse(`${error.message} ${JSON.stringify(error.variables)}`);
  throw error;
}

/** The id that the signature covers (Standard Webhooks): the order's name. */
function nameOf({ headers, body }: Signed): string {
  const header = (name: string) => String(headers[`webhook-${name}`] ?? '');
  const [id, second] = [header('id'), header('timestamp')];
  const key = Buffer.from(ScheduledOrdersPlugin.secret.replace(/^whsec_/, ''), 'base64');
  const wanted = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${second}.${body}`).digest('base64')}`);
  const isOurs = header('signature')
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((one) => one.length === wanted.length && timingSafeEqual(one, wanted));
  if (!isOurs || Math.abs(Date.now() / 1_000 - Number(second)) > 300)
    throw new HttpException('The signature is wrong.', 401);
  return id;
}

/** More than an order has. Who sends it is not known yet. */
const MOST_BODY_BYTES = 1_000_000;

/** What is signed is the body as it came, which Vendure's own parser would not keep. */
function keepBody(request: Signed & { _body?: boolean }, reply: ServerResponse, next: () => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MOST_BODY_BYTES) chunks.push(chunk);
  });
  request.on('end', () => {
    if (bytes > MOST_BODY_BYTES) return void reply.writeHead(413).end();
    Object.assign(request, { body: Buffer.concat(chunks).toString(), _body: true });
    next();
  });
}

function configured(config: RuntimeVendureConfig): RuntimeVendureConfig {
  config.customFields.Order.push({
    name: 'pushName',
    type: 'string',
    unique: true,
    nullable: true,
    readonly: true,
    public: false,
  });
  // Internal: nobody may set a price over the shop's own API.
  config.customFields.OrderLine.push({ name: 'chargedUnitPrice', type: 'int', nullable: true, internal: true });
  config.orderOptions.orderItemPriceCalculationStrategy = new ChargedPrice();
  config.apiOptions.middleware.push({ route: '/scheduled-orders', handler: keepBody, beforeListen: true });
  return config;
}

/** Takes charged orders from a scheduled-orders service: `plugins: [ScheduledOrdersPlugin.with({ secret })]`. */
@VendurePlugin({
  imports: [PluginCommonModule],
  controllers: [OrderReceiver],
  configuration: configured,
  compatibility: '^3.0.0',
})
export class ScheduledOrdersPlugin {
  static secret = '';

  /** `secret`: `GET /api/Site/{id}/Shop/Secret` of the service. */
  static with({ secret }: { secret: string }): typeof ScheduledOrdersPlugin {
    ScheduledOrdersPlugin.secret = secret;
    return ScheduledOrdersPlugin;
  }
}
