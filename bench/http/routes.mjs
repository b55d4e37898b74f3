const NOTHING = { scheduled_orders: 0, scheduled_order_items: 0, action_logs: 0 };
const ORDER = { scheduled_orders: 1, scheduled_order_items: 2, action_logs: 1 };

/** The requests to every server, and the rows that one adds; `id` and `text` differ from request to request. */
export const ROUTES = {
  get: { method: 'GET', path: ({ id }) => `/api/ScheduledOrders/${id}`, status: 200, adds: NOTHING },
  page: { method: 'GET', path: () => '/api/ScheduledOrders?page=1', status: 200, adds: NOTHING },
  create: { method: 'POST', path: () => '/api/ScheduledOrders', status: 201, adds: ORDER },
  update: {
    method: 'PUT',
    path: ({ id }) => `/api/ScheduledOrders/${id}`,
    status: 200,
    adds: { ...NOTHING, action_logs: 1 },
  },
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
