import { describeFailure, failure, FAILURE_CODES } from '../index.js';
import { paymentProblem } from './failures.js';

test('the failure codes of decisions.md §9', () => {
  expect(Object.entries(FAILURE_CODES).map(([key, { code, name }]) => [key === name, code, name])).toEqual([
    [true, 1000, 'EmptyScheduledOrder'],
    [true, 1001, 'NoItemsToShip'],
    [true, 1002, 'ShippingRateNotFound'],
    [true, 1003, 'PaymentIntegrationNotFound'],
    [true, 1004, 'PaymentMethodNull'],
    [true, 1005, 'AmountNotChargeable'],
    [true, 1009, 'PaymentDiffers'],
    [true, 1010, 'NotPushable'],
    [true, 2000, 'PaymentFailed'],
    [true, 2001, 'GatewayCommunicationFailed'],
    [true, 99, 'Unknown'],
  ]);
});

test('a description begins with code and name', () => {
  expect(describeFailure(failure('PaymentFailed', 'Your card was declined.'))).toBe(
    '2000 PaymentFailed: Your card was declined.',
  );
});

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
