export { BillingAddress, type Constructor, ShippingAddress, Stamps } from './blocks.js';
export {
  fieldsOf,
  NestedArray,
  NestedObject,
  readOnlyField,
  refusalOf,
  RefusedField,
  type Dto,
  type DtoClass,
  type Field,
  type ReadOnly,
} from './field.js';
export { Frequency } from './frequency.js';
export { Flag, Int64, Percentage, Price, ReadOnlyId, Reference, References } from './numbers.js';
export { Currency, Email, OneOf, Secret, Text, Texts, Url, VatNumber } from './texts.js';
export { instantOf, ReadOnlyUtc, Utc } from './times.js';
