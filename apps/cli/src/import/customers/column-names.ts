import { addressCells } from '../addresses.js';
import { columnsBy, firstQuoted, type Names, translator } from '../translations.js';

/**
 * Columns of customer exports: first the key that the customer exports of WooCommerce's plugins have in every language,
 * then what the other exports write, and WooCommerce's own report (Analytics → Customers) in English, German, French
 * and Spanish.
 */
const NAMES: Names = [
  ['customer_id', 'ID', 'User ID', 'user_id', 'Customer ID', 'Kunden-ID', 'Benutzer-ID', 'ID client', 'ID cliente'],
  [
    'email',
    'user_email',
    'customer_email',
    'E-mail',
    'E-Mail-Adresse',
    'Email address',
    'Adresse e-mail',
    'Correo electrónico',
  ],
  ['first_name', 'First name', 'Vorname', 'Prénom'],
  ['last_name', 'Last name', 'Nachname', 'Nom de famille', 'Apellidos'],
  ['full_name', 'Name', 'Nom', 'Nombre'],
  [
    'date_registered',
    ...['user_registered', 'date_created', 'Sign Up', 'Registered', 'Date registered'],
    ...['Registrierung', 'Registrieren', 'Registriert', 'Anmeldung'],
    ...['Inscription', 'S’inscrire', 'Enregistrement', "Date d'inscription"],
    ...['Registro', 'Registrarse', 'Fecha de registro'],
  ],
  [
    'billing_country',
    'Country / Region',
    'Country',
    'Land / Region',
    'Land',
    'Pays / région',
    'Pays/région',
    'Pays',
    'País / Región',
    'País/Región',
    'País',
  ],
  ['billing_city', 'City', 'Stadt', 'Ort', 'Ville', 'Ciudad', 'Población'],
  ['billing_state', 'Region', 'State', 'Bundesland', 'Région', 'Región', 'Provincia'],
  ['billing_postcode', 'Postal Code', 'Postcode', 'ZIP', 'Postleitzahl', 'PLZ', 'Code postal', 'Código postal'],
  ...['billing_first_name', 'billing_last_name', 'billing_address_1', 'billing_address_2'].map(
    (name) => [name] as const,
  ),
  ...addressCells('shipping').map((name) => [name] as const),
];

/** What the import reads nothing of, and knows nevertheless. */
const NOT_READ: Names = [
  ['username', 'user_name', 'user_login', 'Benutzername', "Nom d'utilisateur", 'Identifiant', 'Nombre de usuario'],
  ['last_active', 'Last Active', 'Zuletzt aktiv', 'Dernière activité', 'Última actividad'],
  ['orders_count', 'order_count', 'Orders', 'Bestellungen', 'Commandes', 'Pedidos'],
  ['total_spend', 'total_spent', 'Total Spend', 'Gesamtausgaben', 'Total dépensé', 'Dépenses totales', 'Gasto total'],
  [
    'avg_order_value',
    'AOV',
    'AOV (Average order value)',
    'Durchschnittlicher Bestellwert',
    'Panier moyen',
    'Valor medio del pedido',
  ],
];

/** The file's columns by their keys; a name that is none of them stays as it is. */
export const columnKeys = columnsBy(translator([...NAMES, ...NOT_READ]));

const READ = new Set(NAMES.map(([name]) => name));
const KNOWN_WITHOUT_LOSS = new Set(['username', 'last_active', 'orders_count', 'total_spend', 'avg_order_value']);

/** The columns of a file that say something which has no place here. */
export const furtherColumns = (keys: readonly string[]): string[] =>
  keys.filter((column) => column !== '' && !READ.has(column.toLowerCase()) && !KNOWN_WITHOUT_LOSS.has(column));

/** Why customers cannot be told apart, in words; null when they can. @param keys as `columnKeys` gives them. */
export function identityFault(keys: readonly string[]): string | null {
  const known = new Set(keys.map((column) => column.toLowerCase()));
  if (known.has('customer_id') || known.has('email')) return null;
  return `its first line has neither a column "customer_id" nor "email", but ${firstQuoted(keys)}. The import supports English, German, French and Spanish: export it in one of these, or name the columns so.`;
}
