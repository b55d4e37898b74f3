import { isRefused, type Outcome, wasSent } from './outcome.js';

const charge = (kind: 'refused' | 'postponed' | 'declined') =>
  ({ kind: 'charge', answer: { kind, message: '' } }) as Outcome;
const inDoubt = (kind: 'refused' | 'notFound') => ({ kind: 'inDoubt', answer: { kind }, mayRepeat: true }) as Outcome;

describe('An outcome', () => {
  it.each<[what: string, outcome: Outcome, isRefusal: boolean, isSending: boolean]>([
    ['a decline', charge('declined'), false, true],
    ['refused credentials', charge('refused'), true, true],
    ['a charge that was called off', charge('postponed'), false, false],
    ['a look-up with refused credentials', inDoubt('refused'), true, false],
    ['a look-up', inDoubt('notFound'), false, false],
    ['a stop', { kind: 'stopped' }, false, false],
    ['a delay', { kind: 'postponed', delayMs: 1 }, false, false],
    [
      'a charge that was given back',
      { kind: 'givenBack', answer: { kind: 'givenBack', transactionId: 'pi_1', message: '' } },
      false,
      false,
    ],
    ['a payment', { kind: 'completed', transactionId: 'pi_1', chargedAmount: null, basis: null }, false, true],
    ['a charge that could not be recorded', { kind: 'unrecorded', transactionId: null, thrown: null }, false, true],
  ])('shows whether credentials were refused, and anything sent: %s', (_, outcome, isRefusal, isSending) => {
    expect([isRefused(outcome), wasSent(outcome)]).toEqual([isRefusal, isSending]);
  });
});
