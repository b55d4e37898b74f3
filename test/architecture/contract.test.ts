import { readFileSync } from 'node:fs';
import { AccessTokenDto } from '../../apps/api/src/contract/accounts/access-token.dto.js';
import { CustomerDto } from '../../apps/api/src/contract/accounts/customer.dto.js';
import { SiteDto } from '../../apps/api/src/contract/accounts/site.dto.js';
import { ProductDto } from '../../apps/api/src/contract/catalog/product.dto.js';
import { ShippingRateDto } from '../../apps/api/src/contract/catalog/shipping-rate.dto.js';
import { TaxRateDto } from '../../apps/api/src/contract/catalog/tax-rate.dto.js';
import { ActionLogDto, ErrorLogDto, EventLogDto } from '../../apps/api/src/contract/insight/log-entries.dto.js';
import { OrderDto, OrderItemDto } from '../../apps/api/src/contract/orders/order.dto.js';
import { ScheduledOrderDto } from '../../apps/api/src/contract/orders/scheduled-order.dto.js';
import { ScheduledOrderItemDto } from '../../apps/api/src/contract/orders/scheduled-order-item.dto.js';
import { PaymentIntegrationDto } from '../../apps/api/src/contract/payments/payment-integration.dto.js';
import { PaymentMethodDto } from '../../apps/api/src/contract/payments/payment-method.dto.js';
import { NULL_IS_SENT_ONLY } from '../../apps/api/src/http/fields/field.js';
import { type DtoClass, fieldsOf } from '../../apps/api/src/http/fields/index.js';
import { ADDITION } from '../../apps/api/src/http/route.js';
import { useApi } from '../support/api.js';
import { declaredRoutes } from '../support/api/routes.js';
import { useDatabase } from '../support/database.js';
import { type OpenApiDocument } from '../support/openapi/document.js';

const api = useApi(useDatabase());

const page = readFileSync('docs/contract.md', 'utf8');

/** The fields under a heading, each with its type: `- \`Id\` (int64, read-only): …`. */
function itemsUnder(heading: string): [names: string, type: string][] {
  const [, part] = page.split(new RegExp(`^#+ ${heading}$`, 'm'));
  const section = part!.split(/^#/m)[0]!;
  return [...section.matchAll(/^- (.+?) \((.+?)\): /gm)].map(([, names, type]) => [names!, type!]);
}

const ADDRESS = ['FirstName', 'LastName', 'Street1', 'Street2', 'City', 'State', 'Postcode', 'Country'];

/** `Sku`, `Title` are two fields of one item; the address blocks are eight. */
function namesIn(names: string): string[] {
  const block = /^the eight `(\w+)…` fields$/.exec(names)?.[1];
  return block ? ADDRESS.map((part) => block + part) : [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
}

interface Documented {
  readonly isInt64: boolean;
  readonly maxLength: number | null;
  readonly nullable: string;
  readonly isSet: boolean;
}

const fieldsUnder = (heading: string): [string, Documented][] =>
  itemsUnder(heading).flatMap(([names, type]) =>
    namesIn(names).map((name): [string, Documented] => [
      name,
      {
        isInt64: type.startsWith('int64'),
        maxLength: Number(/text\((\d+)\)/.exec(type)?.[1] ?? 0) || null,
        nullable: type.includes('null sent only') ? 'sent only' : type.includes('?') ? 'yes' : 'no',
        isSet: type.endsWith('read-only'),
      },
    ]),
  );

/** `Id` before the fields of a resource and the times after them, unless its own list has them. */
function documented(heading: string): [string, Documented][] {
  const [own, [id, ...times]] = [fieldsUnder(heading), fieldsUnder('Every resource')];
  const isMissing = ([name]: [string, Documented]) => !own.some(([one]) => one === name);
  return [...[id!].filter(isMissing), ...own, ...times.filter(isMissing)];
}

/** Where @nestjs/swagger keeps what a class says of a field; the package does not export the name. */
const API_MODEL_PROPERTIES = 'swagger/apiModelProperties';

interface Property {
  readonly format?: string;
  readonly maxLength?: number;
  readonly nullable?: boolean;
  readonly isArray?: boolean;
  readonly [NULL_IS_SENT_ONLY]?: boolean;
}

function declared(dto: DtoClass): [string, Documented][] {
  return [...fieldsOf(dto)].map(([name, { readOnly }]) => {
    const property = Reflect.getMetadata(API_MODEL_PROPERTIES, dto.prototype as object, name) as Property;
    const sentOnly = property.isArray === true || property[NULL_IS_SENT_ONLY] === true;
    const nullable = sentOnly ? 'sent only' : property.nullable === true ? 'yes' : 'no';
    const isInt64 = property.format === 'int64';
    return [name, { isInt64, maxLength: property.maxLength ?? null, nullable, isSet: readOnly }];
  });
}

/** What the page says of a field otherwise than its class does, and why. */
const OTHERWISE: Record<string, Partial<Documented>> = {
  // It names an element of an order's array; elsewhere it is the service's.
  'ScheduledOrderItem.Id': { isSet: true },
  'OrderItem.Id': { isSet: true },
  // It is the path's: a body may only repeat it.
  'PaymentMethod.CustomerId': { isSet: true },
  // A body may repeat what was read, against stale writes.
  'ScheduledOrder.UpdatedUtc': { isSet: true, nullable: 'no' },
};

/** Fields that decisions.md §12 adds to resources of the contract. */
const ADDED = ['Site.CurrencyIso'];

const RESOURCES: readonly (readonly [string, DtoClass])[] = [
  ['AccessToken', AccessTokenDto],
  ['ScheduledOrder', ScheduledOrderDto],
  ['ScheduledOrderItem', ScheduledOrderItemDto],
  ['Customer', CustomerDto],
  ['Product', ProductDto],
  ['Order', OrderDto],
  ['OrderItem', OrderItemDto],
  ['ShippingRate', ShippingRateDto],
  ['TaxRate', TaxRateDto],
  ['PaymentIntegration', PaymentIntegrationDto],
  ['PaymentMethod', PaymentMethodDto],
  ['Site', SiteDto],
  ['ActionLog entry', ActionLogDto],
  ['EventLog entry', EventLogDto],
  ['ErrorLog entry', ErrorLogDto],
];

describe('docs/contract.md', () => {
  it.each(RESOURCES)('%s: fields in their order, which are int64, lengths, null, and who sets them', (heading, dto) => {
    const expected = declared(dto)
      .filter(([name]) => !ADDED.includes(`${heading}.${name}`))
      .map(([name, field]) => [name, { ...field, ...OTHERWISE[`${heading}.${name}`] }]);
    expect(documented(heading)).toEqual(expected);
  });

  it('endpoints, and who may call them', async () => {
    const { paths } = (await api.request('GET', '/openapi.json')).body as OpenApiDocument & {
      paths: Record<string, Record<string, { description: string }>>;
    };
    const isAddition = (route: string) => {
      const [method, path] = route.split(' ') as [string, string];
      return !path.startsWith('/api/') || paths[path]![method.toLowerCase()]!.description.endsWith(ADDITION);
    };
    const groups = page.split(/^## Endpoints$/m)[1]!.split(/^## /m)[0]!;
    const rows = [...groups.matchAll(/^\| `([^`]+)` +\|(.*)\|(.*)\|(.*)\|$/gm)];
    const documentedRoutes = rows.flatMap(([, path, ...columns]) =>
      ['both', 'merchant', 'anyone'].flatMap((audience, n) =>
        [...columns[n]!.matchAll(/[A-Z]+/g)].map(([method]) => [`${method} ${path}`, audience]),
      ),
    );
    // As a list: no route has two audiences.
    const routes = Object.entries(declaredRoutes(api.app)).filter(([route]) => !isAddition(route));
    expect(documentedRoutes.map(String).sort()).toEqual(routes.map(String).sort());
  });
});
