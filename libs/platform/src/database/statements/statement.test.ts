/**
 * Counts the shapes of its process.
 * @jest-environment node
 */
import { prepared, shaped, Statement } from './statement.js';

it('has a name that follows from its text alone, in every process and version', () => {
  expect(Statement.named('SELECT 1').name).toBe('s_e004ebd5b5532a4b85984a62f8ad48a8');
  expect(Statement.named('SELECT 2').name).not.toBe(Statement.named('SELECT 1').name);
});

it('gives one statement for a key, under the name of its text', () => {
  const first = prepared('test.one', () => 'SELECT 1');
  expect(prepared('test.one', () => 'SELECT 1')).toBe(first);
  expect(prepared('test.another', () => 'SELECT 1').name).toBe(first.name);
});

it('refuses a key that stands for another text already', () => {
  prepared('test.two', () => 'SELECT 2');
  expect(() => prepared('test.two', () => 'SELECT 3')).toThrow(
    'Two statements have the key "test.two": give one of them another.',
  );
});

it('names a shape by its text and not by when it came, and leaves the name out when there are too many', () => {
  const texts = Array.from({ length: 201 }, (_, place) => `SELECT ${place + 10}`);
  const shapes = texts.map((text) => shaped(text));
  expect(shapes[0]).toEqual(prepared('test.shape', () => texts[0]!));
  expect(shapes.slice(0, 200).every((shape) => typeof shape === 'object')).toBe(true);
  expect(shapes[200]).toBe(texts[200]);
});
