import { readFileSync } from 'node:fs';
import { itInAllCases } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { Shell, shellBlocks } from '../support/docs/shell.js';
import { makeDemo } from '../support/shops/demo.js';
import type { TestWorker } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database);
const tour = readFileSync('docs/quick-start.md', 'utf8')
  .split(/^## /m)
  .find((part) => part.startsWith('A tour'))!;

let worker: TestWorker;
let shell: Shell;
beforeAll(async () => {
  worker = await makeDemo(database, api);
  shell = new Shell({});
});
afterAll(async () => {
  shell.end();
  await worker.end();
});

/** What a block shows. Where a reader waits for the worker, it is told to work. */
async function pasted(block: string): Promise<string[]> {
  const [before, after] = block.replace('API=http://localhost:3000', `API=${api.url}`).split(/^sleep .*\n/m);
  const shown = await shell.run(before!);
  if (after === undefined) return shown;
  await worker.drain();
  return [...shown, ...(await shell.run(after))];
}

itInAllCases('the tour of the quick start can be pasted twice', async () => {
  for (const round of ['first', 'second']) {
    const shown: string[] = [];
    for (const block of shellBlocks(tour)) shown.push(...(await pasted(block)));
    expect({ round, text: shown.join('\n') }).toEqual({ round, text: expect.stringContaining('"State":"Completed"') });
    expect(shown.join('\n')).not.toMatch(/was answered|undefined|Error/);
    expect(JSON.parse(shown.at(-1)!)).toMatchObject({ IsRecurring: true, Total: expect.any(Number) });
  }
  const made = await database.query(
    `SELECT o.cycles::integer FROM scheduled_orders o JOIN customers c ON c.id = o.customer_id WHERE c.email = 'tour@mail.example'`,
  );
  expect(made).toEqual([{ cycles: 1 }, { cycles: 1 }]);
});

itInAllCases('a call that fails shows what is wrong, and no stack trace', async () => {
  const shown = await shell.run('call GET /api/ScheduledOrders/999/Cycles 2>/dev/null | field "at(0).OrderId"');
  expect(shown).toEqual(['There is no ScheduledOrder 999.']);
});
