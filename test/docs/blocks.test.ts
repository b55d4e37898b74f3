import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allBlocks } from '../support/docs/blocks.js';

/** Languages of what a reader runs or sends. The others show what comes back, or are read. */
const RUN = ['sh', 'bash', 'http', 'js', 'php', 'python', 'sql'];

/** The test that runs all blocks of a page but those that the page says are not run. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  'docs/after-a-charge.md': ['test/docs/guides.test.ts'],
  'docs/api.md': ['test/docs/commands.test.ts'],
  'docs/authentication.md': ['test/docs/commands.test.ts'],
  'docs/connect-a-shop.md': ['test/docs/connect-a-shop.test.ts'],
  'docs/connect-vendure.md': ['test/docs/connect-guides.test.ts'],
  'docs/connect-woocommerce.md': ['test/docs/connect-guides.test.ts'],
  'docs/events.md': ['test/docs/commands.test.ts'],
  'docs/going-live.md': ['test/docs/commands.test.ts'],
  'docs/insight.md': ['test/docs/insight.test.ts', 'test/docs/commands.test.ts'],
  'docs/quick-start.md': ['test/docs/tour.test.ts', 'test/docs/receiver.test.ts', 'test/docs/commands.test.ts'],
  'docs/testing.md': ['test/docs/testing.test.ts'],
  'docs/topologies.md': ['test/operate/support/documented.ts'],
};

const docs = readdirSync('docs').filter((name) => name.endsWith('.md'));
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs.map((name) => join('docs', name))];
const blocks = pages.flatMap((page) =>
  allBlocks(readFileSync(page, 'utf8'))
    .filter(({ language }) => RUN.includes(language))
    .map((block) => ({ page, ...block })),
);

it('every command and request of a page is run by a test, or the page says in front of it why not', () => {
  expect(blocks.length).toBeGreaterThan(60);
  const forgotten = blocks
    .filter(({ page, notRunBecause }) => notRunBecause === null && !(page in TESTS))
    .map(
      ({ page, line }) =>
        `${page}:${line}: add it to a test of test/docs, or write "<!-- Untested: why. -->" before it`,
    );
  expect(forgotten).toEqual([]);
});

it('the tests that are said to run them read these pages', () => {
  const missing = Object.entries(TESTS).flatMap(([page, tests]) =>
    tests.filter((test) => !existsSync(test) || !readFileSync(test, 'utf8').includes(page)),
  );
  expect(missing).toEqual([]);
  const idle = Object.keys(TESTS).filter(
    (page) => !blocks.some((block) => block.page === page && block.notRunBecause === null),
  );
  expect(idle).toEqual([]);
});
