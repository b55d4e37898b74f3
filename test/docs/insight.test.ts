import { readFileSync } from 'node:fs';
import { type Json, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { makeDemo } from '../support/shops/demo.js';
import type { TestWorker } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database);

const page = readFileSync('docs/insight.md', 'utf8')
  .split(/^## /m)
  .find((part) => part.startsWith('Explain\n'))!;

/** A section's request, and its answer as far as the page shows it. */
const EXAMPLES = page
  .split(/^### /m)
  .slice(1)
  .flatMap((section): [string, string, string][] => {
    const [title] = section.split('\n');
    const request = /```sh\ncall ([^]*?)\n```/.exec(section)?.[1];
    const answer = /```json\n([^]*?)\n```/.exec(section)?.[1];
    return request === undefined || answer === undefined ? [] : [[title!, request, answer]];
  });

/** All demos are alike but for their days and times. */
const timeless = (text: string): Json =>
  JSON.parse(
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/(\w+day )?\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '<day>')
      .replace(/ The month has no \w+, so it falls on the month’s last day\./g, '')
      .replace(/on the \d+(st|nd|rd|th) at \d\d:\d\d UTC(; in a shorter month on its last day)?/g, '<monthly>'),
  );

const DAY_MS = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The page asks for the seven days after that of its demo. */
const afterDemo = (path: string) =>
  path.replace(/From=[\d-]+&To=[\d-]+/, `From=${dayOf(startedAt + DAY_MS)}&To=${dayOf(startedAt + 8 * DAY_MS)}`);

/** Of a timeline the page shows the kinds of entries that it is about. */
const asFarAsShown = (answered: Json, shown: Json): Json =>
  Array.isArray(shown)
    ? (answered as Json[]).filter((entry) => shown.some(({ Kind }: Json) => Kind === entry.Kind))
    : answered;

let startedAt: number;
let worker: TestWorker;
let token: string;
beforeAll(async () => {
  startedAt = Date.now();
  worker = await makeDemo(database, api);
  const body = { Email: 'demo@shop.example', Password: 'demo-password', AccessScope: 'Merchant' };
  token = (await api.request('POST', '/api/AccessTokens/Login', { body })).body.TokenAuth as string;
});
afterAll(() => worker.end());

it.each(EXAMPLES)('%s: the demo answers as the page shows', async (_, request, answer) => {
  const [, method, path, body] = /^(GET|POST) '?([^\s']+)'?(?: -d '([^]*)')?$/.exec(request)!;
  const answered = await api.request(method!, afterDemo(path!), { token, body });
  expect(answered.status).toBe(200);
  const shown = timeless(answer);
  expect(asFarAsShown(timeless(JSON.stringify(answered.body)), shown)).toMatchObject(shown);
});

it('the page has the ten questions, that of a cart and that of other rates, each with one request and an answer', () => {
  const questions = page
    .split(/^### /m)
    .slice(1)
    .filter((section) => /^[^\n]*\?\n/.test(section));
  expect(questions).toHaveLength(12);
  for (const question of questions) expect(question.match(/```sh\ncall /g)).toHaveLength(1);
  expect(EXAMPLES.map(([title]) => title)).toEqual(questions.map((question) => question.split('\n')[0]));
});
