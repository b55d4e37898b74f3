import { isEmail, isURL } from 'class-validator';
import { minorUnitExponent } from '#libs/rules';
import { field, type FieldOptions } from './field.js';
import { shown } from './shown.js';

const NUL = '\u0000';
const LONE_SURROGATE = /\p{Surrogate}/u;

/** PostgreSQL's text cannot store NUL or half a surrogate pair. Lengths are counted in characters, as in PostgreSQL. */
function textFault(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return `${shown(value)} must be text.`;
  if (value.includes(NUL)) return 'must not contain a NUL character.';
  if (LONE_SURROGATE.test(value)) return 'must be valid Unicode: it contains half of a surrogate pair.';
  const length = value.length > maxLength ? [...value].length : value.length;
  return length > maxLength ? `must have at most ${maxLength} characters; it has ${length}.` : null;
}

const text = (maxLength: number, form: (value: string) => string | null, options: FieldOptions, schema: object = {}) =>
  field({
    schema: { type: 'string', maxLength, ...schema },
    check: (value) => textFault(value, maxLength) ?? form(value as string),
    ...options,
  });

/** A text whose form `fault` checks. */
export const Checked = (maxLength: number, fault: (text: string) => string | null, options: FieldOptions = {}) =>
  text(maxLength, fault, options);

export const Text = (maxLength: number, options: FieldOptions = {}) => text(maxLength, () => null, options);

export const Email = (options: FieldOptions = {}) =>
  text(
    255,
    (value) => (isEmail(value) ? null : `${shown(value)} must be an email address such as ada@mail.example.`),
    { example: 'ada@mail.example', ...options },
    { format: 'email' },
  );

const URL_FORM = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

export const Url = (options: FieldOptions = {}) =>
  text(
    2000,
    (value) =>
      isURL(value, URL_FORM) ? null : `${shown(value)} must be a URL such as https://shop.example/coffee.jpg.`,
    { example: 'https://shop.example/coffee.jpg', ...options },
    { format: 'uri' },
  );

/** The code of a currency that amounts can be in. */
export const Currency = (options: FieldOptions = {}) =>
  text(
    3,
    (value) =>
      minorUnitExponent(value) === undefined ? `${shown(value)} must be an ISO 4217 currency code such as USD.` : null,
    { example: 'USD', ...options },
    { minLength: 3 },
  );

/** A country's two letters, then its digits and letters; written with whatever separators. */
const VAT_NUMBER = /^[A-Z]{2}[0-9A-Z+*]{2,15}$/;

export const VatNumber = (options: FieldOptions = {}) =>
  text(
    255,
    (value) =>
      VAT_NUMBER.test(value.toUpperCase().replace(/[\s./-]/g, ''))
        ? null
        : `${shown(value)} must be a VAT number with the two letters of its country, such as DE123456789.`,
    { example: 'DE123456789', ...options },
  );

/** A credential. No message repeats it. */
export const Secret = (maxLength: number, options: FieldOptions = {}) =>
  field({
    schema: { type: 'string', format: 'password', maxLength },
    check: (value) => (typeof value === 'string' ? textFault(value, maxLength) : 'must be text.'),
    ...options,
  });

/** A list of texts; `fault` says what is wrong with one. */
export const Texts = (most: number, fault: (text: string) => string | null, options: FieldOptions = {}) =>
  field({
    schema: { type: 'array', items: { type: 'string' }, maxItems: most } as object,
    isList: true,
    check: (value) => {
      if (!Array.isArray(value)) return `${shown(value)} must be an array of texts.`;
      if (value.length > most) return `has ${value.length} elements; at most ${most} are allowed.`;
      const wrong = value.map((one) => (typeof one === 'string' ? fault(one) : `${shown(one)} must be text.`));
      return wrong.find((message) => message !== null) ?? null;
    },
    ...options,
  });

/** One of the contract's words. */
export const OneOf = (values: readonly string[], options: FieldOptions = {}) =>
  field({
    schema: { type: 'string', enum: [...values] },
    check: (value) =>
      typeof value === 'string' && values.includes(value)
        ? null
        : `${shown(value)} must be one of ${values.join(', ')}.`,
    ...options,
  });
