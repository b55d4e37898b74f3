import { readFileSync } from 'node:fs';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { Shell, shellBlocks } from '../support/docs/shell.js';
import { WebhookReceiver } from '../support/events/webhook-receiver.js';
import { given as givenIn } from '../support/given.js';
import { createWorker } from '../support/worker.js';

const database = useDatabase();
const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8' };
const api = useApi(database, OPEN);
const given = givenIn(database);

/** What the quick start defines for all examples. */
const definitions = (name: string) =>
  new RegExp(`^${name}\\(\\) \\{.*\\}$`, 'm').exec(readFileSync('docs/quick-start.md', 'utf8'))![0];

interface Sent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly Simulated?: boolean };
}

/** The calls that the page lists: time and type. */
const callsOf = (page: string): string[] => /^```text\n([\s\S]*?)^```$/m.exec(page)![1]!.trimEnd().split('\n').sort();

const commentsIn = (block: string) => [...block.matchAll(/ # (.+)$/gm)].map(([, words]) => words!);

it('every call of docs/testing.md works as it is shown, and shows what it says', async () => {
  const { tokenAuth, siteId } = await given.merchant();
  await given.product(siteId);
  const receiver = await WebhookReceiver.start();
  const shell = new Shell({ API: api.url, TOKEN: tokenAuth, SITE: String(siteId), HOOKS: receiver.url });
  const worker = createWorker(database, { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  await shell.run([definitions('field'), definitions('call')].join('\n'));
  const page = readFileSync('docs/testing.md', 'utf8');
  const blocks = shellBlocks(page);
  let count = 0;
  for (const block of blocks) {
    const shown = await shell.run(block);
    expect({ block, shown: shown.join('\n') }).not.toMatchObject({ shown: expect.stringContaining('was answered') });
    // What a line with a comment shows stands behind what the lines before it show.
    for (const words of commentsIn(block)) {
      expect({ block, shown: shown.join('\n') }).toEqual({ block, shown: expect.stringContaining(words.trim()) });
      count += 1;
    }
    await worker.drain();
  }
  shell.end();
  await worker.end();
  await receiver.stop();
  expect(count).toBeGreaterThanOrEqual(11);
  // What goes out, in the page's words.
  const got = receiver.received.map(({ body }) => JSON.parse(body) as Sent);
  expect(got.map(({ data }) => data.Simulated)).toEqual(got.map(() => true));
  expect(got.map(({ timestamp, type }) => `${timestamp}  ${type}`).sort()).toEqual(callsOf(page));
  // Five requests: all others prepare, or only look.
  const steps = page.slice(page.indexOf('## A declined card'), page.indexOf('## Moving'));
  expect(steps.match(/^\*\*\d\.\*\*/gm)).toHaveLength(5);
  expect(steps.match(/call (?!GET)/g)).toHaveLength(5);
});
