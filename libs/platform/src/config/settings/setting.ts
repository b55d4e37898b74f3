import type { Kind } from './kinds.js';

type Consumer = 'api' | 'worker' | 'cli' | 'start';

interface SettingBase<T> {
  readonly name: string;
  readonly kind: Kind<T>;
  /** What it does and when to change it, as sentences. */
  readonly meaning: string;
  readonly usedBy: readonly Consumer[];
  /** Its value is never printed. */
  readonly secret?: true;
  readonly section: Section;
}

export interface SettingWithDefault<T> extends SettingBase<T> {
  readonly default: string;
}

export interface OptionalSetting<T> extends SettingBase<T> {
  readonly default: undefined;
  /** What happens when it is not set. */
  readonly unset: string;
}

export interface RequiredSetting<T> extends SettingBase<T> {
  readonly required: true;
  /** What the message for a missing setting says to do. */
  readonly remedy: string;
}

export type Setting<T = unknown> = SettingWithDefault<T> | OptionalSetting<T> | RequiredSetting<T>;

export const SECTIONS = [
  'Database',
  'HTTP',
  'Processing',
  'Payment gateways',
  'Webhooks',
  'Shops',
  'Access',
  'Logs',
  'Traces',
] as const;
type Section = (typeof SECTIONS)[number];

export const withDefault = <T>(setting: SettingWithDefault<T>) => setting;
export const optional = <T>(setting: Omit<OptionalSetting<T>, 'default'>): OptionalSetting<T> => ({
  ...setting,
  default: undefined,
});
export const required = <T>(setting: Omit<RequiredSetting<T>, 'required'>): RequiredSetting<T> => ({
  ...setting,
  required: true,
});
