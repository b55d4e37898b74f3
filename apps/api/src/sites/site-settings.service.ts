import { Injectable } from '@nestjs/common';
import { columnOf, UPCOMING_NOTICE_DAYS } from '#libs/entities';
import { noticeChanged, setListening } from '#libs/events';
import { Statement, type Transaction } from '#libs/platform';
import {
  assertReach,
  type Caller,
  Database,
  type Fault,
  isReached,
  NotFound,
  Rejected,
  type Values,
  wireName,
} from '#libs/records';
import { comparable, DEFAULT_PRICE_SETTINGS, isCountry, needsHomeRates, type PriceSettings } from '#libs/rules';

/** All settings of a site. */
export interface SiteSettingsValues extends PriceSettings {
  readonly keepEvents: boolean;
  readonly upcomingNoticeDays: number;
}

const DEFAULTS: SiteSettingsValues = {
  ...DEFAULT_PRICE_SETTINGS,
  keepEvents: false,
  upcomingNoticeDays: UPCOMING_NOTICE_DAYS,
};
const FIELDS = Object.keys(DEFAULTS) as (keyof SiteSettingsValues)[];
const COLUMNS = FIELDS.map(columnOf);

const stored = `(SELECT json_build_object(${FIELDS.map((field) => `'${field}', g.${columnOf(field)}`).join(', ')})
  FROM site_settings g WHERE g.site_id = s.id) AS settings, ${isReached('s.id', '$2::bigint[]')} AS reached`;

/** pk_sites, pk_site_settings. $1 site id, $2 reach. */
const READ = Statement.named(`SELECT ${stored} FROM sites s WHERE s.id = $1`);
/** The same, locked against another change. */
const LOCK = Statement.named(`SELECT ${stored} FROM sites s WHERE s.id = $1 FOR NO KEY UPDATE OF s`);
/** $1 site id, then the columns. */
const WRITE = Statement.named(`INSERT INTO site_settings AS g (site_id, ${COLUMNS.join(', ')})
  VALUES ($1, ${COLUMNS.map((_, index) => `$${index + 2}`).join(', ')})
  ON CONFLICT (site_id) DO UPDATE SET ${COLUMNS.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}`);

/**
 * What a site's prices include, how they are rounded, and which events it wants. A site without settings has the
 * defaults.
 */
@Injectable()
export class SiteSettingsService {
  constructor(private readonly database: Database) {}

  get(caller: Caller, siteId: number): Promise<string> {
    return this.database.write(async (tx) => json(await settingsOf(tx, READ, caller, siteId)));
  }

  update(caller: Caller, siteId: number, sent: Values<SiteSettingsValues>): Promise<string> {
    return this.database.write(async (tx) => {
      const before = await settingsOf(tx, LOCK, caller, siteId);
      const merged = { ...before, ...defined(sent) };
      const differs = (field: keyof SiteSettingsValues) => merged[field] !== before[field];
      if (!FIELDS.some(differs)) return json(before);
      assertHome(merged);
      await tx.execute(WRITE, [siteId, ...FIELDS.map((field) => merged[field])]);
      if (differs('keepEvents')) await setListening(tx, siteId);
      if (differs('upcomingNoticeDays')) await noticeChanged(tx);
      return json(merged);
    });
  }
}

interface StoredSettings {
  readonly settings: SiteSettingsValues | null;
  readonly reached: boolean;
}

async function settingsOf(
  tx: Transaction,
  statement: Statement,
  caller: Caller,
  siteId: number,
): Promise<SiteSettingsValues> {
  const [row] = await tx.execute<StoredSettings>(statement, [siteId, caller.reach]);
  if (row === undefined) throw new NotFound(`There is no Site ${siteId}.`);
  await assertReach(tx, caller, row, `Site ${siteId}`);
  return row.settings ?? DEFAULTS;
}

const defined = (sent: Values<SiteSettingsValues>): Partial<SiteSettingsValues> =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));

const json = (settings: SiteSettingsValues): string =>
  JSON.stringify(Object.fromEntries(FIELDS.map((field) => [wireName(field), settings[field]])));

/** @throws Rejected where the home is no place, or none is named and one is needed. */
function assertHome(settings: PriceSettings): void {
  const faults: Fault[] = [];
  const { homeCountry } = settings;
  const isBlank = comparable(homeCountry) === '';
  if (!isBlank && !isCountry(homeCountry))
    faults.push({
      field: 'HomeCountry',
      message: `"${homeCountry}" must be a country: an ISO 3166-1 code such as US, or its English name.`,
    });
  if (isBlank && needsHomeRates(settings))
    faults.push({
      field: 'HomeCountry',
      message: `is required by GrossOutside ${settings.grossOutside}: it says whose tax the prices have in them.`,
    });
  for (const field of ['homeState', 'homeCity', 'homePostcode'] as const)
    if (isBlank && comparable(settings[field]) !== '')
      faults.push({ field: wireName(field), message: 'requires HomeCountry.' });
  if (faults.length > 0) throw new Rejected(faults);
}
