import { Injectable } from '@nestjs/common';
import { Gateways, isSandbox } from '#libs/gateways';
import { ConnectionPool, DecryptionError } from '#libs/platform';
import { GatewayClocks } from './gateway-clocks.js';
import { Integrations } from './integrations.js';

/** Some integrations: the first whose gateway tells its time is enough. */
const SOME = `SELECT i.id FROM payment_integrations i WHERE i.deleted_utc IS NULL ORDER BY i.id DESC LIMIT 20`;
const MOST_ASKED = 3;

/** What time it is, by any gateway: nothing else that a worker reaches has a clock of its own. */
@Injectable()
export class GatewayTime {
  constructor(
    private readonly pool: ConnectionPool,
    private readonly integrations: Integrations,
    private readonly gateways: Gateways,
    private readonly clocks: GatewayClocks,
  ) {}

  /** `none`: there is no gateway that tells a time. `silent`: none has answered now. */
  async nowMs(): Promise<number | 'none' | 'silent'> {
    const rows = await this.pool.execute<{ id: number }>(SOME);
    const integrations = [...(await this.integrations.pinned(rows.map(({ id }) => id))).values()];
    const real = integrations
      .flatMap((one) => (one instanceof DecryptionError ? [] : one))
      .filter(({ credentials }) => !isSandbox(credentials));
    let isSilent = false;
    for (const { id, credentials } of real.slice(0, MOST_ASKED)) {
      const answer = await this.clocks.askTime(id, this.gateways.for(id, credentials));
      if (typeof answer === 'number') return answer;
      if (answer === 'silent') isSilent = true;
    }
    return isSilent ? 'silent' : 'none';
  }
}
