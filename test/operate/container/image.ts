import { execFile, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmEnvironment } from '../../support/installed.js';
import { assertPrograms, baseImages, debianRoot, dockerfileOf, nodeRoot } from './base-images.js';

const ROOT = join(__dirname, '../../..');
const run = promisify(execFile);

export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export interface Contained {
  readonly output: () => string;
  readonly exited: Promise<number | null>;
  readonly stop: () => void;
}

/** Seen by the processes of the image alone: its files, which nobody can write, and what every container has. */
const IN_ROOT = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" || exit 125
root=$1; user=$2; shift 2; exec chroot --userspec="$user" "$root" /usr/bin/env -i "$@"`;

/**
 * The image that the Dockerfile describes, built by buildah, from base images that are made here, since no registry of
 * images is needed then.
 */
export class Image {
  private container = '';
  /** Its file system. */
  root = '';
  config!: ImageConfig;

  constructor(private readonly folder: string) {}

  private async buildah(...args: string[]): Promise<string> {
    const storage = ['--root', join(this.folder, 'storage'), '--runroot', join(this.folder, 'run')];
    const options = { maxBuffer: 64 << 20, env: { ...process.env, BUILDAH_ISOLATION: 'chroot' } };
    return (await run('buildah', [...storage, ...args], options)).stdout.trim();
  }

  private async addBase(root: string, name: string, env: string[] = []): Promise<void> {
    const container = await this.buildah('from', 'scratch');
    await this.buildah('add', '--quiet', container, root, '/');
    await this.buildah('config', ...env.flatMap((one) => ['--env', one]), container);
    await this.buildah('commit', '--quiet', container, `docker.io/library/${name}`);
    await this.buildah('rm', container);
  }

  private async addBases(): Promise<void> {
    const names = [...new Set(baseImages(dockerfileOf(ROOT)))];
    const [node, debian] = ['node', 'debian'].map((kind) => names.find((name) => name.startsWith(`${kind}:`))!);
    const [, version, release] = /^node:(\d+)-(\w+)-slim$/.exec(node!) ?? [];
    if (names.length !== 2 || debian !== `debian:${release}-slim`)
      throw new Error(`Other base images: ${names.join()}`);
    const [debianFolder, nodeFolder] = [join(this.folder, 'debian'), join(this.folder, 'node-root')];
    await debianRoot(release!, debianFolder);
    await nodeRoot(debianFolder, version!, nodeFolder);
    const certificate = process.env.NODE_EXTRA_CA_CERTS === undefined ? [] : ['NODE_EXTRA_CA_CERTS=/certificates.pem'];
    await this.addBase(nodeFolder, node!, certificate);
    await this.addBase(debianFolder, debian);
  }

  async build(): Promise<void> {
    assertPrograms();
    mkdirSync(this.folder, { recursive: true });
    await this.addBases();
    const cache = (await run('npm', ['config', 'get', 'cache'], { env: npmEnvironment() })).stdout.trim();
    const options = ['--format', 'docker', '--pull-never', '--volume', `${cache}:/root/.npm`];
    await this.buildah('bud', ...options, '--tag', 'scheduled-orders:test', ROOT);
    const about = JSON.parse(await this.buildah('inspect', '--type', 'image', 'scheduled-orders:test')) as {
      Docker: { config: ImageConfig };
    };
    this.config = about.Docker.config;
    this.container = await this.buildah('from', 'scheduled-orders:test');
    this.root = await this.buildah('mount', this.container);
  }

  async remove(): Promise<void> {
    if (this.container !== '') await this.buildah('rm', this.container);
    await this.buildah('rmi', '--all', '--force');
    await run('umount', ['--recursive', join(this.folder, 'storage/overlay')]).catch(() => undefined);
    await run('rm', ['-rf', this.folder]);
  }

  /**
   * Runs `command` as the image says: its user, folder and environment, with a file system that is read-only. The
   * network is this machine's.
   */
  run(command: readonly string[], env: Readonly<Record<string, string>> = {}): Contained {
    const { User, Env, WorkingDir } = this.config;
    const variables = [...Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const args = [this.root, User, `--chdir=${WorkingDir}`, ...variables, ...command];
    const child = spawn('unshare', ['--mount', 'sh', '-c', IN_ROOT, 'sh', ...args]);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
    return { output: () => output, exited, stop: () => void child.kill('SIGTERM') };
  }
}
