import type { Random } from '../support/random.js';
import { Dashboards } from './dashboards.js';
import type { ChaosOptions } from './options.js';
import { SecondInstallation } from './second.js';
import type { FirstState, Shop } from './shops.js';
import { strangers } from './strangers.js';
import type { Tallies } from './tally.js';
import type { StandIns } from './weather.js';

const MINUTE_MS = 60_000;

export interface AccountsParts {
  readonly gateways: StandIns;
  readonly shops: readonly Shop[];
  readonly first: ReadonlyMap<number, FirstState>;
  /** `deployment.key_prefix` of the installation that is tested. */
  readonly tested: string;
  readonly tallies: Tallies;
  readonly random: (actor: string) => Random;
}

/** What others do on the shops' accounts at the gateways. */
export class Accounts {
  readonly second: SecondInstallation;
  readonly dashboards: Dashboards;

  constructor(private readonly parts: AccountsParts) {
    const { gateways, tallies, random } = parts;
    this.second = new SecondInstallation({ ...parts, tally: tallies.secondInstallation, random: random('second') });
    this.dashboards = new Dashboards(gateways, tallies.givenBack, random('dashboards'));
  }

  run(options: ChaosOptions, signal: AbortSignal): Promise<void>[] {
    const { gateways, shops, first, tallies, random } = this.parts;
    const { foreignPaymentsPerMinute, secondInstallationPerMinute, givenBackPerMinute } = options;
    const [everyMs, stranger] = [MINUTE_MS / foreignPaymentsPerMinute, random('strangers')];
    const running = [strangers(gateways, shops, first, everyMs, tallies.foreignPayments, stranger, signal)];
    if (secondInstallationPerMinute > 0) running.push(this.second.run(MINUTE_MS / secondInstallationPerMinute, signal));
    if (givenBackPerMinute > 0) running.push(this.dashboards.run(MINUTE_MS / givenBackPerMinute, signal));
    return running;
  }
}
