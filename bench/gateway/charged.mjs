import { withClient } from '../harness/database.mjs';
import { measured } from '../processor/contenders.mjs';
import { withGateway } from './start.mjs';

/** Measured, and checked against the gateway's own ledger: every order charged once, for its total. */
export function charged(bench, template, { latency, orders }, work) {
  return withGateway(latency, async (gatewayUrl, ledger) =>
    measured(bench, template, { orders }, async (url) =>
      withClient(url, async (client) => {
        const nodeMs = await work(url, client, gatewayUrl);
        const { rows } = await client.query(
          `SELECT sum(amount)::float8 AS total FROM processing_cycles WHERE state = 'Completed'`,
        );
        const { charges, repeated, total } = await ledger();
        if (charges !== orders || repeated !== 0 || total !== rows[0].total) {
          throw new Error(
            `The gateway charged ${charges} orders (${repeated} repeated) for ${total}, not ${orders} for ${rows[0].total}.`,
          );
        }
        return nodeMs;
      }),
    ),
  );
}
