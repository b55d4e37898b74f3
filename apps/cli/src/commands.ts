import type { Command } from 'commander';

/** Adds one command to the program. */
export type AddCommand = (program: Command) => void;

/**
 * Every command by its name, in the order of the help. Each is loaded when it runs: most need little of what all need
 * together.
 */
export const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  start: async () => (await import('./commands/start.js')).startCommand,
  migrate: async () => (await import('./commands/migrate.js')).migrateCommand,
  'merchant:create': async () => (await import('./commands/merchant.js')).merchantCreateCommand,
  'merchant:password': async () => (await import('./commands/merchant.js')).merchantPasswordCommand,
  'site:create': async () => (await import('./commands/site-create.js')).siteCreateCommand,
  'apikey:create': async () => (await import('./commands/apikey-create.js')).apikeyCreateCommand,
  'import:products': async () => (await import('./commands/import-products.js')).importProductsCommand,
  'import:tax-rates': async () => (await import('./commands/import-tax-rates.js')).importTaxRatesCommand,
  'import:customers': async () => (await import('./commands/import-customers.js')).importCustomersCommand,
  'import:subscriptions': async () => (await import('./commands/import-subscriptions.js')).importSubscriptionsCommand,
  'export:tax-rates': async () => (await import('./commands/export-tax-rates.js')).exportTaxRatesCommand,
  'migration:check': async () => (await import('./commands/migration.js')).migrationCheckCommand,
  'migration:resolve': async () => (await import('./commands/migration.js')).migrationResolveCommand,
  'migration:go-live': async () => (await import('./commands/migration.js')).migrationGoLiveCommand,
  'keys:rotate': async () => (await import('./commands/keys-rotate.js')).keysRotateCommand,
  'gateway:verify': async () => (await import('./commands/gateway-verify.js')).gatewayVerifyCommand,
  'cycles:stuck': async () => (await import('./commands/cycles.js')).cyclesStuckCommand,
  'cycles:resolve': async () => (await import('./commands/cycles.js')).cyclesResolveCommand,
  'cycles:archive': async () => (await import('./commands/cycles.js')).cyclesArchiveCommand,
  'clock:advance': async () => (await import('./commands/clock-advance.js')).clockAdvanceCommand,
  'deployment:adopt': async () => (await import('./commands/deployment-adopt.js')).deploymentAdoptCommand,
  'check:database': async () => (await import('./commands/check-database.js')).checkDatabaseCommand,
  settings: async () => (await import('./commands/settings.js')).settingsCommand,
};
