import type { TextField } from '../../components/inputs/text-fields.tsx';

export const PERSON: readonly TextField[] = [
  { name: 'FirstName', label: 'First name' },
  { name: 'LastName', label: 'Last name' },
  { name: 'Email', label: 'E-mail address' },
  { name: 'ExternalId', label: 'Id in the shop' },
];

const addressOf = (kind: 'Shipping' | 'Billing'): readonly TextField[] => [
  { name: `${kind}FirstName`, label: 'First name' },
  { name: `${kind}LastName`, label: 'Last name' },
  { name: `${kind}Street1`, label: 'Street and number' },
  { name: `${kind}Street2`, label: 'Second line' },
  { name: `${kind}Postcode`, label: 'Postcode' },
  { name: `${kind}City`, label: 'City' },
  { name: `${kind}State`, label: 'State' },
  { name: `${kind}Country`, label: 'Country', description: 'Code or English name' },
];

export const SHIPPING = addressOf('Shipping');
export const BILLING = addressOf('Billing');
