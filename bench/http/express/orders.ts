import { createHash, timingSafeEqual } from 'node:crypto';
import {
  BadRequestException,
  Body,
  CanActivate,
  Controller,
  ExecutionContext,
  Get,
  Injectable,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  Req,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { DataSource, EntityManager, In, IsNull, MoreThan } from 'typeorm';
import {
  AccessToken,
  ActionLog,
  Customer,
  PaymentMethod,
  Product,
  ScheduledOrder,
  ScheduledOrderItem,
  ShippingRate,
  Site,
  TaxRate,
} from './entities.js';
import { pascal } from './pascal.js';
import { compileRates, nextOccurrence, quote } from './rules.js';

class ItemBody {
  @IsInt() ProductId: number;
  @IsInt() @IsOptional() Quantity?: number;
}

class OrderBody {
  @IsInt() @IsOptional() CustomerId?: number;
  @IsString() @IsOptional() FrequencyType?: string;
  @IsInt() @IsOptional() Frequency?: number;
  @IsString() @MaxLength(255) @IsOptional() PaymentMethodType?: string;
  @IsString() @MaxLength(255) @IsOptional() PaymentMethodCustomerId?: string;
  @IsString() @MaxLength(255) @IsOptional() PaymentMethodId?: string;
  @IsString() @MaxLength(255) @IsOptional() PaymentMethodDescription?: string;
  @IsString() @MaxLength(255) @IsOptional() ShippingStreet1?: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => ItemBody) @IsOptional() ScheduledOrderItems?: ItemBody[];
}

interface Caller {
  token: AccessToken;
  siteIds: number[];
}

@Injectable()
export class TokenGuard implements CanActivate {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest();
    const [id, secret] = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
      .toString()
      .split(':');
    const token = await this.dataSource
      .getRepository(AccessToken)
      .findOneBy({ id: Number(id), expiresUtc: MoreThan(new Date()), revokedUtc: IsNull() });
    if (!token || !timingSafeEqual(createHash('sha256').update(secret!).digest(), token.secretHash))
      throw new UnauthorizedException();
    const sites = await this.dataSource.getRepository(Site).findBy({ userId: token.userId });
    request.caller = { token, siteIds: sites.map((site) => Number(site.id)) };
    return true;
  }
}

const WHOLE = { customer: true, scheduledOrderItems: { product: true } } as const;

@Controller('api/ScheduledOrders')
@UseGuards(TokenGuard)
export class ScheduledOrdersController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Get(':id')
  async get(@Param('id', ParseIntPipe) id: number, @Req() { caller }: { caller: Caller }) {
    return pascal(await this.load(this.dataSource.manager, caller, id));
  }

  @Get()
  async page(@Query('page', ParseIntPipe) page: number, @Req() { caller }: { caller: Caller }) {
    const orders = await this.dataSource.getRepository(ScheduledOrder).find({
      where: { siteId: In(caller.siteIds) },
      relations: WHOLE,
      order: { id: 'ASC' },
      skip: (page - 1) * 100,
      take: 100,
    });
    return orders.map(pascal);
  }

  @Post()
  create(@Body() body: OrderBody, @Req() { caller }: { caller: Caller }) {
    return this.dataSource.transaction(async (tx) => {
      const customer = await tx.findOneBy(Customer, { id: body.CustomerId });
      if (!customer || !caller.siteIds.includes(customer.siteId)) throw new BadRequestException('CustomerId');
      const sent = body.ScheduledOrderItems ?? [];
      const products = await tx.findBy(Product, { id: In(sent.map((item) => item.ProductId)) });
      const anchor = new Date(Math.floor(Date.now() / 1000) * 1000);
      const order = tx.create(ScheduledOrder, {
        siteId: customer.siteId,
        customerId: Number(customer.id),
        status: 'Active',
        cycles: 0,
        currencyIso: 'USD',
        frequencyType: body.FrequencyType!,
        frequency: body.Frequency!,
        scheduleAnchorUtc: anchor,
        nextOccurrenceUtc: nextOccurrence(
          { frequencyType: body.FrequencyType, frequency: body.Frequency },
          anchor,
          anchor,
        ),
        paymentMethodType: body.PaymentMethodType,
        paymentMethodCustomerId: body.PaymentMethodCustomerId,
        paymentMethodId: body.PaymentMethodId,
        paymentMethodDescription: body.PaymentMethodDescription,
        shippingFirstName: customer.shippingFirstName,
        shippingLastName: customer.shippingLastName,
        shippingStreet1: customer.shippingStreet1,
        shippingStreet2: customer.shippingStreet2,
        shippingCity: customer.shippingCity,
        shippingState: customer.shippingState,
        shippingPostcode: customer.shippingPostcode,
        shippingCountry: customer.shippingCountry,
        scheduledOrderItems: sent.map((item) => {
          const product = products.find(({ id }) => Number(id) === item.ProductId);
          if (!product) throw new BadRequestException('ProductId');
          return tx.create(ScheduledOrderItem, {
            siteId: customer.siteId,
            productId: item.ProductId,
            product,
            price: product.price,
            salePrice: product.salePrice,
            quantity: item.Quantity ?? 1,
          });
        }),
      });
      await this.keepMethod(tx, order);
      await this.price(tx, order);
      const { id } = await tx.save(order);
      const saved = pascal(await this.load(tx, caller, Number(id)));
      await this.log(tx, caller, saved, null, customer.siteId, 'CreateScheduledOrder');
      return saved;
    });
  }

  @Put(':id')
  update(@Param('id', ParseIntPipe) id: number, @Body() body: OrderBody, @Req() { caller }: { caller: Caller }) {
    return this.dataSource.transaction(async (tx) => {
      const locked = await tx.findOne(ScheduledOrder, { where: { id }, lock: { mode: 'for_no_key_update' } });
      if (!locked) throw new NotFoundException();
      const order = await this.load(tx, caller, id);
      const previous = pascal(order);
      if (body.ShippingStreet1 !== undefined) order.shippingStreet1 = body.ShippingStreet1;
      await this.price(tx, order);
      const { shippingStreet1, shippingTotal, taxTotal, total } = order;
      // `save` would first read the items again, deleted ones too, for which there is no index.
      await tx.update(ScheduledOrder, id, { shippingStreet1, shippingTotal, taxTotal, total, updatedUtc: new Date() });
      const saved = pascal(await this.load(tx, caller, id));
      await this.log(tx, caller, saved, previous, order.siteId, 'UpdateScheduledOrder');
      return saved;
    });
  }

  private async load(tx: EntityManager, caller: Caller, id: number): Promise<ScheduledOrder> {
    const order = await tx.findOne(ScheduledOrder, { where: { id, siteId: In(caller.siteIds) }, relations: WHOLE });
    if (!order) throw new NotFoundException();
    return order;
  }

  private async keepMethod(tx: EntityManager, order: ScheduledOrder): Promise<void> {
    const key = {
      customerId: order.customerId,
      type: order.paymentMethodType,
      gatewayCustomerId: order.paymentMethodCustomerId,
      gatewayPaymentId: order.paymentMethodId,
    };
    const known = await tx.findOneBy(PaymentMethod, key);
    if (!known)
      await tx.save(PaymentMethod, { ...key, siteId: order.siteId, description: order.paymentMethodDescription });
  }

  private async price(tx: EntityManager, order: ScheduledOrder): Promise<void> {
    const [shipping, tax] = await Promise.all([
      tx.findBy(ShippingRate, { siteId: order.siteId }),
      tx.findBy(TaxRate, { siteId: order.siteId }),
    ]);
    const items = order.scheduledOrderItems.map(({ price, salePrice, ...item }) => ({
      ...item,
      price: String(price),
      salePrice: salePrice === null ? null : String(salePrice),
      product: { ...item.product, deletedUtc: null },
    }));
    const { shippingTotal, taxTotal, total } = quote(
      { ...order, items, shippingTotalFixed: false, taxTotalFixed: false },
      compileRates(shipping.map(numbered), tax.map(numbered)),
    );
    Object.assign(order, { shippingTotal, taxTotal, total });
  }

  private async log(
    tx: EntityManager,
    { token }: Caller,
    saved: { Id: number },
    previous: object | null,
    siteId: number,
    actionType: string,
  ) {
    const { secretHash: _, ...shown } = token;
    await tx.insert(ActionLog, {
      siteId,
      scheduledOrderId: saved.Id,
      actionType,
      description: `${actionType} by a Merchant token.`,
      accessToken: shown,
      previousScheduledOrder: previous,
      newScheduledOrder: saved,
    });
  }
}

const numbered = <R extends { id: number }>(rate: R): R => ({ ...rate, id: Number(rate.id) });
