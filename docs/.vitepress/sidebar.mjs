import { referencePages } from './openapi/pages.mjs';

const page = (link, text) => ({ text, link: `/${link}` });
const group = (text, items) => ({ text, items });

const START = group('Start', [
  page('quick-start', 'Quick start'),
  page('concepts', 'Concepts'),
  page('console', 'The console'),
]);

const SHOP = group('Connect a shop', [
  page('connect-woocommerce', 'Connect WooCommerce'),
  page('connect-vendure', 'Connect Vendure'),
  page('connect-a-shop', 'Connect any shop'),
  page('authentication', 'Authentication'),
  page('api', 'Calling the API'),
  page('events', 'Events and webhooks'),
  page('after-a-charge', 'After a charge'),
  page('testing', 'Testing'),
  page('gateways', 'Payment gateways'),
  page('going-live', 'Going live'),
]);

const MERCHANT = group('Run a shop', [
  page('moving-in', 'Moving in'),
  page('schedule', 'When an order falls due'),
  page('amounts', 'Amounts and tax'),
  page('insight', 'Insight'),
]);

const OPERATIONS = group('Run the service', [
  page('deploying', 'Deploy'),
  page('operations', 'Run it'),
  page('alerts', 'Alerts'),
  page('topologies', 'Topologies'),
  page('growing', 'Growing'),
  page('citus', 'Past one PostgreSQL'),
  page('upgrading', 'Upgrade'),
  page('processing', 'Processing'),
  page('security', 'Security'),
  page('benchmarks', 'Benchmarks'),
]);

const REFERENCE = group('Reference', [
  page('errors', 'Errors'),
  page('settings', 'Settings'),
  page('commands', 'Command line'),
  page('metrics', 'Metrics'),
  page('contract', 'Contract'),
  page('glossary', 'Glossary'),
]);

const PROJECT = group('Project', [
  page('architecture', 'Architecture'),
  page('decisions', 'Decisions'),
  page('contributing', 'Contributing'),
  page('dependencies', 'Dependencies'),
  page('changelog', 'Changelog'),
]);

/** Every page of the site, in the order of reading. */
export function sidebar() {
  const operations = referencePages().map(({ tag, name }) => page(`reference/${tag}`, name));
  return [START, SHOP, MERCHANT, OPERATIONS, REFERENCE, group('API reference', operations), PROJECT];
}
