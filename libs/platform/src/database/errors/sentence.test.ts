import { databaseName } from '../connection/hosts.js';
import { errorCode } from './database-errors.js';
import { databaseSentence } from './sentence.js';

const coded = (code: string, message = 'inner') => Object.assign(new Error(message), { code });

it.each([
  ['postgres://u:geheim@db.example/orders', 'db.example:5432/orders'],
  ['postgres://u:geheim@[::1]:5433/orders?sslmode=require', '[::1]:5433/orders'],
  ['postgres:///orders?host=/run/postgresql', '/run/postgresql:5432/orders'],
  ['geheim', 'the database'],
])('shows of %s only where it is', (url, name) => {
  expect(databaseName(url)).toBe(name);
});

it.each([
  [coded('ECONNREFUSED'), 'nothing listens there'],
  [coded('CERT_HAS_EXPIRED'), 'its certificate has expired'],
  [new AggregateError([coded('ECONNREFUSED'), coded('ETIMEDOUT')]), 'nothing listens there'],
  [new Error('wrapped', { cause: coded('28P01') }), 'user name or password is wrong'],
  [coded('3D000'), 'there is no such database'],
  [new Error('Connection terminated unexpectedly'), 'Connection terminated unexpectedly'],
])('says why the database cannot be reached: %s', (error, why) => {
  expect(databaseSentence(error, 'postgres://u:geheim@db/orders')).toBe(
    `The database db:5432/orders cannot be reached: ${why}.`,
  );
});

it('finds no code where there is none', () => {
  expect(errorCode(new Error('x'))).toBeUndefined();
});
