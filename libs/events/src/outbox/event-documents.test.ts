import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTable } from './event-documents.js';

const FILE = join(__dirname, '../../../../docs/events.md');
const TABLE = /(?<=## Types\n[^|]*)\|[^]*?\|\n(?=\n)/;

it('docs/events.md lists the types as the code does (WRITE_EVENTS=true jest libs/events/src/outbox writes the table)', () => {
  const page = readFileSync(FILE, 'utf8');
  if (process.env.WRITE_EVENTS === 'true') writeFileSync(FILE, page.replace(TABLE, `${eventTable()}\n`));
  expect(TABLE.exec(readFileSync(FILE, 'utf8'))?.[0]).toBe(`${eventTable()}\n`);
});
