import type { Facts } from './facts.js';
import { sentences } from './words.js';

const cardWords = (card: string | null) => card ?? 'a card without a description';

/** What the next charge is made with; never a credential. A customer learns of the card only. */
export function explainWithWhat({ order, payment }: Facts, total: number, isShop: boolean): object {
  const { paymentMethodType: type, paymentMethodCustomerId, paymentMethodId } = order;
  const hasCard = type !== null && Boolean(paymentMethodCustomerId) && Boolean(paymentMethodId);
  const isConnected = payment.integrationId !== null;
  const mode = payment.testMode === null ? null : payment.testMode ? 'Test' : 'Live';
  const card = hasCard ? payment.card : null;
  return {
    Sentence: sentences(
      total === 0 && 'Nothing is to be paid now, so that no card is charged.',
      hasCard
        ? `${total === 0 ? 'What it costs later' : 'The order'} is charged to ${cardWords(card)}${isShop ? whereWords(type, mode) : ''}.`
        : 'The order has no payment method.',
      isShop && hasCard && !isConnected && `The site has no payment integration for ${type}.`,
    ),
    Card: card,
    PaymentMethodType: isShop ? type : null,
    PaymentIntegrationId: isShop ? payment.integrationId : null,
    Mode: isShop ? mode : null,
  };
}

function whereWords(type: string, mode: 'Test' | 'Live' | null): string {
  if (mode === null) return '';
  return `, by ${type} in ${mode === 'Test' ? 'test mode, where no money moves' : 'live mode'}`;
}
