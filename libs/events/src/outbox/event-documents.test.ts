import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventList } from './event-documents.js';

const FILE = join(__dirname, '../../../../docs/events.md');
const LIST = /^- `scheduled_order\.created`[^]*?\n(?=\n)/m;

it('docs/events.md lists the types as the code does (WRITE_EVENTS=true jest libs/events/src/outbox writes the list)', () => {
  const page = readFileSync(FILE, 'utf8');
  if (process.env.WRITE_EVENTS === 'true') writeFileSync(FILE, page.replace(LIST, `${eventList()}\n`));
  expect(LIST.exec(readFileSync(FILE, 'utf8'))?.[0]).toBe(`${eventList()}\n`);
});
