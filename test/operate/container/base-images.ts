import { execFile } from 'node:child_process';
import { accessSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { npmEnvironment } from '../../support/installed.js';

const run = promisify(execFile);
const MIRROR = process.env.DEBIAN_MIRROR ?? 'http://deb.debian.org/debian';

/** @throws Error that names the Debian package to install. */
export function assertPrograms(): void {
  if (process.getuid?.() !== 0) throw new Error('This test makes a file system with debootstrap: run it as root.');
  for (const program of ['debootstrap', 'buildah']) {
    const found = ['/usr/sbin', '/usr/bin'].some((folder) => existsSync(join(folder, program)));
    if (!found) throw new Error(`${program} is not installed: apt-get install ${program}`);
  }
}

/** What `FROM` names in the Dockerfile, with its default arguments filled in. Stages are left out. */
export function baseImages(dockerfile: string): string[] {
  const defaults = new Map([...dockerfile.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name, value]) => [name!, value!]));
  const named = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!);
  return named.map((image) => image.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => defaults.get(name) ?? ''));
}

/** Debian's base system: what the image debian:…-slim has, and somewhat more. */
export async function debianRoot(release: string, root: string): Promise<void> {
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', release, root, MIRROR], {
    maxBuffer: 16 << 20,
  });
}

/**
 * The same with Node.js and npm, both from the npm registry, where the official image has them. The registry's
 * certificate is as on this machine.
 */
export async function nodeRoot(debian: string, version: string, root: string): Promise<void> {
  await run('cp', ['-a', debian, root]);
  const packages = join(dirname(root), 'node');
  mkdirSync(packages);
  const install = ['install', '--prefix', packages, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', [...install, `node-linux-${process.arch}@${version}`, 'npm@11'], { env: npmEnvironment() });
  const installed = join(packages, 'node_modules');
  copyFileSync(join(installed, `node-linux-${process.arch}/bin/node`), join(root, 'usr/local/bin/node'));
  cpSync(join(installed, 'npm'), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  const certificate = process.env.NODE_EXTRA_CA_CERTS;
  if (certificate === undefined) return;
  accessSync(certificate);
  copyFileSync(certificate, join(root, 'certificates.pem'));
}

export const dockerfileOf = (root: string): string => readFileSync(join(root, 'Dockerfile'), 'utf8');
