import { localSettings, sessionFault, startupOptions } from './session.js';

const SOUND = {
  version: 18,
  timeZone: 'UTC',
  dateStyle: 'ISO, MDY',
  integerDatetimes: 'on',
  conformingStrings: 'on',
  mark: 'set',
};

it.each([
  [{}, null],
  [{ version: 14 }, null],
  [{ version: 13 }, 'The database is PostgreSQL 13: this service needs 14 to 18. Upgrade the server.'],
  [{ mark: null }, 'Set DATABASE_POOLER=transaction'],
  [{ timeZone: 'Asia/Tokyo' }, 'have TimeZone = Asia/Tokyo'],
  [{ dateStyle: 'German, DMY' }, 'have DateStyle = German, DMY'],
  [{ integerDatetimes: 'off' }, 'have integer_datetimes = off'],
  [{ conformingStrings: 'off' }, 'have standard_conforming_strings = off'],
])('a session with %j: %s', (differing, sentence) => {
  const fault = sessionFault({ ...SOUND, ...differing });
  if (sentence === null) expect(fault).toBeNull();
  else expect(fault).toContain(sentence);
});

it('puts our settings behind those of the URL, and quotes what needs it', () => {
  const options = startupOptions('-c TimeZone=Asia/Tokyo', { lock_timeout: '5s' });
  expect(options).toMatch(/^-c TimeZone=Asia\/Tokyo -c TimeZone=UTC .*-c lock_timeout=5s$/);
  expect(options).toContain('-c default_transaction_isolation=read\\ committed');
  expect(localSettings({ lock_timeout: `5's` })).toMatch(
    /^SET LOCAL TimeZone TO 'UTC'; .*SET LOCAL lock_timeout TO '5''s'$/,
  );
});
