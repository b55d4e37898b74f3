import { prepared, shaped } from './statement.js';

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
  const named = texts.map((text) => shaped(text).name);
  expect(named[0]).toBe(prepared('test.shape', () => texts[0]!).name);
  expect(new Set(named).size).toBe(201);
  expect(named[200]).toBeUndefined();
});
