import { columnOf } from '#libs/entities';
import { type Binding, type SealedTable, type Vault } from '#libs/vault';
import { sealedTexts } from './views/sealed.js';
import { type View, wireName } from './views/view.js';

/** A resource's table and its encrypted columns, as properties of its entity. */
export interface Credentials<Property extends string = string> {
  readonly table: Extract<SealedTable, 'payment_integrations' | 'sites'>;
  readonly properties: readonly Property[];
}

export const INTEGRATION_CREDENTIALS = {
  table: 'payment_integrations',
  properties: ['apiAccount', 'apiKey1', 'apiKey2'],
} as const satisfies Credentials;

export const SITE_CREDENTIALS = {
  table: 'sites',
  properties: ['apiKey1', 'apiKey2', 'apiKey3'],
} as const satisfies Credentials;

/** The row whose credentials are encrypted or decrypted, and how its database binds them. */
export interface SealedRow {
  readonly id: number | string;
  readonly binding: Binding;
}

/**
 * The view of a resource with credentials. PostgreSQL returns them encrypted; this decrypts them for callers that may read them, in answers, pages
 * and streams.
 */
export function revealing(vault: Vault, { table, properties }: Credentials, view: View): View {
  const texts = sealedTexts(properties);
  const columns = new Map(properties.map((property) => [wireName(property), columnOf(property)]));
  const revealed = (_: string, key: string, name: string, binding: Binding, id: string, text: string) =>
    key + JSON.stringify(vault.open(text, { table, column: columns.get(name)!, row: [id] }, binding));
  return { ...view, sealed: true, reveal: (json) => json.replace(texts, revealed) };
}

/** Values to write, with credentials encrypted for that row. Properties that are absent stay absent. */
export function sealing<Values extends object>(
  vault: Vault,
  { table, properties }: Credentials<keyof Values & string>,
  { id, binding }: SealedRow,
  values: Values,
): Values {
  const sealed = { ...values };
  for (const property of properties) {
    const text = values[property] as string | null | undefined;
    if (text === undefined) continue;
    Object.assign(sealed, { [property]: vault.seal(text, { table, column: columnOf(property), row: [id] }, binding) });
  }
  return sealed;
}

/** The counterpart of `sealing`: decrypts the credentials of a row that was read. They stay in memory. */
export function opening<Values extends SealedRow>(
  vault: Vault,
  { table, properties }: Credentials<keyof Values & string>,
  values: Values,
): Values {
  const opened = { ...values };
  for (const property of properties) {
    const place = { table, column: columnOf(property), row: [values.id] };
    Object.assign(opened, { [property]: vault.open(values[property] as string | null, place, values.binding) });
  }
  return opened;
}
