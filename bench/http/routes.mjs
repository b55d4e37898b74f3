/** What is asked of every server; `id` and `text` differ from request to request. */
export const ROUTES = {
  get: { method: 'GET', path: ({ id }) => `/api/ScheduledOrders/${id}`, status: 200 },
  page: { method: 'GET', path: () => '/api/ScheduledOrders?page=1', status: 200 },
  create: { method: 'POST', path: () => '/api/ScheduledOrders', status: 201 },
  update: { method: 'PUT', path: ({ id }) => `/api/ScheduledOrders/${id}`, status: 200 },
};

/** A new order with two items for the customer `id`; or another street. */
export function bodyOf(method, { id, text }) {
  if (method === 'PUT') return JSON.stringify({ ShippingStreet1: text });
  if (method !== 'POST') return undefined;
  return JSON.stringify({
    CustomerId: id,
    FrequencyType: 'Months',
    Frequency: 1,
    PaymentMethodType: 'GatewayOne',
    PaymentMethodCustomerId: 'cus_bench',
    PaymentMethodId: 'pm_bench',
    PaymentMethodDescription: 'Visa ending in 4242',
    ScheduledOrderItems: [
      { ProductId: 1, Quantity: 2 },
      { ProductId: 2, Quantity: 1 },
    ],
  });
}
