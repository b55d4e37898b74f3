// DATABASE_URL=postgres://… PORT=… SECRET=whsec_… node shop/shop.mjs: a real Vendure with one product. It prints a line
// when it listens.
import core from '@vendure/core';
import cli from '@vendure/core/cli/index.js';
import plugin from '../build/scheduled-orders.plugin.js';

// A test tells nobody that it ran.
process.env.VENDURE_DISABLE_TELEMETRY = 'true';
const { DATABASE_URL, PORT, SECRET } = process.env;

const config = {
  apiOptions: { port: Number(PORT), hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: { tokenMethod: 'bearer', superadminCredentials: { identifier: 'superadmin', password: 'superadmin' } },
  dbConnectionOptions: { type: 'postgres', url: DATABASE_URL, synchronize: true, logging: false },
  logger: new core.DefaultLogger({ level: core.LogLevel.Warn }),
  paymentOptions: { paymentMethodHandlers: [] },
  plugins: [plugin.ScheduledOrdersPlugin.with({ secret: SECRET })],
};

const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'Americas',
  countries: [{ code: 'US', name: 'United States', zone: 'Americas' }],
  taxRates: [{ name: 'Standard', percentage: 8.25 }],
  shippingMethods: [{ name: 'Parcel', price: 500 }],
  paymentMethods: [],
  collections: [],
};

const isNew = process.argv.includes('--populate');
const app = isNew
  ? await cli.populate(() => core.bootstrap(config), initialData, new URL('products.csv', import.meta.url).pathname)
  : await core.bootstrap(config);
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
console.log(`Vendure ${core.VENDURE_VERSION ?? ''} listens on port ${PORT}.`);
