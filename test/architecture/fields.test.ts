import {
  accessTokenView,
  customerView,
  orderItemView,
  orderView,
  paymentIntegrationView,
  paymentMethodView,
  productView,
  scheduledOrderItemView,
  scheduledOrderView,
  shippingRateView,
  siteView,
  taxRateView,
} from '#libs/records';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';

const api = useApi(useDatabase());

interface Document {
  components: { schemas: Record<string, { properties: Record<string, unknown> }> };
}

describe('Each documented resource', () => {
  it.each([
    ['AccessToken', accessTokenView],
    ['Customer', customerView],
    ['Order', orderView],
    ['OrderItem', orderItemView],
    ['PaymentIntegration', paymentIntegrationView],
    ['PaymentMethod', paymentMethodView],
    ['Product', productView],
    ['ScheduledOrder', scheduledOrderView],
    ['ScheduledOrderItem', scheduledOrderItemView],
    ['ShippingRate', shippingRateView],
    ['Site', siteView],
    ['TaxRate', taxRateView],
  ])('%s has the fields that answers have, in their order', async (name, view) => {
    const { components } = (await api.request('GET', '/openapi.json')).body as Document;
    expect(Object.keys(components.schemas[name]?.properties ?? {})).toEqual(view.fields);
  });
});
