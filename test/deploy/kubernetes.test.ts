import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import ts from 'typescript';
import { itInAllCases } from '../support/all-cases.js';
import { documentsOf, filesIn, ROOT, secretsIn, settingNames, textOf } from './manifests.js';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Record<string, string>;
  readonly spec?: { template?: { metadata: { labels: object }; spec: PodSpec }; selector?: { matchLabels?: object } };
}
interface PodSpec {
  readonly securityContext: object;
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: Container[];
}
interface Container {
  readonly command: string[];
  readonly image: string;
  readonly env?: object[];
  readonly envFrom: object[];
  readonly securityContext: object;
  readonly resources: { requests: object; limits: object };
  readonly ports?: { name: string; containerPort: number }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}
interface Probe {
  readonly httpGet: { path: string; port: string };
}

const files = filesIn('deploy/kubernetes');
const manifests = files.flatMap((file) => documentsOf(file) as Manifest[]);
const pods = manifests.flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template.spec]));
const containers = pods.flatMap((pod) => pod.containers);

it('has each resource once', () => {
  expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
    'ConfigMap scheduled-orders',
    'Deployment scheduled-orders-api',
    'Deployment scheduled-orders-worker',
    'Job scheduled-orders-migrate',
    'PodDisruptionBudget scheduled-orders-api',
    'PodDisruptionBudget scheduled-orders-worker',
    'Service scheduled-orders-api',
  ]);
});

const schemaFaults = (some: readonly Manifest[]): unknown =>
  JSON.parse(
    execFileSync(process.execPath, [join(__dirname, 'validate.mjs')], { input: JSON.stringify(some) }).toString(),
  );

it('has the required fields, of the right type', () => {
  const wrong = structuredClone(manifests.find(({ kind }) => kind === 'Job')!);
  Object.assign(wrong.spec!.template!.spec, { containers: 'none' });
  expect(schemaFaults([...manifests, wrong])).toEqual([...manifests.map(() => null), expect.any(String)]);
});

/** Of packages and the language, which all programs share. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** The faults that the compiler finds in manifests, as literals of Kubernetes' types: unknown fields above all. */
function typeFaults(some: readonly Manifest[]): string[] {
  const name = join(ROOT, 'test/deploy/literals.ts');
  const literal = (one: Manifest, index: number) =>
    `import type { I${one.kind} as T${index} } from 'kubernetes-models/${one.apiVersion}';\nexport const m${index}: T${index} = ${JSON.stringify(one)};`;
  const source = ts.createSourceFile(name, some.map(literal).join('\n'), ts.ScriptTarget.ES2022);
  const options = { strict: true, noEmit: true, module: ts.ModuleKind.NodeNext, skipLibCheck: true, types: [] };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    if (file === name) return source;
    if (!parsed.has(file)) parsed.set(file, read(file, ...rest));
    return parsed.get(file);
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([name], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

itInAllCases('has no field that Kubernetes does not know', () => {
  expect(typeFaults(manifests)).toEqual([]);
  const wrong = structuredClone(manifests.find(({ kind }) => kind === 'Job')!);
  Object.assign(wrong.spec!.template!.spec.containers[0]!.securityContext, { readOnlyRootFileSystem: true });
  expect(typeFaults([wrong]).join()).toContain('readOnlyRootFileSystem');
});

it('runs everything as nobody, with files that cannot be written', () => {
  const { USER } = /^USER (?<USER>\d+):/m.exec(textOf('Dockerfile'))!.groups!;
  expect(pods.map((pod) => pod.securityContext)).toEqual(
    pods.map(() => ({
      runAsNonRoot: true,
      runAsUser: Number(USER),
      runAsGroup: Number(USER),
      seccompProfile: { type: 'RuntimeDefault' },
    })),
  );
  expect(pods.map((pod) => pod.automountServiceAccountToken)).toEqual([false, false, false]);
  expect(containers.map(({ securityContext }) => securityContext)).toEqual(
    containers.map(() => ({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })),
  );
});

it('runs commands of the image, with bounds', () => {
  expect(containers.map(({ command }) => command.join(' '))).toEqual([
    'scheduled-orders-api',
    'scheduled-orders migrate',
    'scheduled-orders-worker',
  ]);
  const linked = [...textOf('Dockerfile').matchAll(/\/usr\/local\/bin\/(scheduled-orders\S*)/g)].map(
    ([, name]) => name,
  );
  expect(containers.filter(({ command }) => !linked.includes(command[0]))).toEqual([]);
  expect(containers.map(({ resources }) => [Object.keys(resources.requests), Object.keys(resources.limits)])).toEqual(
    containers.map(() => [['cpu', 'memory'], ['memory']]),
  );
});

it('takes secrets by reference, and settings that exist', () => {
  expect(containers.map(({ envFrom, env }) => [envFrom, env])).toEqual(
    containers.map(() => [
      [{ configMapRef: { name: 'scheduled-orders' } }, { secretRef: { name: 'scheduled-orders' } }],
      undefined,
    ]),
  );
  expect(files.flatMap((file) => secretsIn(textOf(file)))).toEqual([]);
  const settings = Object.keys(manifests.find(({ kind }) => kind === 'ConfigMap')!.data!);
  expect(settings.filter((name) => !settingNames().has(name))).toEqual([]);
  expect(settings.filter((name) => /KEY|PASSWORD|DATABASE_URL/.test(name))).toEqual([]);
});

it('asks API and worker whether they live and are ready, at a port that they have', () => {
  const served = containers.filter(({ ports }) => ports !== undefined);
  expect(served).toHaveLength(2);
  for (const { ports, livenessProbe, readinessProbe } of served) {
    expect([livenessProbe!.httpGet.path, readinessProbe!.httpGet.path]).toEqual(['/health/live', '/health/ready']);
    const names = ports!.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([livenessProbe!.httpGet.port, readinessProbe!.httpGet.port]));
  }
  expect(pods.map((pod) => pod.terminationGracePeriodSeconds)).toEqual([45, undefined, 45]);
});

it('selects the pods that it makes', () => {
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
  expect(deployments.map(({ spec }) => spec!.selector!.matchLabels)).toEqual(
    deployments.map(({ spec }) => spec!.template!.metadata.labels),
  );
});
