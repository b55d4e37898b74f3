import { createHash } from 'node:crypto';
import { dueSecond } from '../occurrence.js';
import type { Charge, FoundCharge } from '../payment-gateway.js';

/**
 * Widths of installation, order, due second and attempt, in characters of base 36. With the check character: the 20
 * that the gateway takes.
 */
const WIDTHS = { installation: 3, scheduledOrderId: 7, dueSecond: 7, attempt: 2 } as const;
const OCCURRENCE = /^([0-9a-z]{3})([0-9a-z]{7})([0-9a-z]{7})([0-9a-z]{2})[0-9a-z]$/;

/** What an invoice number names. An old form names the cycle's number instead of installation and occurrence. */
export interface InvoiceNames {
  readonly scheduledOrderId: number;
  readonly attempt: number;
  readonly dueUtc: Date | null;
  readonly cycle: number | null;
  /** A hash: `installationHash`. */
  readonly installation: string | null;
}

/**
 * Names installation, order, occurrence and attempt in 20 characters of base 36, without separators.
 * @throws RangeError when a number does not fit: the message says which.
 */
export function invoiceNumber(charge: Charge): string {
  const { scheduledOrderId, attempt, installation } = charge;
  const names = [
    installationHash(installation),
    fixed('scheduledOrderId', scheduledOrderId),
    fixed('dueSecond', dueSecond(charge)),
    fixed('attempt', attempt),
  ].join('');
  return names + checkCharacter(names);
}

/** A name of the installation, which is too long for an invoice number. */
export function installationHash(installation: string): string {
  const hash = createHash('sha256').update(installation).digest().readUIntBE(0, 6);
  return (hash % 36 ** WIDTHS.installation).toString(36).padStart(WIDTHS.installation, '0');
}

/** Parses an invoice number; null for one that this service did not make. Other software may have made an old form. */
export function parseInvoiceNumber(text: string | undefined): InvoiceNames | null {
  const [, installation, ...numbers] = OCCURRENCE.exec(text ?? '') ?? [];
  if (installation === undefined || text!.at(-1) !== checkCharacter(text!.slice(0, -1))) return parseOlder(text ?? '');
  const [scheduledOrderId = 0, second = 0, attempt = 0] = numbers.map((digits) => parseInt(digits, 36));
  return { scheduledOrderId, attempt, dueUtc: new Date(second * 1_000), cycle: null, installation };
}

type Named = Pick<FoundCharge, 'scheduledOrderId' | 'attempt' | 'dueUtc' | 'cycle' | 'installation'>;

/** What a transaction's invoice number names; null: nothing of this service. `asking`: the installation that asks. */
export function namedIn({ invoiceNumber }: { readonly invoiceNumber?: string }, asking: string): Named | null {
  const named = parseInvoiceNumber(invoiceNumber);
  if (named === null) return null;
  const { installation } = named;
  const isThis = installation === installationHash(asking);
  return { ...named, installation: installation === null ? 'unnamed' : isThis ? 'this' : 'other' };
}

function fixed(name: keyof typeof WIDTHS, value: number): string {
  const digits = value.toString(36);
  if (digits.length > WIDTHS[name]) throw new RangeError(`${name} ${value} is too large for an invoice number.`);
  return digits.padStart(WIDTHS[name], '0');
}

/** ISO 7064, MOD 37,36: other software hardly ever makes such a number by chance. */
function checkCharacter(text: string): string {
  let product = 36;
  for (const character of text) product = (((product + parseInt(character, 36)) % 36 || 36) * 2) % 37;
  return ((37 - product) % 36).toString(36);
}

/**
 * Order, cycle and attempt: `1234-5-1`, or in base 36 with dots where that is too long. Nothing sends it any more, and
 * no database has such an attempt, but the gateway's books outlive a database: what names an order like this is shown
 * to a person where its customer is the order's, and is never recorded by itself.
 */
function parseOlder(text: string): InvoiceNames | null {
  const decimal = /^([1-9]\d*)-([1-9]\d*)-([1-9]\d*)$/.exec(text);
  const base36 = /^([1-9a-z][0-9a-z]*)\.([1-9a-z][0-9a-z]*)\.([1-9a-z][0-9a-z]*)$/.exec(text);
  const parts = (decimal ?? base36)?.slice(1).map((part) => parseInt(part, decimal ? 10 : 36));
  if (!parts) return null;
  const [scheduledOrderId = 0, cycle = 0, attempt = 0] = parts;
  return { scheduledOrderId, attempt, dueUtc: null, cycle, installation: null };
}
