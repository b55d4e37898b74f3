import { parseDatabaseUrl } from '../../database/index.js';
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

/** The settings that have no default. */
export type RequiredSetting = {
  [Key in keyof Settings]: (typeof SETTINGS)[Key] extends { readonly required: true } ? Key : never;
}[keyof Settings];

/** Settings of a process that does not need all of the required ones. */
export type SettingsWithout<Key extends RequiredSetting> = Omit<Settings, Key> & Partial<Pick<Settings, Key>>;

/** Everything that is wrong with the settings, one sentence each. It never has a secret's value. */
export class SettingsFault extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'SettingsFault';
  }
}

/** Without the user name and the password of a URL. */
function quoted(setting: Setting, text: string): string {
  return setting.secret === true ? setting.name : `${setting.name} "${text.replace(/\/\/[^/?#]*@/, '//…@')}"`;
}

/**
 * Parses and checks all settings of `env` at once. `dispensable` names required settings that may be missing here.
 * @throws SettingsFault with everything that is wrong.
 */
export function loadSettings<Key extends RequiredSetting = never>(
  env: Environment,
  dispensable: readonly Key[] = [],
): SettingsWithout<Key> {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(SETTINGS) as [Key, Setting][]) {
    // An empty value counts as not set: compose files and shells leave a setting out in this way.
    const given = env[setting.name]?.trim() === '' ? undefined : env[setting.name]?.trim();
    if (given === undefined && 'required' in setting && !dispensable.includes(key)) {
      faults.push(`${setting.name} is missing: ${setting.remedy}.`);
    }
    const text = given ?? ('default' in setting ? setting.default : undefined);
    try {
      values[key] = text === undefined ? undefined : setting.kind.parse(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      faults.push(`${quoted(setting, text ?? '')} ${error.message}.`);
    }
  }
  if (faults.length > 0) throw new SettingsFault(faults);
  assertTogether(values as SettingsWithout<RequiredSetting>);
  return values as SettingsWithout<Key>;
}

/** @throws SettingsFault for settings that are valid alone and wrong in combination. */
function assertTogether(settings: SettingsWithout<RequiredSetting>): void {
  const { databasePooler, tracesEndpoint, tracesProtocol = 'http/protobuf' } = settings;
  if (tracesEndpoint !== undefined && tracesProtocol !== 'http/protobuf')
    throw new SettingsFault([
      `OTEL_EXPORTER_OTLP_PROTOCOL "${tracesProtocol}" is not possible: set it to http/protobuf, and OTEL_EXPORTER_OTLP_ENDPOINT to the collector's port for HTTP (usually 4318).`,
    ]);
  if (databasePooler !== 'transaction') return;
  const urls = { DATABASE_URL: settings.databaseUrl, READ_DATABASE_URL: settings.readDatabaseUrl };
  const faults = Object.entries(urls)
    .filter(([, url]) => url !== undefined && parseDatabaseUrl(url).hasOptions)
    .map(
      ([name]) =>
        `${name} has options, which a pooler does not keep with DATABASE_POOLER=transaction: remove them, or give them to the role with ALTER ROLE.`,
    );
  if (faults.length > 0) throw new SettingsFault(faults);
}

/** Names in `env` that look like settings of this service but are not, one sentence each. */
export function settingsWarnings(env: Environment): string[] {
  return unknownSettings(
    Object.keys(env),
    Object.values(SETTINGS).map((setting) => setting.name),
  );
}
