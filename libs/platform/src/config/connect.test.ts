import { connectWithRetry } from './connect.js';

const databaseUrl = 'postgres://shop:geheim@db.example:5433/orders';

function listener() {
  const heard: string[] = [];
  const hear = (sentence: string) => void heard.push(sentence);
  return { heard, log: { warn: hear, info: hear } as unknown as Parameters<typeof connectWithRetry>[1]['log'] };
}

const fault = (code: string) => Object.assign(new Error('inner'), { code });

it('tries again until the database answers, and says so in one sentence each', async () => {
  const { heard, log } = listener();
  const answers = [fault('ECONNREFUSED'), new AggregateError([fault('ENOTFOUND')]), 'connected'];
  const connect = () => {
    const answer = answers.shift()!;
    return typeof answer === 'string' ? Promise.resolve(answer) : Promise.reject(answer);
  };
  await expect(connectWithRetry(connect, { databaseUrl, log })).resolves.toBe('connected');
  expect(heard).toEqual([
    'The database db.example:5433/orders cannot be reached: nothing listens there. Trying again in 0.25 s.',
    'The database db.example:5433/orders cannot be reached: its host name is not known. Trying again in 0.5 s.',
    'The database can be reached again.',
  ]);
});

it.each(['28P01', '28000', '42501', '3D000'])('does not wait for what waiting cannot fix (%s)', async (code) => {
  const { heard, log } = listener();
  await expect(connectWithRetry(() => Promise.reject(fault(code)), { databaseUrl, log })).rejects.toMatchObject({
    code,
  });
  expect(heard).toEqual([]);
});

it('ends when it is told to', async () => {
  const { log } = listener();
  const stopping = new AbortController();
  const connecting = connectWithRetry(
    () => {
      stopping.abort();
      return Promise.reject(fault('ECONNREFUSED'));
    },
    { databaseUrl, log, signal: stopping.signal },
  );
  await expect(connecting).rejects.toThrow('inner');
});

it('ends while it waits', async () => {
  const { log } = listener();
  const stopping = new AbortController();
  const connecting = connectWithRetry(
    () => {
      setImmediate(() => stopping.abort());
      return Promise.reject(fault('ECONNREFUSED'));
    },
    { databaseUrl, log, signal: stopping.signal },
  );
  await expect(connecting).rejects.toMatchObject({ name: 'AbortError' });
});
