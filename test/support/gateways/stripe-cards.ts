/** How a payment method behaves, read from its id: the first of these words that it contains. */
export interface CardBehaviour {
  readonly word: string;
  readonly code: string;
  readonly declineCode?: string;
  readonly adviceCode?: string;
  readonly message: string;
}

const CARD_BEHAVIOURS: readonly CardBehaviour[] = [
  {
    word: 'insufficient_funds',
    code: 'card_declined',
    declineCode: 'insufficient_funds',
    adviceCode: 'try_again_later',
    message: 'Your card has insufficient funds.',
  },
  { word: 'lost_card', code: 'card_declined', declineCode: 'lost_card', message: 'Your card was declined.' },
  { word: 'stolen_card', code: 'card_declined', declineCode: 'stolen_card', message: 'Your card was declined.' },
  { word: 'incorrect_number', code: 'incorrect_number', message: 'Your card number is incorrect.' },
  { word: 'expired_card', code: 'expired_card', message: 'Your card has expired.' },
  {
    word: 'do_not_try_again',
    code: 'card_declined',
    declineCode: 'generic_decline',
    adviceCode: 'do_not_try_again',
    message: 'Your card was declined.',
  },
  {
    word: 'authentication_required',
    code: 'authentication_required',
    declineCode: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
  { word: 'declined', code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' },
];

export function behaviourOf(paymentMethod: string): CardBehaviour | undefined {
  return CARD_BEHAVIOURS.find(({ word }) => paymentMethod.includes(word));
}
