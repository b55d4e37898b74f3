import { actionLogView, errorLogView, eventLogView } from '#libs/audit-log';
import { cycleView } from '#libs/cycles';
import {
  accessTokenView,
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
import { fieldsOf, type DtoClass } from '../../apps/api/src/http/fields/index.js';
import { AccessToken } from '../../apps/api/src/contract/access-token.dto.js';
import { Customer } from '../../apps/api/src/contract/customer.dto.js';
import { Product } from '../../apps/api/src/contract/product.dto.js';
import { ScheduledOrderItem } from '../../apps/api/src/contract/scheduled-order-item.dto.js';
import { ScheduledOrder } from '../../apps/api/src/contract/scheduled-order.dto.js';
import { Site } from '../../apps/api/src/contract/site.dto.js';
import { Cycle } from '../../apps/api/src/contract/cycle.dto.js';
import { ActionLog, ErrorLog, EventLog } from '../../apps/api/src/contract/log-entries.dto.js';
import { Order, OrderItem } from '../../apps/api/src/contract/order.dto.js';
import { PaymentIntegration } from '../../apps/api/src/contract/payment-integration.dto.js';
import { PaymentMethod } from '../../apps/api/src/contract/payment-method.dto.js';
import { ShippingRate } from '../../apps/api/src/contract/shipping-rate.dto.js';
import { CustomerSettings } from '../../apps/api/src/contract/customer-settings.dto.js';
import { TaxRateTerms } from '../../apps/api/src/contract/tax-rate-terms.dto.js';
import { TaxRate } from '../../apps/api/src/contract/tax-rate.dto.js';

const address = (kind: string) =>
  ['FirstName', 'LastName', 'Street1', 'Street2', 'City', 'State', 'Postcode', 'Country']
    .map((part) => kind + part)
    .join(' ');
const SHIPPING = address('Shipping');
const BILLING = address('Billing');

/** contract.md, Resources and their fields, as listed there; decisions.md §12 for what is added. */
const RESOURCES: readonly (readonly [string, DtoClass, readonly View[], string])[] = [
  [
    'AccessToken',
    AccessToken,
    [accessTokenView],
    'Id UserId TokenAuth AccessScope CustomerId CreatedUtc UpdatedUtc ExpiresUtc',
  ],
  [
    'ScheduledOrder',
    ScheduledOrder,
    [scheduledOrderView],
    `Id CustomerId Customer LastOccurrenceUtc NextOccurrenceUtc Status FrequencyType Frequency Cycles CurrencyIso PaymentMethodType
     PaymentMethodCustomerId PaymentMethodId PaymentMethodDescription ShippingTotal TaxTotal Total ${SHIPPING} ScheduledOrderItems
     CreatedUtc UpdatedUtc`,
  ],
  [
    'ScheduledOrderItem',
    ScheduledOrderItem,
    [scheduledOrderItemView],
    'Id ScheduledOrderId ProductId Product Price SalePrice Quantity CreatedUtc UpdatedUtc',
  ],
  [
    'Customer',
    Customer,
    [customerView],
    `Id SiteId ExternalId Email FirstName LastName Created ${SHIPPING} ${BILLING} CreatedUtc UpdatedUtc`,
  ],
  [
    'Product',
    Product,
    [productView],
    `Id SiteId ExternalId Availability StockLevel Type Sku Title Description Price SalePrice Length Width Height Weight ShippingClass
     TaxClass ImageUrl ImageThumbUrl CreatedUtc UpdatedUtc`,
  ],
  [
    'Order',
    Order,
    [orderView],
    `Id ExternalId OrderNumber CustomerId DateCreated DateCompleted DatePaid Subtotal Total ShippingTotal TaxTotal IsRecurring
     ${SHIPPING} ${BILLING} OrderItems CreatedUtc UpdatedUtc`,
  ],
  [
    'an item of an Order',
    OrderItem,
    [orderItemView],
    'Id OrderId ProductId Product Name Subtotal Total TaxTotal Quantity IsRecurring CreatedUtc UpdatedUtc',
  ],
  [
    'ShippingRate',
    ShippingRate,
    [shippingRateView],
    `Id SiteId ShippingClass Country State City Postcode PricePerUnit BasePrice MinUnits MinCycles MinSubtotal Name CreatedUtc
     UpdatedUtc`,
  ],
  [
    'TaxRate',
    TaxRate,
    [taxRateView],
    'Id SiteId TaxClass Country State City Postcode Rate IsCompound Name CreatedUtc UpdatedUtc',
  ],
  ['the terms of a TaxRate', TaxRateTerms, [taxRateTermsView], 'Priority AppliesToShipping'],
  ['the settings of a Customer', CustomerSettings, [customerSettingsView], 'TaxExempt VatNumber'],
  [
    'PaymentIntegration',
    PaymentIntegration,
    [paymentIntegrationView],
    'Id SiteId PaymentMethodType ApiAccount ApiKey1 ApiKey2 TestMode CreatedUtc UpdatedUtc',
  ],
  [
    'PaymentMethod',
    PaymentMethod,
    [paymentMethodView],
    `Id CustomerId Type GatewayCustomerId GatewayPaymentId Description ${BILLING} CreatedUtc UpdatedUtc`,
  ],
  [
    'Site, with CurrencyIso besides',
    Site,
    [siteView, siteSnapshotView],
    'Id UserId Url Type Name Email ApiKey1 ApiKey2 ApiKey3 CurrencyIso CreatedUtc UpdatedUtc',
  ],
  [
    'ActionLog',
    ActionLog,
    [actionLogView.whole],
    `Id SiteId ScheduledOrderId ActionType AccessToken PreviousScheduledOrder NewScheduledOrder Description CreatedUtc UpdatedUtc`,
  ],
  [
    'EventLog',
    EventLog,
    [eventLogView.whole],
    'Id SiteId ScheduledOrderId EventType ScheduledOrder Description CreatedUtc UpdatedUtc',
  ],
  [
    'ErrorLog',
    ErrorLog,
    [errorLogView.whole],
    'Id SiteId ScheduledOrderId ExceptionInfo Site Entity Description CreatedUtc UpdatedUtc',
  ],
  [
    'a cycle of the ledger',
    Cycle,
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
