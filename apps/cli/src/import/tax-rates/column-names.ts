import { columnsBy, firstQuoted, quoted, translator } from '../translations.js';

/**
 * Columns of WooCommerce's tax-rate export: its own name, then those of its sample file, of German, of French and of
 * Spanish.
 */
const inEnglish = translator([
  [
    'Country code',
    'Country',
    'Ländercode',
    'Ländercode (ISO)',
    'Land',
    'Code pays',
    'Code du pays',
    'Código de país',
    'Código del país',
    'Código país',
  ],
  [
    'State code',
    'State',
    ...[
      'Bundesland-Code',
      'Bundeslandcode',
      'Bundesland',
      'Staat-Code',
      'Staatscode',
      'Regionscode',
      'Code des Bundeslandes',
    ],
    ...['Code état', 'Code d’état', 'Code de l’état', 'Code région', 'Code état/région', 'Code département'],
    ...[
      'Código de estado',
      'Código del estado',
      'Código estado',
      'Código de provincia',
      'Código provincia',
      'Código de la provincia',
    ],
  ],
  [
    'Postcode / ZIP',
    ...['ZIP/Postcode', 'Postcode', 'ZIP', 'Postcode/ZIP', 'ZIP / Postcode', 'ZIP code'],
    ...['Postleitzahl', 'PLZ', 'Postleitzahl / PLZ', 'Postleitzahl/PLZ', 'PLZ / Postleitzahl'],
    ...[
      'Code postal',
      'Code postal / ZIP',
      'Code postal/ZIP',
      'Código postal',
      'Código postal / ZIP',
      'Código postal/ZIP',
    ],
  ],
  ['City', 'Stadt', 'Ort', 'Ort / Stadt', 'Ville', 'Ciudad', 'Población', 'Localidad'],
  [
    'Rate %',
    'Rate',
    'Satz %',
    'Steuersatz %',
    'Steuersatz',
    'Taux %',
    'Taux',
    'Tarif %',
    'Tarifa %',
    'Tasa %',
    'Porcentaje %',
    'Tipo %',
  ],
  [
    'Tax name',
    'Name der Steuer',
    'Steuername',
    'Steuer-Name',
    'Nom de la taxe',
    'Nom de taxe',
    'Nom de la TVA',
    'Nom de TVA',
    'Nombre del impuesto',
    'Nombre de impuesto',
  ],
  ['Priority', 'Priorität', 'Priorité', 'Prioridad'],
  [
    'Compound',
    'Zusammengesetzt',
    'Kombiniert',
    'Kumulativ',
    'Verbund',
    'Composé',
    'Composée',
    'Cumulé',
    'Combiné',
    'Compuesto',
    'Compuesta',
  ],
  ['Shipping', 'Versand', 'Lieferung', 'Expédition', 'Livraison', 'Envío'],
  [
    'Tax class',
    'Steuerklasse',
    'Classe de taxe',
    'Classe de TVA',
    'Classe de taxes',
    'Clase de impuesto',
    'Clase de impuestos',
    'Clase impositiva',
  ],
]);

/** Without them a rate for a place would become one for all around it. */
const PLACES = ['State code', 'Postcode / ZIP', 'City'];

/** The file's columns by their English names; what is none of WooCommerce's in these languages stays as it is. */
export const englishColumns = columnsBy(inEnglish);

/**
 * Why the places of a file's rates cannot be told, in words; null when they can. A column that nobody knows may be the
 * one that is missing.
 * @param columns as `englishColumns` gives them.
 */
export function placesFault(columns: readonly string[]): string | null {
  const missing = PLACES.filter((name) => !columns.includes(name));
  if (missing.length === PLACES.length)
    return `its first line has no column ${quoted(missing)}: without one, rates for a place would become rates for its whole country.`;
  const unknown = columns.filter((column) => column !== '' && inEnglish(column) === undefined);
  if (missing.length === 0 || unknown.length === 0) return null;
  return `its first line has no column ${quoted(missing)}, but ${firstQuoted(unknown)}, which are not known and may be one of them. Exports are understood in English, German, French and Spanish: name the columns in one of these, or remove those that are not known.`;
}
