import type { Setting } from './setting.js';
import { SETTINGS } from './settings-table.js';
import { unknownSettings } from './unknown-settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

type ValueOf<S> = S extends { readonly kind: { parse(text: string): infer T } }
  ? S extends { readonly default: undefined }
    ? T | undefined
    : T
  : never;

/** Every setting, parsed. Durations are milliseconds. */
export type Settings = { readonly [Key in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Key]> };

/** The settings that the embedded mode of `npm start` makes itself. */
type MadeByEmbedding = 'databaseUrl' | 'encryptionKeys';

/** All that is wrong with the settings, one sentence each; never a secret's value. */
export class SettingsFault extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'SettingsFault';
  }
}

function quoted(setting: Setting, text: string): string {
  return setting.secret === true ? setting.name : `${setting.name} "${text}"`;
}

function read(env: Environment, embedded: boolean): Settings {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(SETTINGS) as [string, Setting][]) {
    // An empty value is none: that is how compose files and shells leave a setting out.
    const given = env[setting.name]?.trim() === '' ? undefined : env[setting.name]?.trim();
    if (given === undefined && 'required' in setting) {
      if (!embedded) faults.push(`${setting.name} is missing: ${setting.remedy}.`);
      continue;
    }
    const text = given ?? ('required' in setting ? undefined : setting.default);
    try {
      values[key] = text === undefined ? undefined : setting.kind.parse(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      faults.push(`${quoted(setting, text ?? '')} ${error.message}.`);
    }
  }
  if (faults.length > 0) throw new SettingsFault(faults);
  return values as Settings;
}

/**
 * Parses and checks all settings of `env` at once.
 * @throws SettingsFault with every fault, in words.
 */
export function loadSettings(env: Environment): Settings {
  return read(env, false);
}

/** The same before the embedded database is there, which makes the two that are missing. */
export function loadEmbeddedSettings(env: Environment): Omit<Settings, MadeByEmbedding> {
  return read(env, true);
}

/** Names in `env` that look like settings of ours and are none, one sentence each. */
export function settingsWarnings(env: Environment): string[] {
  return unknownSettings(
    Object.keys(env),
    Object.values(SETTINGS).map((setting) => setting.name),
  );
}
