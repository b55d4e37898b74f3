import { referencePages } from './openapi/pages.mjs';

const page = (link, text) => ({ text, link: `/${link}` });
const group = (text, items) => ({ text, items });

const START = group('Start', [
  page('quick-start', 'Quick start'),
  page('concepts', 'Concepts'),
  page('console', 'The console'),
]);

const GUIDES = group('Guides', [
  page('connect-a-shop', 'Connect a shop'),
  page('customer-tokens', 'Customers in the browser'),
  page('testing', 'Testing'),
  page('charges', 'Learning of charges'),
  page('declines', 'Declines'),
  page('webhooks', 'Webhooks'),
  page('events', 'The event feed'),
  page('gateways', 'Payment gateways'),
  page('going-live', 'Going live'),
]);

const MOVING = group('Moving in', [
  page('importing', 'Products, taxes, customers'),
  page('moving-subscriptions', 'Subscriptions'),
  page('moving-taxes', 'Taxes'),
  page('prices-with-tax', 'Prices with tax'),
]);

const UNDERSTAND = group('Dates, amounts, reasons', [
  page('schedule', 'When an order falls due'),
  page('totals', 'What an order costs'),
  page('why', 'Why did this happen?'),
  page('timeline', 'Timeline of an order'),
  page('differences', 'Differences'),
  page('reports', 'Reports'),
  page('forecast', 'Forecast'),
]);

const OPERATIONS = group('Operations', [
  page('deploying', 'Deploying'),
  page('operations', 'Running it'),
  page('alerts', 'Alerts'),
  page('traces', 'Traces'),
  page('topologies', 'Topologies'),
  page('growing', 'Growing'),
  page('citus', 'Past one PostgreSQL'),
  page('upgrading', 'Upgrading'),
  page('processing', 'Processing and restores'),
  page('security', 'Security'),
  page('benchmarks', 'Benchmarks'),
]);

const REFERENCE = group('Reference', [
  page('api', 'Calling the API'),
  page('api-keys', 'API keys'),
  page('sessions', 'Sessions'),
  page('lists', 'Lists'),
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
  page('releasing', 'Releasing'),
  page('changelog', 'Changelog'),
]);

/** Every page of the site, in the order of reading. */
export function sidebar() {
  const operations = referencePages().map(({ tag, name }) => page(`reference/${tag}`, name));
  return [START, GUIDES, MOVING, UNDERSTAND, OPERATIONS, REFERENCE, group('API reference', operations), PROJECT];
}
