/**
 * pg-boss in its strongest form, as its documentation advises for throughput: batches, several workers in one process,
 * fetching on without a pause while batches come full; a partition of its own for the queue; jobs of a batch run side
 * by side. `node pg-boss.mjs enqueue|work|work-in-sets URL ORDERS`; `work` says `done` when every job has run.
 * `work-in-sets` writes each batch with the one statement of the limit instead: no charge, and nothing on record before
 * one.
 */
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { setBasedSql } from '../limit.sql.mjs';
import { OrderFunction } from '../order-function.mjs';

const QUEUE = 'process';
const WORKERS = 2;
const BATCH = 500;
/** Few: more only wait for each other in PostgreSQL (24 took 12 % more processor time an order). */
const CONNECTIONS = 8;
const [, , verb, url, orders] = process.argv;

const boss = new PgBoss({ connectionString: url, max: 10, schedule: false });
boss.on('error', (error) => console.error(error.message));
await boss.start();

async function enqueue() {
  await boss.createQueue(QUEUE, { partition: true, retryLimit: 2 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT id::int FROM scheduled_orders ORDER BY next_occurrence_utc, id LIMIT $1`,
    [orders],
  );
  await client.end();
  for (let from = 0; from < rows.length; from += 5_000) {
    await boss.insert(
      QUEUE,
      rows.slice(from, from + 5_000).map(({ id }) => ({ data: { id } })),
    );
  }
}

const DUE = `  SELECT o.id, o.next_occurrence_utc AS due_utc FROM scheduled_orders o
  WHERE o.id = ANY ($1::bigint[]) AND o.status = 'Active' AND o.deleted_utc IS NULL AND o.next_occurrence_utc <= now() FOR NO KEY UPDATE`;

async function workInSets() {
  const pool = new pg.Pool({ connectionString: url, max: WORKERS });
  const text = `${await setBasedSql(DUE, 'peerpeer')}\nSELECT count(*)::int AS written FROM e`;
  await workBatches(async (ids) => {
    const { rows } = await pool.query({ text, values: [ids] });
    if (rows[0].written !== ids.length) throw new Error(`${rows[0].written} of ${ids.length} orders were written.`);
  });
  await pool.end();
}

async function work() {
  const order = await OrderFunction.create({ url, connections: CONNECTIONS });
  await workBatches((ids) => Promise.all(ids.map((id) => order.process(id))));
  await order.close();
}

async function workBatches(process) {
  let left = Number(orders);
  const finished = Promise.withResolvers();
  const options = {
    batchSize: BATCH,
    localConcurrency: WORKERS,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: 0.5,
  };
  await boss.work(QUEUE, options, async (jobs) => {
    await process(jobs.map(({ data }) => data.id));
    left -= jobs.length;
    if (left === 0) finished.resolve();
  });
  await finished.promise;
  await boss.offWork(QUEUE, { wait: true });
}

await { enqueue, work, 'work-in-sets': workInSets }[verb]();
await boss.stop({ graceful: true });
console.log('done');
