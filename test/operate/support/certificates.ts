import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { own } from './postgres.js';

/** The file of the authority alone goes to API, worker and commands. */
export const AUTHORITY = 'ca.crt';

/**
 * Makes in `folder` an authority, and a certificate of a server for `names` (`DNS:localhost,IP:127.0.0.1`), as
 * docs/topologies.md does.
 */
export function makeCertificates(folder: string, names: string, days = '7'): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const ecKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  const authority = ['-subj', '/CN=Orders CA', '-keyout', 'ca.key', '-out', AUTHORITY];
  openssl('req', '-x509', '-days', '7', ...ecKey, ...authority);
  openssl('req', ...ecKey, '-subj', '/CN=database', '-keyout', 'server.key', '-out', 'server.csr');
  writeFileSync(join(folder, 'names.cnf'), `subjectAltName = ${names}\n`);
  const signed = ['-CA', AUTHORITY, '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names.cnf', '-days', days];
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.crt');
  chmodSync(join(folder, 'server.key'), 0o600);
  for (const file of ['server.key', 'server.crt']) own(join(folder, file));
}
