import { readFileSync } from 'node:fs';
import { anchorOf, explained, PROBLEM_KINDS } from '../../apps/api/src/http/problems/problem.js';
import type { Audience } from '../../apps/api/src/http/route.js';
import { useApi } from '../support/api.js';
import { declaredRoutes } from '../support/api/routes.js';
import { useDatabase } from '../support/database.js';

const api = useApi(useDatabase());

/** contract.md, Endpoints: who may call is decisions.md §3. */
const CONTRACT: Record<string, Audience> = {
  'POST /api/AccessTokens/Login': 'anyone',
  'POST /api/AccessTokens/Generate': 'both',
  'GET /api/ScheduledOrders': 'both',
  'POST /api/ScheduledOrders': 'both',
  'PUT /api/ScheduledOrders/{scheduledOrderId}': 'both',
  'GET /api/ScheduledOrders/{scheduledOrderId}': 'both',
  'DELETE /api/ScheduledOrders/{scheduledOrderId}': 'both',
  'GET /api/ScheduledOrders/{scheduledOrderId}/ActionLogs': 'both',
  'GET /api/ScheduledOrders/{scheduledOrderId}/EventLogs': 'both',
  'GET /api/ScheduledOrders/{scheduledOrderId}/ErrorLog': 'merchant',
  'GET /api/ScheduledOrderItems': 'both',
  'POST /api/ScheduledOrderItems': 'both',
  'PUT /api/ScheduledOrderItems/{scheduledOrderItemId}': 'both',
  'GET /api/ScheduledOrderItems/{scheduledOrderItemId}': 'both',
  'DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}': 'both',
  'POST /api/Customers': 'merchant',
  'GET /api/Customers': 'merchant',
  'PUT /api/Customers/{customerId}': 'both',
  'GET /api/Customers/{customerId}': 'both',
  'DELETE /api/Customers/{customerId}': 'merchant',
  'GET /api/Customers/{customerId}/ScheduledOrders': 'both',
  'GET /api/Customers/{customerId}/ScheduledOrders/PageCount': 'both',
  'GET /api/Customers/{customerId}/PaymentMethods': 'both',
  'GET /api/Customers/{customerId}/PaymentMethods/PageCount': 'both',
  'GET /api/Customers/{customerId}/PaymentMethods/Search': 'both',
  'POST /api/Orders': 'merchant',
  'GET /api/Orders': 'both',
  'PUT /api/Orders/{orderId}': 'merchant',
  'GET /api/Orders/{orderId}': 'both',
  'DELETE /api/Orders/{orderId}': 'merchant',
  'POST /api/Products': 'merchant',
  'GET /api/Products': 'both',
  'PUT /api/Products/{productId}': 'merchant',
  'GET /api/Products/{productId}': 'both',
  'DELETE /api/Products/{productId}': 'merchant',
  'POST /api/ShippingRates': 'merchant',
  'GET /api/ShippingRates': 'merchant',
  'PUT /api/ShippingRate/{shippingRateId}': 'merchant',
  'GET /api/ShippingRate/{shippingRateId}': 'merchant',
  'DELETE /api/ShippingRate/{shippingRateId}': 'merchant',
  'POST /api/TaxRates': 'merchant',
  'GET /api/TaxRates': 'merchant',
  'PUT /api/TaxRate/{taxRateId}': 'merchant',
  'GET /api/TaxRate/{taxRateId}': 'merchant',
  'DELETE /api/TaxRate/{taxRateId}': 'merchant',
  'POST /api/PaymentIntegrations': 'merchant',
  'GET /api/PaymentIntegrations': 'merchant',
  'PUT /api/PaymentIntegration/{paymentIntegrationId}': 'merchant',
};

/** decisions.md §12. */
const ADDITIONS: Record<string, Audience> = {
  'GET /api/ScheduledOrders/Count': 'both',
  'GET /api/Customers/Count': 'merchant',
  'GET /api/Products/Count': 'both',
  'GET /api/ShippingRates/Count': 'merchant',
  'GET /api/TaxRates/Count': 'merchant',
  'GET /api/Orders/Count': 'both',
  'PUT /api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc': 'both',
  'POST /api/ScheduledOrders/{scheduledOrderId}/Skip': 'both',
  'GET /api/ScheduledOrders/{scheduledOrderId}/Quote': 'both',
  'POST /api/ScheduledOrders/{scheduledOrderId}/Process': 'both',
  'GET /api/ScheduledOrders/{scheduledOrderId}/Upcoming': 'both',
  'GET /api/ScheduledOrders/{scheduledOrderId}/Explain': 'both',
  'POST /api/Site/{siteId}/Explain/Rates': 'merchant',
  'GET /api/ScheduledOrders/{scheduledOrderId}/Cycles': 'merchant',
  'GET /api/ScheduledOrders/{scheduledOrderId}/Timeline': 'both',
  'GET /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Explain': 'merchant',
  'GET /api/AccessTokens': 'merchant',
  'DELETE /api/AccessTokens/{accessTokenId}': 'both',
  'DELETE /api/Customers/{customerId}/AccessTokens': 'merchant',
  'POST /api/Customers/{customerId}/PaymentMethods': 'both',
  'GET /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}': 'both',
  'PUT /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}': 'both',
  'DELETE /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}': 'both',
  'GET /api/PaymentIntegration/{paymentIntegrationId}': 'merchant',
  'DELETE /api/PaymentIntegration/{paymentIntegrationId}': 'merchant',
  'POST /api/PaymentIntegration/{paymentIntegrationId}/Verify': 'merchant',
  'POST /api/Sessions': 'anyone',
  'GET /api/Session': 'session',
  'DELETE /api/Session': 'session',
  'POST /api/Session/Confirm': 'session',
  'GET /api/ApiKeys': 'merchant',
  'POST /api/ApiKeys': 'account',
  'DELETE /api/ApiKey/{apiKeyId}': 'merchant',
  'GET /api/Sites': 'merchant',
  'POST /api/Sites': 'account',
  'GET /api/Site/{siteId}': 'merchant',
  'PUT /api/Site/{siteId}': 'merchant',
  'GET /api/Site/{siteId}/Overview': 'merchant',
  'GET /api/Site/{siteId}/Calendar': 'merchant',
  'GET /api/Site/{siteId}/Differences': 'merchant',
  'POST /api/Difference/{differenceId}/Settle': 'merchant',
  'GET /api/Operations': 'account',
  'GET /api/Site/{siteId}/Settings': 'merchant',
  'PUT /api/Site/{siteId}/Settings': 'merchant',
  'GET /api/Site/{siteId}/Forecast': 'merchant',
  'GET /api/TestClocks': 'merchant',
  'POST /api/TestClocks': 'account',
  'GET /api/TestClock/{siteId}': 'merchant',
  'DELETE /api/TestClock/{siteId}': 'account',
  'POST /api/TestClock/{siteId}/Advance': 'merchant',
  'POST /api/TestClock/{siteId}/Outage': 'merchant',
  'GET /api/TaxRate/{taxRateId}/Terms': 'merchant',
  'PUT /api/TaxRate/{taxRateId}/Terms': 'merchant',
  'GET /api/Customers/{customerId}/Settings': 'merchant',
  'PUT /api/Customers/{customerId}/Settings': 'merchant',
  'GET /api/Events': 'merchant',
  'GET /api/WebhookEndpoints': 'merchant',
  'POST /api/WebhookEndpoints': 'merchant',
  'GET /api/WebhookEndpoint/{webhookEndpointId}': 'merchant',
  'PUT /api/WebhookEndpoint/{webhookEndpointId}': 'merchant',
  'DELETE /api/WebhookEndpoint/{webhookEndpointId}': 'merchant',
  'GET /api/WebhookEndpoint/{webhookEndpointId}/Secret': 'merchant',
  'POST /api/WebhookEndpoint/{webhookEndpointId}/RotateSecret': 'account',
  'POST /api/WebhookEndpoint/{webhookEndpointId}/Test': 'merchant',
  'POST /api/WebhookEndpoint/{webhookEndpointId}/Recover': 'merchant',
  'GET /api/WebhookEndpoint/{webhookEndpointId}/Deliveries': 'merchant',
  'GET /api/WebhookDelivery/{webhookDeliveryId}': 'merchant',
  'POST /api/WebhookDelivery/{webhookDeliveryId}/Resend': 'merchant',
  'GET /health/live': 'anyone',
  'GET /health/ready': 'anyone',
};

describe('The routes', () => {
  it('are the contract’s and the additions, each with the audience that decisions.md §3 names', () => {
    expect(declaredRoutes(api.app)).toStrictEqual({ ...CONTRACT, ...ADDITIONS });
  });
});

describe('docs/errors.md', () => {
  it('explains every error as the API’s own page does', () => {
    const page = readFileSync('docs/errors.md', 'utf8');
    const sections = [...page.matchAll(/^## (.+)\n\n(\d+)\. (.+)\n\n(.+)$/gm)].map(
      ([, title, status, meaning, remedy]) => ({ title, status: Number(status), meaning, remedy }),
    );
    expect(sections).toEqual(PROBLEM_KINDS.map(explained));
    expect(PROBLEM_KINDS.map(anchorOf)).toContain('password-needed');
  });
});
