type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** An ExternalId: shops number their customers, from `2001` to `2040`. */
export type CustomerId = Exclude<`20${0 | 1 | 2 | 3}${Digit}` | '2040', '2000'>;

/** A customer of the simulated shop. */
export interface Person {
  readonly externalId: CustomerId;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly address: Address;
}

export interface Address {
  readonly Street1: string;
  readonly City: string;
  readonly State: string | null;
  readonly Postcode: string;
  readonly Country: string;
}

export const address = (
  Street1: string,
  City: string,
  State: string | null,
  Postcode: string,
  Country: string,
): Address => ({ Street1, City, State, Postcode, Country });

type Row = readonly [first: string, last: string, street: string, city: string, state: string, code: string];

const AMERICANS: readonly Row[] = [
  ['Maya', 'Bennett', '1420 Filbert Street', 'Oakland', 'CA', '94607'],
  ['Jonah', 'Alvarez', '355 South Grand Avenue', 'Los Angeles', 'CA', '90012'],
  ['Priya', 'Raman', '2210 Durant Avenue', 'Berkeley', 'CA', '94704'],
  ['Caleb', 'Whitfield', '244 West 29th Street', 'New York', 'NY', '10001'],
  ['Hannah', 'Osei', '87 Elmwood Avenue', 'Buffalo', 'NY', '14201'],
  ['Luis', 'Ortega', '1906 South Lamar Boulevard', 'Austin', 'TX', '78704'],
  ['Grace', 'Nguyen', '4011 Dunlavy Street', 'Houston', 'TX', '77006'],
  ['Ethan', 'Kowalski', '2732 North Milwaukee Avenue', 'Chicago', 'IL', '60647'],
  ['Abigail', 'Stone', '19 Prospect Street', 'Cambridge', 'MA', '02139'],
  ['Marcus', 'Reed', '1520 East Olive Way', 'Seattle', 'WA', '98122'],
  ['Sofia', 'Marchetti', '910 Santa Fe Drive', 'Denver', 'CO', '80204'],
  ['Noah', 'Lindqvist', '2147 North Halsted Street', 'Chicago', 'IL', '60614'],
  ['Imani', 'Brooks', '675 Ponce de Leon Avenue', 'Atlanta', 'GA', '30308'],
  ['Owen', 'Gallagher', '1815 South Street', 'Philadelphia', 'PA', '19146'],
  ['Valentina', 'Cruz', '2750 NW 3rd Avenue', 'Miami', 'FL', '33127'],
  ['Theo', 'Papadakis', '33 Mulberry Street', 'Newark', 'NJ', '07102'],
  ['Rachel', 'Abrams', '1204 North High Street', 'Columbus', 'OH', '43201'],
  ['Desmond', 'Clarke', '1106 Woodland Street', 'Nashville', 'TN', '37206'],
  ['Willa', 'Hartman', '2526 SE Clinton Street', 'Portland', 'OR', '97202'],
  ['Sam', 'Delgado', '418 North Person Street', 'Raleigh', 'NC', '27601'],
];

const CANADIANS: readonly Row[] = [
  ['Chloé', 'Tremblay', '4425 rue Saint-Denis', 'Montréal', 'QC', 'H2J 2L2'],
  ['Liam', 'MacLeod', '312 Queen Street West', 'Toronto', 'ON', 'M5V 2A2'],
  ['Aisha', 'Khan', '1188 Commercial Drive', 'Vancouver', 'BC', 'V5L 3X2'],
  ['Benoît', 'Gagnon', '77 rue Saint-Jean', 'Québec', 'QC', 'G1R 1P4'],
  ['Nora', 'Fraser', '1533 Barrington Street', 'Halifax', 'NS', 'B3J 1Z4'],
];

const EUROPEANS: readonly (readonly [string, string, string, string, string, string])[] = [
  ['Lena', 'Hoffmann', 'Oranienstraße 34', 'Berlin', '10999', 'DE'],
  ['Jakob', 'Brandt', 'Schulterblatt 71', 'Hamburg', '20357', 'DE'],
  ['Café', 'Morgenrot', 'Kastanienallee 85', 'Berlin', '10435', 'DE'],
  ['Katharina', 'Gruber', 'Neubaugasse 12', 'Wien', '1070', 'AT'],
  ['Camille', 'Laurent', '18 rue de la Martinière', 'Lyon', '69001', 'FR'],
  ['Hugo', 'Moreau', '9 rue Oberkampf', 'Paris', '75011', 'FR'],
  ['Sanne', 'de Vries', 'Haarlemmerdijk 122', 'Amsterdam', '1013 JH', 'NL'],
  ['Aoife', 'Kelleher', '24 Capel Street', 'Dublin', 'D01 X5Y2', 'IE'],
  ['Emily', 'Hartley', '52 Mill Road', 'Cambridge', 'CB1 2AS', 'GB'],
  ['Rhys', 'Morgan', '14 Wellfield Road', 'Cardiff', 'CF24 3PB', 'GB'],
  ['Isla', 'Drummond', '103 Great Western Road', 'Glasgow', 'G4 9AH', 'GB'],
  ['Lucía', 'Navarro', 'Calle de Fuencarral 41', 'Madrid', '28004', 'ES'],
  ['Giulia', 'Ferrari', 'Via Po 60', 'Torino', '10124', 'IT'],
  ['Astrid', 'Nyström', 'Skånegatan 55', 'Stockholm', '116 37', 'SE'],
  ['Oliver', 'Schmid', 'Langstrasse 88', 'Zürich', '8004', 'CH'],
];

const FIRST_ID = 2001;

const emailOf = (first: string, last: string) =>
  `${first}.${last}@mail.example`
    .normalize('NFD')
    .replace(/[^\w.@]/g, '')
    .toLowerCase();

const ROWS: readonly (readonly [string, string, Address])[] = [
  ...AMERICANS.map(([first, last, ...place]) => [first, last, address(...place, 'US')] as const),
  ...CANADIANS.map(([first, last, ...place]) => [first, last, address(...place, 'CA')] as const),
  ...EUROPEANS.map(
    ([first, last, street, city, code, country]) => [first, last, address(street, city, null, code, country)] as const,
  ),
];

export const PEOPLE: readonly Person[] = ROWS.map(([firstName, lastName, place], index) => ({
  externalId: String(FIRST_ID + index) as CustomerId,
  email: emailOf(firstName, lastName),
  firstName,
  lastName,
  address: place,
}));
