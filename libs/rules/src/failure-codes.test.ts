import { describeFailure, failure, FAILURE_CODES } from './index.js';

test('the failure codes of decisions.md §9', () => {
  expect(Object.entries(FAILURE_CODES).map(([key, { code, name }]) => [key === name, code, name])).toEqual([
    [true, 1000, 'EmptyScheduledOrder'],
    [true, 1001, 'NoItemsToShip'],
    [true, 1002, 'ShippingRateNotFound'],
    [true, 1003, 'PaymentIntegrationNotFound'],
    [true, 1004, 'PaymentMethodNull'],
    [true, 1005, 'AmountNotChargeable'],
    [true, 1009, 'PaymentDiffers'],
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
