import { posix } from 'node:path';

/** Pages of the site whose text is a file outside docs/: the address, and the file from the root of the repository. */
export const FILES_OF_ROOT = {
  security: 'SECURITY.md',
  contributing: 'CONTRIBUTING.md',
  dependencies: 'DEPENDENCIES.md',
  changelog: 'CHANGELOG.md',
  benchmarks: 'bench/README.md',
  citus: 'deploy/citus/README.md',
};

/** The file of a page, from the root of the repository. @param page as VitePress names it, with `.md`. */
export const fileOf = (page) => FILES_OF_ROOT[page.replace(/\.md$/, '')] ?? `docs/${page}`;

/**
 * Where a link or a picture of a file leads in the site; null where it leads to a file that the site does not have.
 * @param file from the root of the repository. @param target as it is written there.
 */
export function placeOf(file, target) {
  if (/^(?:[a-z]+:|#|\/)/i.test(target)) return target;
  const [path, anchor] = target.split('#');
  const found = posix.join(posix.dirname(file), path);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const [ofRoot] = Object.entries(FILES_OF_ROOT).find(([, name]) => name === found) ?? [];
  if (ofRoot !== undefined) return `/${ofRoot}${hash}`;
  const [, name, kind] = /^docs\/(.+)\.(md|png)$/.exec(found) ?? [];
  if (name === undefined) return null;
  return kind === 'md' ? `/${name}${hash}` : `/${name}.${kind}`;
}
