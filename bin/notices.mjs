import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = /^(licen[cs]e|copying|notice)/i;
const RULE = `${'-'.repeat(80)}\n`;

/** The folder of the package that a module is of; undefined for our own. */
const folderOf = (module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module.replaceAll('\\', '/'))?.[0];

function noticeOf(folder) {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // Old packages have a list.
  const stated = license ?? licenses?.map(({ type }) => type).join(', ') ?? 'no licence stated';
  const names = readdirSync(folder).sort();
  const licences = names.filter((file) => FILES.test(file));
  // Some have theirs in the README.
  const files = licences.length > 0 ? licences : names.filter((file) => /^readme/i.test(file)).slice(0, 1);
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${stated})`, ...texts].join('\n\n');
}

/** The licences of the packages that `modules` are of, as these licences ask whoever passes their code on. */
export function noticesOf(modules) {
  const folders = new Set(
    [...modules].map(folderOf).filter((folder) => folder !== undefined && existsSync(join(folder, 'package.json'))),
  );
  const notices = [...folders].map(noticeOf).sort();
  return `The programs in this folder contain code of these ${notices.length} packages.\n\n${notices.map((notice) => `${RULE}${notice}\n\n`).join('')}`;
}
