import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Tally } from './tally.js';

export interface ChaosReport {
  readonly seed: number;
  readonly orders: number;
  readonly kills: Tally;
  readonly freezes: Tally;
  readonly clocks: Tally;
  readonly terminations: Tally;
  readonly databaseCrashes: Tally;
  /** The last commits were lost. */
  readonly restores: Tally;
  readonly promotions: Tally;
  /** Charges of lost commits, as workers found them: recorded, or in manual review. */
  readonly found: Tally;
  readonly fullDisks: Tally;
  readonly locks: Tally;
  readonly schemaChanges: Tally;
  readonly keyRotations: Tally;
  /** How workers reached the database. */
  readonly routes: Tally;
  /** How often a gateway's clock was set wrong. */
  readonly skews: Tally;
  /** How often the database's was. */
  readonly databaseClocks: Tally;
  readonly cuts: Tally;
  readonly gatewayFaults: Tally;
  /** Of what the Orders arrive in. */
  readonly receiverFaults: Tally;
  readonly requests: Tally;
  /** What befell payment integrations. */
  readonly integrations: Tally;
  /** What only a person could settle. */
  readonly resolutions: Tally;
  /** What the receiver of some shops was sent. */
  readonly webhooks: Tally;
  /** Of other software, on the shops' accounts. */
  readonly foreignPayments: Tally;
  /** Charges of another installation, on the shops' accounts. */
  readonly secondInstallation: Tally;
  /** What was done with charges at the gateways. */
  readonly givenBack: Tally;
  /** Losses of the last commits while lists were late by minutes. */
  readonly lateLists: Tally;
  readonly cycles: Tally;
  /** Orders of the sites that push. */
  readonly pushes: Tally;
  /** What was deleted in the shops: nobody had paid it. */
  readonly twinsRemoved: number;
  /** Orders that stopped, by the reason. */
  readonly stopped: Tally;
  readonly charges: number;
  /** Of the order with the most. */
  readonly mostCharges: number;
  /** Orders that were changed so often that the oracle does not try every amount. */
  readonly amountsUnjudged: number;
  readonly doubles: number;
  readonly losses: number;
  readonly seconds: { readonly chaos: number; readonly drain: number; readonly databaseDown: number };
}

export function printed(report: ChaosReport): string {
  const lines = Object.entries(report).flatMap(([name, value]: [string, unknown]) => {
    const plain = JSON.parse(JSON.stringify(value)) as number | Record<string, number>;
    if (typeof plain === 'number') return [[name, String(plain)]];
    const sum = Object.values(plain).reduce((total, count) => total + count, 0);
    return [
      [name, String(Math.round(sum * 10) / 10)],
      ...Object.entries(plain).map(([part, n]) => [`  ${part}`, String(n)]),
    ];
  });
  const width = Math.max(...lines.map(([name]) => name!.length));
  return lines.map(([name, value]) => `${name!.padEnd(width)}  ${value!.padStart(8)}`).join('\n');
}

/** For machines: reports/chaos.json. */
export function save(report: ChaosReport): void {
  const file = join(__dirname, '../../reports/chaos.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}
