import type { Charge } from '../payment-gateway.js';

/** The longest that `invoiceNumber` may be. */
const LONGEST = 20;

type Names = Pick<Charge, 'scheduledOrderId' | 'cycle' | 'attempt'>;

/**
 * Names order, cycle and attempt in an invoice number that a merchant can read: `1234-5-1`. Numbers too long for that are written in base 36, with
 * dots: 20 characters hold every order id, cycles up to 2,176,782,335 and 35 attempts.
 * @throws RangeError for larger numbers.
 */
export function invoiceNumber({ scheduledOrderId, cycle, attempt }: Names): string {
  const parts = [scheduledOrderId, cycle, attempt];
  const readable = parts.join('-');
  if (readable.length <= LONGEST) return readable;
  const short = parts.map((part) => part.toString(36)).join('.');
  if (short.length > LONGEST) throw new RangeError(`No invoice number for ${readable}.`);
  return short;
}

/** Parses an invoice number; null for one that this service did not make. */
export function parseInvoiceNumber(text: string | undefined): Names | null {
  const decimal = /^(\d+)-(\d+)-(\d+)$/.exec(text ?? '');
  const base36 = /^([0-9a-z]+)\.([0-9a-z]+)\.([0-9a-z]+)$/.exec(text ?? '');
  const parts = (decimal ?? base36)?.slice(1).map((part) => parseInt(part, decimal ? 10 : 36));
  if (!parts) return null;
  const [scheduledOrderId = 0, cycle = 0, attempt = 0] = parts;
  return { scheduledOrderId, cycle, attempt };
}
