import type { Vault } from '#libs/vault';
import { type View, wireName } from './views/view.js';

/**
 * The view of a resource with credentials, which PostgreSQL gives sealed: opened on their way to whoever may read them, in answers,
 * pages and streams alike. `credentials` are properties of the entity.
 */
export function revealing(vault: Vault, credentials: readonly string[], view: View): View {
  // A key with its colon: inside a text every quote has a backslash before it, so no stored text can pass for one.
  const sealed = new RegExp(`("(?:${credentials.map(wireName).join('|')})":)"([^"]*)"`, 'g');
  return {
    ...view,
    sealed: true,
    reveal: (json) => json.replace(sealed, (_, key: string, text: string) => key + JSON.stringify(vault.open(text))),
  };
}

/** Values to write, their credentials sealed; those that are left out stay so. */
export function sealing<Values extends object>(
  vault: Vault,
  credentials: readonly (keyof Values & string)[],
  values: Values,
): Values {
  const sealed = { ...values };
  for (const property of credentials) {
    const text = values[property] as string | null | undefined;
    if (text !== undefined) Object.assign(sealed, { [property]: vault.seal(text) });
  }
  return sealed;
}

/** The counterpart of `sealing`: what was read, its credentials opened. They stay in memory. */
export function opening<Values extends object>(
  vault: Vault,
  credentials: readonly (keyof Values & string)[],
  values: Values,
): Values {
  const opened = { ...values };
  for (const property of credentials) {
    Object.assign(opened, { [property]: vault.open(values[property] as string | null) });
  }
  return opened;
}
