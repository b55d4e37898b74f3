/**
 * graphile-worker in its strongest form, as its page on performance advises: a local queue of 500, completion in
 * batches, 12 jobs at once; prepared statements; its own pool apart from the one of the order function.
 * `node graphile-worker.mjs enqueue|work URL ORDERS`; `work` says `done` when every job has run.
 */
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { OrderFunction } from '../order-function.mjs';

const CONCURRENT_JOBS = 12;
const [, , verb, url, orders] = process.argv;

const preset = {
  worker: {
    connectionString: url,
    concurrentJobs: CONCURRENT_JOBS,
    maxPoolSize: 10,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
    preparedStatements: true,
    // It would write a line per job.
    logger: new Logger(() => () => undefined),
  },
};

async function enqueue() {
  const utils = await makeWorkerUtils({ preset });
  await utils.migrate();
  await utils.withPgClient((client) =>
    client.query(
      `SELECT count(*) FROM graphile_worker.add_jobs((SELECT array_agg(json_populate_record(NULL::graphile_worker.job_spec,
         json_build_object('identifier', 'process', 'payload', json_build_object('id', o.id), 'run_at', o.next_occurrence_utc)) ORDER BY o.next_occurrence_utc, o.id)
       FROM (SELECT * FROM scheduled_orders ORDER BY next_occurrence_utc, id LIMIT $1) o))`,
      [orders],
    ),
  );
  await utils.release();
}

async function work() {
  const order = await OrderFunction.create({ url, connections: CONCURRENT_JOBS });
  let left = Number(orders);
  const finished = Promise.withResolvers();
  const runner = await run({
    preset,
    noHandleSignals: true,
    taskList: {
      process: async ({ id }) => {
        await order.process(id);
        if (--left === 0) finished.resolve();
      },
    },
  });
  await finished.promise;
  await runner.stop();
  await order.close();
}

await (verb === 'enqueue' ? enqueue() : work());
console.log('done');
