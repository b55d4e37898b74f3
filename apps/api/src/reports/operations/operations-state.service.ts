import { Inject, Injectable } from '@nestjs/common';
import { SCHEMA_VERSION } from '#libs/entities';
import { deploymentRefusal } from '#libs/ledger';
import { productVersion, type Settings, WriteProbe } from '#libs/platform';
import { type Caller, Database, MOST_API_KEYS, MOST_COUNTED } from '#libs/records';
import { SETTINGS } from '../../http/tokens.js';
import { MOST_TEST_CLOCKS } from '../../test-clocks/test-clocks.service.js';
import { MOST_WEBHOOK_ENDPOINTS } from '../../webhooks/webhook-endpoints.service.js';
import type { OrderFigure } from '../overview/figures.js';
import { OrderFigures } from '../overview/order-figures.js';
import {
  INSTALLATION,
  INTEGRATION_WAITS,
  OLDEST_DUE,
  UNCOMPARED,
  UNNUMBERED,
  USED,
  WEBHOOKS,
} from './state-statements.js';

const FIGURES: readonly OrderFigure[] = ['Due', 'Overdue', 'Retrying', 'Waiting', 'Unknown'];
/** The most waits that are listed: those that wait longest. */
const MOST_WAITS = 100;

interface InstallationRow {
  readonly now: Date;
  readonly seenUtc: Date | null;
  readonly minimum: number;
  readonly schema: number;
  /** Names of sessions: each has the worker's roles behind a blank. */
  readonly listeners: readonly string[];
  /** Webhooks of any site are sent. */
  readonly hasEndpoints: boolean;
  /** Orders of any site are pushed. */
  readonly hasShops: boolean;
}

interface WaitRow {
  readonly siteId: number;
  readonly paymentMethodType: string;
  readonly waitingSinceUtc: Date;
  readonly nextProbeUtc: Date | null;
  readonly wrongAccount: boolean;
}

interface WebhooksRow {
  readonly failing: number;
  readonly held: number;
  readonly disabled: number;
  readonly waiting: number;
  readonly oldest: Date | null;
}

interface UnnumberedRow {
  readonly count: number;
  readonly oldest: Date | null;
  readonly isMore: boolean;
}

type Quota = 'Sites' | 'TestClocks' | 'ApiKeys' | 'Rates' | 'WebhookEndpoints';

interface UsedRow {
  readonly quota: Quota;
  readonly siteId: number | null;
  readonly used: number;
}

/** How the installation works, and what waits in it of the caller's account. */
@Injectable()
export class OperationsStateService {
  constructor(
    private readonly database: Database,
    private readonly figures: OrderFigures,
    private readonly writes: WriteProbe,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async get(caller: Caller): Promise<object> {
    const [installation] = await this.database.read<InstallationRow>(INSTALLATION, []);
    const { now } = installation!;
    const orders = await this.orders(caller, now);
    const integrations = await this.integrations(caller);
    const webhooks = await this.webhooks(caller);
    const events = await this.events(caller);
    return {
      AsOfUtc: now,
      ...(await this.installation(installation!)),
      Orders: orders.shown,
      Integrations: integrations,
      Webhooks: webhooks.shown,
      Events: events.shown,
      Quotas: await this.quotas(caller),
      More: [...orders.more, ...webhooks.more, ...events.more],
    };
  }

  private async installation(row: InstallationRow): Promise<object> {
    const { seenUtc, minimum, schema, listeners } = row;
    const isHidden = this.settings.databasePooler === 'transaction';
    const refusal = await deploymentRefusal(this.database, this.settings.deploymentId);
    const unwritable = await this.writes.failBecause();
    return {
      Version: productVersion(),
      Schema: { Version: schema, Expected: SCHEMA_VERSION, Minimum: minimum },
      Deployment: { MayCharge: refusal === null, Refusal: refusal },
      Writes: { Accepted: unwritable === null, Refusal: unwritable },
      Workers: {
        Connected: isHidden ? null : listeners.length,
        MissingRoles: isHidden ? null : missingRoles(row),
        SeenUtc: seenUtc,
      },
    };
  }

  private async orders(caller: Caller, now: Date) {
    const { counts, more, links } = await this.figures.count(caller, FIGURES, { siteId: null, now });
    const [due] = await this.database.read<{ oldest: Date | null }>(OLDEST_DUE, [caller.reach, now]);
    return {
      shown: { ...counts, OldestDueUtc: due!.oldest, Links: links },
      more: more.map((name) => `Orders.${name}`),
    };
  }

  private async integrations({ reach }: Caller): Promise<object> {
    const waits = await this.database.read<WaitRow>(INTEGRATION_WAITS, [reach, MOST_WAITS]);
    const [uncompared] = await this.database.read<{ count: number }>(UNCOMPARED, [reach]);
    const Waits = waits.map((wait) => ({
      SiteId: wait.siteId,
      PaymentMethodType: wait.paymentMethodType,
      WaitingSinceUtc: wait.waitingSinceUtc,
      NextProbeUtc: wait.nextProbeUtc,
      WrongAccount: wait.wrongAccount,
    }));
    return { Waits, Uncompared: uncompared!.count };
  }

  private async webhooks({ reach }: Caller) {
    const [row] = await this.database.read<WebhooksRow>(WEBHOOKS, [reach]);
    const { waiting, oldest, failing, held, disabled } = row!;
    const shown = {
      Waiting: Math.min(waiting, MOST_COUNTED),
      OldestWaitingUtc: oldest,
      EndpointsFailing: failing,
      EndpointsHeld: held,
      EndpointsDisabled: disabled,
    };
    return { shown, more: waiting > MOST_COUNTED ? ['Webhooks.Waiting'] : [] };
  }

  private async events({ reach }: Caller) {
    const [row] = await this.database.read<UnnumberedRow>(UNNUMBERED, [reach]);
    const { count, oldest, isMore } = row!;
    return {
      shown: { Unnumbered: Math.min(count, MOST_COUNTED), OldestUnnumberedUtc: oldest },
      more: isMore ? ['Events.Unnumbered'] : [],
    };
  }

  private async quotas({ reach, userId }: Caller): Promise<object[]> {
    const limits: Record<Quota, number> = {
      Sites: this.settings.maxSitesPerAccount,
      TestClocks: MOST_TEST_CLOCKS,
      ApiKeys: MOST_API_KEYS,
      Rates: this.settings.maxRatesPerSite,
      WebhookEndpoints: MOST_WEBHOOK_ENDPOINTS,
    };
    const used = await this.database.read<UsedRow>(USED, [reach, userId]);
    return (Object.keys(limits) as Quota[]).map((quota) => {
      const row = used.find((one) => one.quota === quota);
      return {
        Of: quota,
        SiteId: row?.siteId ?? null,
        Used: row?.used ?? 0,
        Limit: limits[quota],
      };
    });
  }
}

/** What no connected worker does, but one must. */
function missingRoles({ listeners, hasEndpoints, hasShops }: InstallationRow): string[] {
  const roles = listeners.flatMap((name) => name.slice(name.indexOf(' ') + 1).split(','));
  const needed = ['processor', ...(hasEndpoints ? ['dispatcher'] : []), ...(hasShops ? ['pushes'] : [])];
  return needed.filter((role) => !roles.includes(role));
}
