import { firstQuoted, type Names, quoted, translator } from '../translations.js';

/** A column's name in WooCommerce in English, then in German, French and Spanish; several where versions differ. */
const NAMES: Names = [
  ['ID'],
  ['Type', 'Typ', 'Tipo'],
  ['SKU', 'Artikelnummer', 'UGS'],
  ['GTIN, UPC, EAN, or ISBN', 'GTIN, UPC, EAN oder ISBN', 'GTIN, UPC, EAN ou ISBN', 'GTIN, UPC, EAN o ISBN'],
  ['Name', 'Nom', 'Nombre'],
  ['Published', 'Veröffentlicht', 'Publié', 'Publicado'],
  ['Is featured?', 'Ist hervorgehoben?', 'Mis en avant ?', '¿Está destacado?'],
  ['Visibility in catalog', 'Sichtbarkeit im Katalog', 'Visibilité dans le catalogue', 'Visibilidad en el catálogo'],
  ['Short description', 'Kurzbeschreibung', 'Description courte', 'Descripción corta'],
  ['Description', 'Beschreibung', 'Descripción'],
  [
    'Date sale price starts',
    'Datum, an dem Angebotspreis beginnt',
    'Date de début de promo',
    'Día en que empieza el precio rebajado',
  ],
  [
    'Date sale price ends',
    'Datum, an dem Angebotspreis endet',
    'Date de fin de promo',
    'Día en que termina el precio rebajado',
  ],
  ['Tax status', 'Steuerstatus', 'État de la TVA', 'Estado del impuesto'],
  ['Tax class', 'Steuerklasse', 'Classe de TVA', 'Classe TVA', 'Clase de impuesto'],
  ['In stock?', 'Vorrätig?', 'En stock ?', '¿Existencias?', '¿En inventario?'],
  ['Stock', 'Bestand', 'Lager', 'Inventario'],
  ['Low stock amount', 'Geringe Lagermenge', 'Montant de stock faible', 'Cantidad de bajo inventario'],
  [
    'Backorders allowed?',
    'Lieferrückstande erlaubt?',
    'Lieferrückstände erlaubt?',
    'Rückstände erlaubt?',
    'Autoriser les commandes de produits en rupture ?',
    '¿Permitir reservas de productos agotados?',
  ],
  ['Sold individually?', 'Nur einzeln verkaufen?', 'Vendre individuellement ?', '¿Vendido individualmente?'],
  ['Weight', 'Gewicht', 'Poids', 'Peso'],
  ['Length', 'Länge', 'Longueur', 'Longitud'],
  ['Width', 'Breite', 'Largeur', 'Anchura', 'Ancho'],
  ['Height', 'Höhe', 'Hauteur', 'Altura'],
  [
    'Allow customer reviews?',
    'Kundenrezensionen erlauben?',
    'Kundenbewertungen erlauben?',
    'Autoriser les avis clients ?',
    '¿Permitir valoraciones de clientes?',
  ],
  ['Purchase note', 'Hinweis zum Kauf', 'Note de commande', "Note de l'achat", 'Nota de compra'],
  ['Sale price', 'Angebotspreis', 'Tarif promo', 'Precio rebajado'],
  ['Regular price', 'Regulärer Preis', 'Tarif régulier', 'Precio normal'],
  ['Categories', 'Kategorien', 'Catégories', 'Categorías'],
  ['Tags', 'Schlagwörter', 'Étiquettes', 'Etiquetas'],
  ['Shipping class', 'Versandklasse', "Classe d'expédition", 'Classe de livraison', 'Clase de envío'],
  ['Images', 'Bilder', 'Imágenes'],
  ['Download limit', 'Downloadlimit', 'Limite de téléchargement', 'Límite de descargas'],
  [
    'Download expiry days',
    'Ablauftage des Downloads',
    "Jours d'expiration du téléchargement",
    'Días de caducidad de la descarga',
  ],
  ['Parent', 'Übergeordnetes Produkt', 'Superior'],
  ['Grouped products', 'Gruppierte Produkte', 'Groupes de produits', 'Productos agrupados'],
  ['Upsells', 'Zusatzverkäufe', 'Produits suggérés', 'Montée en gamme', 'Ventas dirigidas'],
  ['Cross-sells', 'Cross-Sells (Querverkäufe)', 'Ventes croisées', 'Ventas cruzadas'],
  ['External URL', 'Externe URL', 'URL externe', 'URL externa'],
  ['Button text', 'Button-Text', 'Libellé du bouton', 'Texto del botón'],
  ['Position', 'Posición'],
  ['Brands', 'Marken', 'Marques', 'Marcas'],
];

const inEnglish = translator(NAMES);

/** A shop can have any number of columns for attributes, downloads and other plugins. None is read. */
const FURTHER = /^m[eé]ta ?:|^download \d|attribut|atributo/i;

/** Without these columns, the imported products or prices would be wrong. */
const ESSENTIAL = ['Type', 'Name', 'Published', 'Tax status', 'In stock?', 'Regular price'];

/**
 * The file's columns by their English names, with the units that measures carry: `Gewicht (kg)` is `Weight (kg)`. Names
 * that are not WooCommerce's in these languages do not change.
 */
export function englishColumns(columns: readonly string[]): string[] {
  return columns.map((column) => {
    const [, word = '', unit = ''] = /^(.*?)(\s*\([^()]*\))?$/.exec(column) ?? [];
    const measure = inEnglish(word);
    return inEnglish(column) ?? (measure === undefined ? column : `${measure}${unit}`);
  });
}

/**
 * Why columns from `englishColumns` seem to be an export in another language; null when they do not. A file may have
 * few columns, or additional ones. A file that lacks important columns *and* has unknown ones would become broken
 * products.
 */
export function otherLanguageFault(columns: readonly string[]): string | null {
  const missing = ESSENTIAL.filter((name) => !columns.includes(name));
  const isKnown = (column: string) => inEnglish(column.replace(/\s*\([^()]*\)$/, '')) !== undefined;
  const unknown = columns.filter((column) => column !== '' && !isKnown(column) && !FURTHER.test(column));
  if (missing.length === 0 || unknown.length === 0) return null;
  return `its first line has no column ${quoted(missing)}, but ${firstQuoted(unknown)}, which are unknown. The import supports English, German, French and Spanish: export it in one of these, or remove the unknown columns.`;
}
