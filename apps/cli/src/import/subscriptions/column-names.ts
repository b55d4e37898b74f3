import { EXIT_DATA, Refusal } from '../../refusal.js';
import { addressCells } from '../addresses.js';
import { columnsBy, isSameName, type Names, quoted, translator } from '../translations.js';

const address = (kind: 'billing' | 'shipping', titles: readonly (readonly string[])[]): Names =>
  addressCells(kind).map((key, index) => [key, ...titles[index]!] as const);

/**
 * Columns of the subscriptions export: the key that it writes in every language unless it is told otherwise, its title
 * in English, then titles in German, French and Spanish. The exporter itself translates nothing: a shop may give a
 * column any heading, and names it with `--column`.
 */
const NAMES: Names = [
  ['subscription_id', 'Subscription ID', 'Abonnement-ID', 'Abo-ID', 'ID d’abonnement', 'ID de suscripción'],
  [
    'subscription_status',
    'Subscription Status',
    'Abonnement-Status',
    'Abo-Status',
    'État de l’abonnement',
    'Estado de la suscripción',
  ],
  ['customer_id', 'Customer ID', 'Kunden-ID', 'ID client', 'ID de cliente'],
  ['customer_email', 'Customer Email', 'Kunden-E-Mail', 'E-mail du client', 'Correo del cliente'],
  ['start_date', 'Start Date', 'Startdatum', 'Date de début', 'Fecha de inicio'],
  ['trial_end_date', 'Trial End Date', 'Ende der Probezeit', 'Date de fin d’essai', 'Fecha de fin de la prueba'],
  [
    'next_payment_date',
    'Next Payment Date',
    'Datum der nächsten Zahlung',
    'Nächstes Zahlungsdatum',
    'Date du prochain paiement',
    'Fecha del próximo pago',
  ],
  ['end_date', 'End Date', 'Enddatum', 'Date de fin', 'Fecha de finalización'],
  ['billing_period', 'Billing Period', 'Abrechnungszeitraum', 'Période de facturation', 'Período de facturación'],
  [
    'billing_interval',
    'Billing Interval',
    'Abrechnungsintervall',
    'Intervalle de facturation',
    'Intervalo de facturación',
  ],
  ['order_shipping', 'Total Shipping', 'Versand gesamt', 'Total livraison', 'Total del envío'],
  [
    'order_shipping_tax',
    'Total Shipping Tax',
    'Versandsteuer gesamt',
    'Total taxe livraison',
    'Total de impuestos del envío',
  ],
  ['fee_total', 'Total Subscription Fees', 'Gebühren gesamt', 'Total des frais', 'Total de tasas'],
  ['order_tax', 'tax_total', 'Subscription Total Tax', 'Steuer gesamt', 'Total taxes', 'Total de impuestos'],
  ['cart_discount', 'Total Discount', 'Rabatt gesamt', 'Total remise', 'Total de descuento'],
  ['order_total', 'Subscription Total', 'Gesamtsumme', 'Total de l’abonnement', 'Total de la suscripción'],
  ['order_currency', 'Subscription Currency', 'Währung', 'Devise', 'Moneda'],
  ['payment_method', 'Payment Method', 'Zahlungsmethode', 'Moyen de paiement', 'Método de pago'],
  [
    'payment_method_title',
    'Payment Method Title',
    'Titel der Zahlungsmethode',
    'Titre du moyen de paiement',
    'Título del método de pago',
  ],
  ['payment_method_post_meta', 'Payment Method Post Meta'],
  ['payment_method_user_meta', 'Payment Method User Meta'],
  [
    'requires_manual_renewal',
    'Requires Manual Renewal Flag',
    'Manuelle Verlängerung',
    'Renouvellement manuel',
    'Renovación manual',
  ],
  ['shipping_method', 'Shipping Method', 'Versandart', 'Mode de livraison', 'Método de envío'],
  ['billing_email', 'Billing Email', 'Rechnungs-E-Mail', 'E-mail de facturation', 'Correo de facturación'],
  [
    'order_items',
    'Subscription Items',
    'Abonnement-Artikel',
    'Articles de l’abonnement',
    'Artículos de la suscripción',
  ],
  ['coupon_items', 'Coupons', 'Gutscheine', 'Codes promo', 'Cupones'],
  ['fee_items', 'Fees', 'Gebühren', 'Frais', 'Tasas'],
  ['tax_items', 'Taxes', 'Steuern', 'Impuestos'],
  ['fee_tax_total', 'Total Fees Tax'],
  ['cart_discount_tax', 'Total Discount Tax'],
  ['cancelled_date', 'Cancellation Date'],
  ['download_permissions', 'Download Permissions Granted'],
  ...address('billing', [
    ['Billing First Name', 'Rechnung: Vorname', 'Prénom de facturation', 'Nombre de facturación'],
    ['Billing Last Name', 'Rechnung: Nachname', 'Nom de facturation', 'Apellidos de facturación'],
    ['Billing Address 1', 'Rechnung: Adresse 1', 'Adresse de facturation 1', 'Dirección de facturación 1'],
    ['Billing Address 2', 'Rechnung: Adresse 2', 'Adresse de facturation 2', 'Dirección de facturación 2'],
    ['Billing City', 'Rechnung: Ort', 'Ville de facturation', 'Ciudad de facturación'],
    ['Billing State', 'Rechnung: Bundesland', 'Région de facturation', 'Provincia de facturación'],
    ['Billing Postcode', 'Rechnung: Postleitzahl', 'Code postal de facturation', 'Código postal de facturación'],
    ['Billing Country', 'Rechnung: Land', 'Pays de facturation', 'País de facturación'],
  ]),
  ...address('shipping', [
    ['Shipping First Name', 'Versand: Vorname', 'Prénom de livraison', 'Nombre de envío'],
    ['Shipping Last Name', 'Versand: Nachname', 'Nom de livraison', 'Apellidos de envío'],
    ['Shipping Address 1', 'Versand: Adresse 1', 'Adresse de livraison 1', 'Dirección de envío 1'],
    ['Shipping Address 2', 'Versand: Adresse 2', 'Adresse de livraison 2', 'Dirección de envío 2'],
    ['Shipping City', 'Versand: Ort', 'Ville de livraison', 'Ciudad de envío'],
    ['Shipping State', 'Versand: Bundesland', 'Région de livraison', 'Provincia de envío'],
    [
      'Shipping Postcode',
      'Shipping Post code',
      'Versand: Postleitzahl',
      'Code postal de livraison',
      'Código postal de envío',
    ],
    ['Shipping Country', 'Versand: Land', 'Pays de livraison', 'País de envío'],
  ]),
];

const READ = new Set(NAMES.map(([name]) => name));

/** Without these columns a subscription would become another one. */
export const REQUIRED = [
  'subscription_id',
  'subscription_status',
  'start_date',
  'next_payment_date',
  'end_date',
  'billing_period',
  'billing_interval',
  'order_shipping',
  'order_tax',
  'order_total',
  'order_items',
  'coupon_items',
];

const translate = translator(NAMES);

/** The columns that are read. */
export const COLUMNS: readonly string[] = [...READ];

/** Which heading of the file is which column, as the user says. */
export type NamedColumns = ReadonlyMap<string, string>;

const found = (headings: readonly string[]) => `The first line has ${quoted(headings)}.`;

export const adviceOnHeadings = (headings: readonly string[]): string =>
  `${found(headings)} If one of these is such a column under another name, say so: --column order_total="its heading".`;

/**
 * The file's columns by their keys; a name that is none of them stays as it is.
 * @throws Refusal where the file has no such heading, or two for one column.
 */
export const columnKeys =
  (path: string, named: NamedColumns) =>
  (headings: readonly string[]): string[] => {
    const keys = columnsBy(translate)(headings);
    for (const [column, heading] of named) {
      const place = headings.findIndex((one) => isSameName(one, heading));
      if (place < 0) {
        throw new Refusal(`${path} has no heading "${heading}" for ${column}. ${found(headings)}`, EXIT_DATA);
      }
      for (const [other, key] of keys.entries()) if (key === column) keys[other] = '';
      keys[place] = column;
    }
    refuseSecondHeadings(path, headings, keys);
    return keys;
  };

function refuseSecondHeadings(path: string, headings: readonly string[], keys: readonly string[]): void {
  for (const column of READ) {
    const twins = headings.filter((_, place) => keys[place] === column);
    if (twins.length < 2) continue;
    const choice = `--column ${column}="${twins[0]!}"`;
    throw new Refusal(
      `${path} has several headings for ${column}: ${quoted(twins)}. Say which one it is, e.g. ${choice}, or remove the others.`,
      EXIT_DATA,
    );
  }
}

/** The columns of a file that say something which has no place here. */
export const furtherColumns = (keys: readonly string[]): string[] =>
  keys.filter((column) => column !== '' && !READ.has(column.toLowerCase()));
