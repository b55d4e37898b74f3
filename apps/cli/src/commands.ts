import type { Command } from 'commander';
import { apikeyCreateCommand } from './commands/apikey-create.js';
import { checkDatabaseCommand } from './commands/check-database.js';
import { cyclesArchiveCommand } from './commands/cycles-archive.js';
import { cyclesResolveCommand } from './commands/cycles-resolve.js';
import { cyclesStuckCommand } from './commands/cycles-stuck.js';
import { deploymentAdoptCommand } from './commands/deployment-adopt.js';
import { exportTaxRatesCommand } from './commands/export-tax-rates.js';
import { gatewayVerifyCommand } from './commands/gateway-verify.js';
import { importCustomersCommand } from './commands/import-customers.js';
import { importProductsCommand } from './commands/import-products.js';
import { importSubscriptionsCommand } from './commands/import-subscriptions.js';
import { importTaxRatesCommand } from './commands/import-tax-rates.js';
import { keysRotateCommand } from './commands/keys-rotate.js';
import { merchantCreateCommand } from './commands/merchant-create.js';
import { merchantPasswordCommand } from './commands/merchant-password.js';
import { migrateCommand } from './commands/migrate.js';
import { migrationCheckCommand } from './commands/migration-check.js';
import { migrationGoLiveCommand } from './commands/migration-go-live.js';
import { migrationResolveCommand } from './commands/migration-resolve.js';
import { settingsCommand } from './commands/settings.js';
import { siteCreateCommand } from './commands/site-create.js';
import { startCommand } from './commands/start.js';

/** Every command, in the order in which `--help` lists them: one file, one line. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  startCommand,
  migrateCommand,
  merchantCreateCommand,
  merchantPasswordCommand,
  siteCreateCommand,
  apikeyCreateCommand,
  importProductsCommand,
  importTaxRatesCommand,
  importCustomersCommand,
  importSubscriptionsCommand,
  exportTaxRatesCommand,
  migrationCheckCommand,
  migrationResolveCommand,
  migrationGoLiveCommand,
  keysRotateCommand,
  gatewayVerifyCommand,
  cyclesStuckCommand,
  cyclesResolveCommand,
  cyclesArchiveCommand,
  deploymentAdoptCommand,
  checkDatabaseCommand,
  settingsCommand,
];
