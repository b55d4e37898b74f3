import { englishColumns, otherLanguageFault } from './column-names.js';

/** As WooCommerce exports them. */
const GERMAN = `ID,Typ,Artikelnummer,Name,Veröffentlicht,Ist hervorgehoben?,Sichtbarkeit im Katalog,Kurzbeschreibung,Beschreibung,Steuerstatus,Steuerklasse,Vorrätig?,Bestand,Gewicht (kg),Länge (cm),Angebotspreis,Regulärer Preis,Kategorien,Versandklasse,Bilder,Übergeordnetes Produkt,Cross-Sells (Querverkäufe),Attribut 1 Name,Meta: _unit`;
const FRENCH = `ID,Type,UGS,Nom,Publié,Mis en avant ?,Description courte,Description,État de la TVA,Classe de TVA,En stock ?,Stock,Poids (kg),Longueur (cm),Tarif promo,Tarif régulier,Classe d’expédition,Images,Parent,Nom de l'attribut 1,Méta : _unit`;
const SPANISH = `ID,Tipo,SKU,Nombre,Publicado,¿Está destacado?,Descripción corta,Descripción,Estado del impuesto,Clase de impuesto,¿Existencias?,Inventario,Peso (kg),Longitud (cm),Precio rebajado,Precio normal,Clase de envío,Imágenes,Superior,Nombre del atributo 1`;

it.each([
  [
    'German',
    GERMAN,
    'ID,Type,SKU,Name,Published,Is featured?,Visibility in catalog,Short description,Description,Tax status,Tax class,In stock?,Stock,Weight (kg),Length (cm),Sale price,Regular price,Categories,Shipping class,Images,Parent,Cross-sells,Attribut 1 Name,Meta: _unit',
  ],
  [
    'French',
    FRENCH,
    "ID,Type,SKU,Name,Published,Is featured?,Short description,Description,Tax status,Tax class,In stock?,Stock,Weight (kg),Length (cm),Sale price,Regular price,Shipping class,Images,Parent,Nom de l'attribut 1,Méta : _unit",
  ],
  [
    'Spanish',
    SPANISH,
    'ID,Type,SKU,Name,Published,Is featured?,Short description,Description,Tax status,Tax class,In stock?,Stock,Weight (kg),Length (cm),Sale price,Regular price,Shipping class,Images,Parent,Nombre del atributo 1',
  ],
])('understands %s', (_, columns, english) => {
  expect(englishColumns(columns.split(','))).toEqual(english.split(','));
  expect(otherLanguageFault(english.split(','))).toBeNull();
});

it('leaves English as it is, whatever its case and spacing', () => {
  expect(englishColumns(['id', 'Regular  price', 'weight (lbs)', 'Colour (RAL)'])).toEqual([
    'ID',
    'Regular price',
    'Weight (lbs)',
    'Colour (RAL)',
  ]);
});

it.each([
  ['few columns', 'ID,Regular price'],
  ['all that matters, and others', 'ID,Type,Name,Published,Tax status,In stock?,Regular price,Colour'],
  ['few columns, attributes and metadata', 'ID,Name,Attribute 1 name,Download 1 URL,Meta: _x'],
])('finds nothing wrong with %s', (_, columns) => {
  expect(otherLanguageFault(columns.split(','))).toBeNull();
});

it('names what is missing, and what is not known', () => {
  const dutch = 'ID,Type,SKU,Naam,Gepubliceerd,Korte beschrijving,Belastingstatus,Reguliere prijs,Afbeeldingen';
  expect(otherLanguageFault(englishColumns(dutch.split(',')))).toBe(
    'its first line has no column "Name", "Published", "Tax status", "In stock?", "Regular price", but "Naam", "Gepubliceerd", "Korte beschrijving", …, which are unknown. The import supports English, German, French and Spanish: export it in one of these, or remove the unknown columns.',
  );
});
