import { listenSentence } from './sentence.js';

const coded = (code: string, message = 'inner') => Object.assign(new Error(message), { code });

it.each([
  ['EADDRINUSE', 'Port 3000 is in use by another program: stop that one, or set PORT to another port.'],
  ['EACCES', 'Port 3000 may not be opened by this user: set PORT to one above 1023.'],
  ['EADDRNOTAVAIL', 'HOST 10.9.9.9 is no address of this machine.'],
  ['EMFILE', 'Cannot listen on 10.9.9.9:3000: inner.'],
])('says why nobody can listen there: %s', (code, sentence) => {
  expect(listenSentence(coded(code), 'PORT', '10.9.9.9', 3000)).toBe(sentence);
});
