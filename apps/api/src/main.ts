import { boot, connectWithRetry, databaseSentence, listenSentence, type Logger } from '#libs/config';
import { createDataSource } from '#libs/entities';
import { createApp } from './create-app.js';

const POOL_SIZE = 20;

const { settings, log } = boot('api');
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());

try {
  await run();
} catch (error) {
  if (!stopping.signal.aborted) fail(log, databaseSentence(error, settings.databaseUrl));
}

async function run(): Promise<void> {
  const dataSource = createDataSource({
    url: settings.databaseUrl,
    poolSize: POOL_SIZE,
    applicationName: 'scheduled-orders-api',
  });
  await connectWithRetry(() => dataSource.initialize(), {
    databaseUrl: settings.databaseUrl,
    log,
    signal: stopping.signal,
  });
  const app = await createApp({ settings, log, dataSource });
  try {
    await app.listen(settings.port, settings.host);
  } catch (error) {
    fail(log, listenSentence(error, 'PORT', settings.host, settings.port));
  }
  log.info(`The API listens on ${await app.getUrl()}; its documentation is at /docs.`);
  await aborted(stopping.signal);
  log.info('The API stops.');
  setTimeout(() => fail(log, 'Requests in flight did not end in time.'), settings.shutdownGraceMs).unref();
  await app.close();
  await dataSource.destroy();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function fail(to: Logger, sentence: string): never {
  to.fatal(sentence);
  process.exit(1);
}
