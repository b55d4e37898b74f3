/**
 * Loaded into the product's API (`node --import`) when its SQL is to be known: writes every statement, with its values
 * and rows, as a line of JSON to the file BENCH_TAP. Takes no part in any measurement.
 */
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { Client } = createRequire(join(process.env.BENCH_PRODUCT_ROOT, 'package.json'))('pg');
const { query } = Client.prototype;

Client.prototype.query = function tapped(config, values, callback) {
  const text = typeof config === 'string' ? config : config.text;
  const parameters = Array.isArray(values) ? values : (config.values ?? []);
  const note = (rows) =>
    appendFileSync(process.env.BENCH_TAP, `${JSON.stringify({ text, values: parameters, rows })}\n`);
  const noting = (back) => (error, result) => {
    if (!error) note(result.rows ?? []);
    back(error, result);
  };
  if (config.callback) {
    config.callback = noting(config.callback);
    return query.call(this, config);
  }
  const back = [callback, values].find((argument) => typeof argument === 'function');
  if (back) {
    const noted = noting(back);
    return Array.isArray(values) ? query.call(this, config, values, noted) : query.call(this, config, noted);
  }
  const running = query.call(this, config, values);
  running?.then?.(
    (result) => note(result.rows ?? []),
    () => undefined,
  );
  return running;
};
