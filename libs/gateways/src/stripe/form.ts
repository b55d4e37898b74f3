import { stringify } from 'node:querystring';

/** Parameters by their names at the gateway; nested ones are written with brackets: `metadata[cycle]`. */
export type Form = Readonly<Record<string, string | number | boolean>>;

/** In values that consist of these alone nothing is escaped. */
const PLAIN = /^[\w.~-]*$/;

/** As the `stripe` package escapes: all but unreserved characters and brackets. */
function escaped(text: string): string {
  if (PLAIN.test(text)) return text;
  const escapes = encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return escapes.replaceAll('%5B', '[').replaceAll('%5D', ']');
}

/** The form in the gateway's encoding, byte by byte as the `stripe` package writes it. */
export function encodedForm(form: Form): string {
  return stringify(form, '&', '=', { encodeURIComponent: escaped });
}
