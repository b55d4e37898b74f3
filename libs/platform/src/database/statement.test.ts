import { Statement } from './statement.js';

it('has a name that follows from its text alone, in every process and version', () => {
  expect(Statement.of('SELECT 1').name).toBe('s_e004ebd5b5532a4b85984a62f8ad48a8');
  expect(Statement.of('SELECT 2').name).not.toBe(Statement.of('SELECT 1').name);
});
