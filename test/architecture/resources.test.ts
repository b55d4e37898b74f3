import {
  actionLogView,
  errorLogView,
  eventLogView,
  webhookDeliveryDetailsView,
  webhookDeliveryView,
  webhookEndpointView,
} from '#libs/events';
import { cycleView, differenceView, pushView } from '#libs/ledger';
import {
  accessTokenView,
  apiKeyTokenView,
  apiKeyView,
  customerSettingsView,
  customerView,
  orderItemView,
  orderView,
  paymentIntegrationView,
  paymentMethodView,
  productView,
  scheduledOrderItemView,
  scheduledOrderView,
  shippingRateView,
  siteSnapshotView,
  siteView,
  taxRateTermsView,
  taxRateView,
  type View,
} from '#libs/records';
import { AccessTokenDto } from '../../apps/api/src/contract/accounts/access-token.dto.js';
import { ApiKeyDto } from '../../apps/api/src/contract/accounts/api-key.dto.js';
import { CustomerDto, CustomerSettingsDto } from '../../apps/api/src/contract/accounts/customer.dto.js';
import { SiteDto } from '../../apps/api/src/contract/accounts/site.dto.js';
import { ProductDto } from '../../apps/api/src/contract/catalog/product.dto.js';
import { ShippingRateDto } from '../../apps/api/src/contract/catalog/shipping-rate.dto.js';
import { TaxRateDto, TaxRateTermsDto } from '../../apps/api/src/contract/catalog/tax-rate.dto.js';
import {
  WebhookDeliveryDetailsDto,
  WebhookDeliveryDto,
} from '../../apps/api/src/contract/events/webhook-delivery.dto.js';
import { WebhookEndpointDto } from '../../apps/api/src/contract/events/webhook-endpoint.dto.js';
import { ActionLogDto, ErrorLogDto, EventLogDto } from '../../apps/api/src/contract/insight/log-entries.dto.js';
import { CycleDto } from '../../apps/api/src/contract/orders/cycle.dto.js';
import { OrderDto, OrderItemDto } from '../../apps/api/src/contract/orders/order.dto.js';
import { PushDto } from '../../apps/api/src/contract/orders/push.dto.js';
import { ScheduledOrderDto } from '../../apps/api/src/contract/orders/scheduled-order.dto.js';
import { ScheduledOrderItemDto } from '../../apps/api/src/contract/orders/scheduled-order-item.dto.js';
import { DifferenceDto } from '../../apps/api/src/contract/payments/difference.dto.js';
import { PaymentIntegrationDto } from '../../apps/api/src/contract/payments/payment-integration.dto.js';
import { PaymentMethodDto } from '../../apps/api/src/contract/payments/payment-method.dto.js';
import { type DtoClass, fieldsOf } from '../../apps/api/src/http/fields/index.js';

const address = (kind: string) =>
  ['FirstName', 'LastName', 'Street1', 'Street2', 'City', 'State', 'Postcode', 'Country']
    .map((part) => kind + part)
    .join(' ');
const SHIPPING = address('Shipping');
const BILLING = address('Billing');

/** contract.md, Resources and their fields, as listed there; decisions.md §12 for what is added. */
const DELIVERY = `Id SiteId WebhookEndpointId EventId EventType Sequence ScheduledOrderId State Tries NextAttemptUtc FinishedUtc CreatedUtc`;

const RESOURCES: readonly (readonly [string, DtoClass, readonly View[], string])[] = [
  [
    'WebhookEndpoint',
    WebhookEndpointDto,
    [webhookEndpointView],
    `Id SiteId Url Description EventTypes Payload Ordered RatePerSecond Status DisabledReason FailingSinceUtc CreatedUtc UpdatedUtc`,
  ],
  [
    'Difference',
    DifferenceDto,
    [differenceView],
    `Id SiteId Kind OrderId ScheduledOrderId Cycle PaymentIntegrationId PaymentMethodType GatewayTransactionId Ours Theirs State As By Note CreatedUtc
     SettledUtc`,
  ],
  [
    'Push',
    PushDto,
    [pushView],
    `SiteId ScheduledOrderId Cycle OrderId State ShopOrderId ShopOrderNumber ShopTotal ChargedTotal LinesThatDiffer EndedInShop Attempts
     Message NextAttemptUtc CreatedUtc UpdatedUtc`,
  ],
  ['WebhookDelivery', WebhookDeliveryDto, [webhookDeliveryView], DELIVERY],
  ['WebhookDeliveryDetails', WebhookDeliveryDetailsDto, [webhookDeliveryDetailsView], `${DELIVERY} Body Attempts`],
  [
    'AccessToken',
    AccessTokenDto,
    [accessTokenView, apiKeyTokenView],
    'Id UserId TokenAuth AccessScope CustomerId CreatedUtc UpdatedUtc ExpiresUtc',
  ],
  ['ApiKey', ApiKeyDto, [apiKeyView], 'Id Name SiteIds Access ExpiresUtc LastUsedUtc CreatedUtc'],
  [
    'ScheduledOrder',
    ScheduledOrderDto,
    [scheduledOrderView],
    `Id CustomerId Customer LastOccurrenceUtc NextOccurrenceUtc Status FrequencyType Frequency Cycles CurrencyIso PaymentMethodType
     PaymentMethodCustomerId PaymentMethodId PaymentMethodDescription ShippingTotal TaxTotal Total ${SHIPPING} ScheduledOrderItems
     CreatedUtc UpdatedUtc`,
  ],
  [
    'ScheduledOrderItem',
    ScheduledOrderItemDto,
    [scheduledOrderItemView],
    'Id ScheduledOrderId ProductId Product Price SalePrice Quantity CreatedUtc UpdatedUtc',
  ],
  [
    'Customer',
    CustomerDto,
    [customerView],
    `Id SiteId ExternalId Email FirstName LastName Created ${SHIPPING} ${BILLING} CreatedUtc UpdatedUtc`,
  ],
  [
    'Product',
    ProductDto,
    [productView],
    `Id SiteId ExternalId Availability StockLevel Type Sku Title Description Price SalePrice Length Width Height Weight ShippingClass
     TaxClass ImageUrl ImageThumbUrl CreatedUtc UpdatedUtc`,
  ],
  [
    'Order',
    OrderDto,
    [orderView],
    `Id ExternalId OrderNumber CustomerId DateCreated DateCompleted DatePaid Subtotal Total ShippingTotal TaxTotal IsRecurring
     ${SHIPPING} ${BILLING} OrderItems CreatedUtc UpdatedUtc`,
  ],
  [
    'an item of an Order',
    OrderItemDto,
    [orderItemView],
    'Id OrderId ProductId Product Name Subtotal Total TaxTotal Quantity IsRecurring CreatedUtc UpdatedUtc',
  ],
  [
    'ShippingRate',
    ShippingRateDto,
    [shippingRateView],
    `Id SiteId ShippingClass Country State City Postcode PricePerUnit BasePrice MinUnits MinCycles MinSubtotal Name CreatedUtc
     UpdatedUtc`,
  ],
  [
    'TaxRate',
    TaxRateDto,
    [taxRateView],
    'Id SiteId TaxClass Country State City Postcode Rate IsCompound Name CreatedUtc UpdatedUtc',
  ],
  ['the terms of a TaxRate', TaxRateTermsDto, [taxRateTermsView], 'Priority AppliesToShipping'],
  ['the settings of a Customer', CustomerSettingsDto, [customerSettingsView], 'TaxExempt VatNumber'],
  [
    'PaymentIntegration',
    PaymentIntegrationDto,
    [paymentIntegrationView],
    'Id SiteId PaymentMethodType ApiAccount ApiKey1 ApiKey2 TestMode CreatedUtc UpdatedUtc',
  ],
  [
    'PaymentMethod',
    PaymentMethodDto,
    [paymentMethodView],
    `Id CustomerId Type GatewayCustomerId GatewayPaymentId Description ${BILLING} CreatedUtc UpdatedUtc`,
  ],
  [
    'Site, with CurrencyIso besides',
    SiteDto,
    [siteView, siteSnapshotView],
    'Id UserId Url Type Name Email ApiKey1 ApiKey2 ApiKey3 CurrencyIso CreatedUtc UpdatedUtc',
  ],
  [
    'ActionLog',
    ActionLogDto,
    [actionLogView.whole],
    `Id SiteId ScheduledOrderId ActionType AccessToken PreviousScheduledOrder NewScheduledOrder Description CreatedUtc UpdatedUtc`,
  ],
  [
    'EventLog',
    EventLogDto,
    [eventLogView.whole],
    'Id SiteId ScheduledOrderId EventType ScheduledOrder Description CreatedUtc UpdatedUtc',
  ],
  [
    'ErrorLog',
    ErrorLogDto,
    [errorLogView.whole],
    'Id SiteId ScheduledOrderId ExceptionInfo Site Entity Description CreatedUtc UpdatedUtc',
  ],
  [
    'a cycle of the ledger',
    CycleDto,
    [cycleView],
    `Cycle State DueUtc PassedOver Attempts OrderId Amount CurrencyIso PaymentMethodType GatewayTransactionId FailureCode
     NextAttemptUtc CreatedUtc UpdatedUtc`,
  ],
];

describe.each(RESOURCES)('%s', (_, dto, views, listed) => {
  const contract = listed.split(/\s+/);

  it('is documented with exactly the fields that the interface lists, in their order', () => {
    expect([...fieldsOf(dto).keys()]).toEqual(contract);
  });

  it('is answered with exactly these fields', () => {
    for (const view of views) expect(view.fields).toEqual(contract);
  });
});
