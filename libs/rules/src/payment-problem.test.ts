import { paymentProblem } from './payment-problem.js';

const PAYABLE = { paymentMethodType: 'GatewayTwo', paymentMethodCustomerId: 'cus', paymentMethodId: 'pm' };
const NO_METHOD = { code: 1004, name: 'PaymentMethodNull', message: 'The order has no payment method.' };

test.each([
  [PAYABLE, true, null],
  [{ ...PAYABLE, paymentMethodType: null }, true, NO_METHOD],
  [{ ...PAYABLE, paymentMethodCustomerId: null }, true, NO_METHOD],
  [{ ...PAYABLE, paymentMethodCustomerId: '' }, true, NO_METHOD],
  [{ ...PAYABLE, paymentMethodId: null }, false, NO_METHOD],
  [{ ...PAYABLE, paymentMethodId: '' }, true, NO_METHOD],
  [
    PAYABLE,
    false,
    { code: 1003, name: 'PaymentIntegrationNotFound', message: 'The shop is not connected to GatewayTwo.' },
  ],
])('what %j fails with, connected: %p', (order, isConnected, expected) => {
  expect(paymentProblem(order, isConnected)).toEqual(expected);
});
